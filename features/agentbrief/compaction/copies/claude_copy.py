"""How does a compacted copy of a Claude Code transcript look?

Before the first message that is kept come a ``compact_boundary``, which begins a new root and names what is
kept, and its child, the summary in the user's name; the message that is kept first hangs on the summary. So a
view shows the whole conversation in its order, and the model is sent the summary, then what is kept. No line
of the original changes.

Source: agents.md 9.1 (Compaction).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from agentbrief.changes.steps import Stamp
from agentbrief.compaction.claw.boundary import split_pairs
from agentbrief.compaction.claw.grammar import PREAMBLE
from agentbrief.compaction.copies.tied import tied_shapes
from agentbrief.compaction.plan import NotPlanned
from agentbrief.jsonio import JsonValue, dumps, loads
from agentbrief.sessions.claw.tokens import message_tokens, session_tokens
from agentbrief.sessions.formats.claude_chain import Chain
from agentbrief.sessions.formats.claude_code import SEEN_BY_MODEL, look, read
from agentbrief.sessions.formats.claude_entry import Entry
from agentbrief.sessions.formats.claude_sent import sent_of, unpaired
from agentbrief.sessions.model import Message, SessionRef, Text
from agentbrief.sessions.shapes import Shape
from agentbrief.sessions.sniff.claude_code import FORMAT
from agentbrief.sessions.times import iso_of
from agentbrief.text.whitespace import trim

_ENVELOPE = ("userType", "entrypoint", "cwd", "sessionId", "version", "gitBranch", "slug")
_TITLE = "Conversation compacted"


@dataclass(frozen=True, slots=True)
class ClaudeFile:
    """A transcript of Claude Code: what the model is sent of it, a summary that it begins with made one of
    ours.

    ``new_ids`` are the identifiers of the two records that a compaction adds; ``compacted_to`` is the offset
    (bytes) of the newest compaction that there is, 0 without one.
    """

    path: str
    data: bytes = field(repr=False)
    stamp: Stamp | None
    new_ids: tuple[str, str]
    shapes: tuple[Shape, ...] = field(repr=False)
    messages: tuple[Message, ...] = field(repr=False)
    leaf: Entry
    session_id: str | None
    compacted_to: int

    @property
    def ref(self) -> SessionRef:
        """Which session it is; it is never written itself."""
        return SessionRef(self.path, FORMAT, self.session_id, False)

    def rewritten(self, kept: range, summary: str, message: Message, removed: int, now_ms: int) -> bytes:
        """The transcript with the records of a compaction that keeps the messages ``kept`` behind it."""
        boundary_id, summary_id = self.new_ids
        stays = [message.id for message in self.messages[kept.start :] if message.id]
        envelope = _envelope(self.data, self.leaf) | {"timestamp": iso_of(now_ms), "isSidechain": False}
        about: dict[str, JsonValue] = {
            "trigger": "manual",
            "preTokens": session_tokens(self.messages),
            "postTokens": message_tokens(message) + sum(shape.tokens for shape in self.shapes[kept.start :]),
            "messagesSummarized": removed,
        }
        if stays:
            names: list[JsonValue] = [*stays]
            about["preservedSegment"] = {
                "headUuid": stays[0],
                "anchorUuid": summary_id,
                "tailUuid": stays[-1],
            }
            about["preservedMessages"] = {"uuids": names, "allUuids": names}
        last = next((each.id for each in reversed(self.messages[: kept.start]) if each.id), None)
        boundary: dict[str, JsonValue] = {
            "parentUuid": None,
            "logicalParentUuid": last,
            **envelope,
            "type": "system",
            "subtype": "compact_boundary",
            "content": _TITLE,
            "level": "info",
            "isMeta": False,
            "uuid": boundary_id,
            "compactMetadata": about,
        }
        told: dict[str, JsonValue] = {
            "parentUuid": boundary_id,
            **envelope,
            "type": "user",
            "message": {"role": "user", "content": message.text},
            "isCompactSummary": True,
            "isVisibleInTranscriptOnly": True,
            "uuid": summary_id,
        }
        place = self._place(kept)
        head, tail = self.data[:place], self.data[place:]
        end = b"" if head.endswith(b"\n") or not head else b"\n"
        return b"".join((head, end, dumps(boundary), b"\n", dumps(told), b"\n", tail))

    def _place(self, kept: range) -> int:
        """Where the two records go: before the first line that is kept, or at the end.

        At the end where an earlier compaction stands behind that line: the model would stop there.
        """
        places = [each.slice.offset for each in self.messages[kept.start :] if each.slice]
        first = min(places, default=len(self.data))
        return len(self.data) if first < self.compacted_to else first

    def masked(self, message: Message) -> int:
        """How many secrets are masked when ``message`` is written: this format masks none."""
        return 0

    def faults(self, prefix: int, kept: range, new: bytes) -> tuple[str, ...]:
        """What is wrong with ``new``, the transcript with a compaction behind it."""
        before, after = look(self.data, self.path), look(new, self.path)
        path = after.chain.model_path()
        found: list[str] = []
        place = self._place(kept)
        added = len(new) - len(self.data)
        if new[:place] + new[place + added :] != self.data or after.lines.parsed != before.lines.parsed + 2:
            found.append("does-not-parse")
        if len(path) < 2 or [entry.id for entry in path[:2]] != [*self.new_ids] or not path[1].is_summary:
            found.append("no-summary")
        if split_pairs(self.shapes, prefix, kept.start):
            found.append("pair-split")
        stays = [message.id for message in self.messages[kept.start :] if message.id]
        # Notes of the program stand on the chain of older versions and are never sent.
        if [entry.id for entry in path[2:] if entry.type in SEEN_BY_MODEL] != stays:
            found.append("kept-differs")
        if not _without_call(before.chain).issuperset(_without_call(after.chain)):
            found.append("pair-split")
        return tuple(found)


def claude_file(
    data: bytes, path: str, stamp: Stamp | None, new_ids: tuple[str, str]
) -> ClaudeFile | NotPlanned:
    """The transcript ``data`` at ``path``, or why it cannot be compacted."""
    transcript = look(data, path)
    chain = transcript.chain
    leaf = chain.leaf
    if leaf is None or leaf.id is None:
        return NotPlanned("no-messages", path)
    by_line = {message.line: message for message in read(data, path).messages}
    entries = _sent(chain)
    messages: list[Message] = []
    ties: list[bool] = []
    last: str | None = None
    for entry in entries:
        message = by_line.get(entry.line)
        if message is None or entry.compaction is not None:
            continue
        if entry.is_summary and not messages:
            message = Message("system", (Text(_as_ours(message.text)),), id=message.id)
        messages.append(message)
        ties.append(entry.message_id is not None and entry.message_id == last)
        last = entry.message_id
    if not messages:
        return NotPlanned("no-messages", path)
    shapes = tied_shapes(messages, ties)
    compacted_to = max((entry.offset for entry in chain.entries if entry.compaction), default=0)
    return ClaudeFile(
        path, data, stamp, new_ids, shapes, tuple(messages), leaf, transcript.session_id, compacted_to
    )


def _sent(chain: Chain) -> Sequence[Entry]:
    """What the model is sent: the summary, what the compaction kept, then the rest in file order."""
    sent = sent_of(chain)
    path = sent.path
    if not path or path[0].compaction is None:
        return sent.all
    first = next(
        (index for index, entry in enumerate(path) if not entry.compaction and not entry.is_summary), 0
    )
    kept = [entry for entry in path[first:] if entry.id in path[0].compaction.kept]
    rest = [entry for entry in (*path[first:], *sent.beside) if entry not in kept]
    return [*path[:first], *kept, *sorted(rest, key=lambda entry: entry.line)]


def _without_call(chain: Chain) -> set[str]:
    """The identifiers of results that the model is sent without their calls."""
    return {each.id for each in unpaired(sent_of(chain)) if each.kind == "result-without-use"}


def _as_ours(text: str) -> str:
    return PREAMBLE + trim(text.removeprefix(trim(PREAMBLE)))


def _envelope(data: bytes, leaf: Entry) -> dict[str, JsonValue]:
    value = loads(data[leaf.offset : leaf.offset + leaf.length])
    return {key: value[key] for key in _ENVELOPE if key in value} if isinstance(value, dict) else {}
