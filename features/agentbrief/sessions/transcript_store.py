"""What happened since the last flush, and where does it go? The one object of the features that changes.

Source: claw.md 7.2; ultraworkers/claw-code src/transcript.py@08106b0c, where a flush writes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, Protocol

from agentbrief.disk.refusal import Refused
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.claw.text import json_text

Kind = Literal["message", "tool_result", "event"]
KINDS: dict[str, Kind] = {"message": "message", "tool_result": "tool_result", "event": "event"}

KEPT_ENTRIES = 10
"""How many entries a compaction keeps unless told otherwise; a bound of its own, no agent's setting."""


@dataclass(frozen=True, slots=True)
class TranscriptEntry:
    """One thing that happened. ``at_ms`` since 1970."""

    kind: Kind
    text: str
    at_ms: int
    data: JsonValue = field(default=None, hash=False)

    def record(self) -> bytes:
        """The entry as a line of the transcript file, without a line end."""
        value: dict[str, JsonValue] = {"kind": self.kind, "text": self.text, "at_ms": self.at_ms}
        if self.data is not None:
            value["data"] = self.data
        return json_text(value).encode("utf-8")


class Sink(Protocol):
    """Where entries are written to."""

    def write(self, records: Sequence[bytes]) -> tuple[int, Refused | None]:
        """How many of ``records`` reached the disk, and why the next one did not."""
        ...


class TranscriptStore:
    """The entries of a session that are not on disk yet.

    ``now_ms`` is the clock. Without a ``sink`` a flush only forgets.
    """

    def __init__(
        self, now_ms: Callable[[], int], sink: Sink | None = None, entries: Iterable[TranscriptEntry] = ()
    ) -> None:
        self._now_ms = now_ms
        self._sink = sink
        self._entries = list(entries)
        self._written = 0
        self._flushed = False

    @property
    def entries(self) -> tuple[TranscriptEntry, ...]:
        """The entries, oldest first."""
        return tuple(self._entries)

    @property
    def flushed(self) -> bool:
        """Whether nothing was appended since the last flush."""
        return self._flushed

    def append(self, entry: TranscriptEntry | str) -> None:
        """Add ``entry``; a text is a message of now."""
        if isinstance(entry, str):
            entry = TranscriptEntry("message", entry, self._now_ms())
        self._entries.append(entry)
        self._flushed = False

    def replay(self) -> tuple[TranscriptEntry, ...]:
        """The entries, oldest first."""
        return self.entries

    def compact(self, keep_last: int = KEPT_ENTRIES) -> int:
        """How many of the oldest entries were dropped, so that ``keep_last`` stay; a sink gets them first.

        Raises:
            ValueError: ``bad-keep-last``, it is negative.
            Refused: the sink did not take them; nothing was dropped.
        """
        if keep_last < 0:
            raise ValueError("bad-keep-last")
        dropped = max(len(self._entries) - keep_last, 0)
        self._write(dropped)
        del self._entries[:dropped]
        self._written = max(self._written - dropped, 0)
        return dropped

    def flush(self) -> None:
        """Write all entries to the sink, then forget them. Nothing to write, nothing is written.

        Raises:
            Refused: the sink did not take all of them; none is forgotten. What did reach the disk is not
                written a second time by the next flush.
        """
        self._write(len(self._entries))
        self._entries.clear()
        self._written = 0
        self._flushed = True

    def _write(self, count: int) -> None:
        waiting = self._entries[self._written : count]
        if self._sink is None or not waiting:
            return
        written, refusal = self._sink.write([entry.record() for entry in waiting])
        self._written += written
        if refusal is not None:
            raise refusal
