"""How is the history of a session told, and how is it put into a file of its own?"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agentbrief.disk.create import create_from
from agentbrief.disk.folder import stamp_of
from agentbrief.disk.read import Roots, read_bytes
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.disk.stream import Stream, streamed
from agentbrief.disk.values import ReadProblem, Stamp
from agentbrief.history.export import Preview, Telling, exported, file_name, preview
from agentbrief.history.guard import Guard
from agentbrief.history.log import HistoryEvent
from agentbrief.history.parts import Level, Say, parts
from agentbrief.jsonio import loads
from agentbrief.profiles.load import profile
from agentbrief.sessions.listing import listed_sessions
from agentbrief.sessions.locations import Location
from agentbrief.sessions.model import Message
from agentbrief.sessions.readers import TRANSCRIPTS
from agentbrief.sessions.reading import last_messages
from agentbrief.sessions.silent_reply import HEARTBEAT_OK, NO_REPLY
from agentbrief.sessions.sniff import port_sessions
from agentbrief.sessions.times import iso_time
from agentbrief.sessions.workspace_session import history_path
from agentbrief.tasks.sessions.read import WHOLE_BYTES, SessionFile, told_of
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.sessions.titles import title_of

SILENT_TOKENS = {"openclaw": (NO_REPLY, HEARTBEAT_OK)}
"""Profile → the words with which its agent says that nothing is to be delivered."""

MOST_SHOWN_MESSAGES = 400
MOST_SHOWN_CHARS = 300 * 1000
"""An editor shows so much of a session's end; the export has all of it."""

TAIL_SHOWN_BYTES = 16 * 1024 * 1024
"""Of a file that is too long to be gone through for a look, so much of its end is read."""

_WRITTEN_CHARS = 256 * 1024

Events = Sequence[tuple[int, HistoryEvent]]
"""Events with their times, in ms since 1970."""


@dataclass(frozen=True, slots=True)
class TellingOptions:
    """How a history is told: how much, in which words, with secrets masked or not, names shortened or not."""

    level: Level
    say: Say
    redacts: bool = True
    home: str = ""
    user: str = ""

    def telling(self, file: SessionFile) -> Telling:
        """The same for the session in ``file``."""
        guard = Guard(self.redacts, self.home, self.user)
        return Telling(self.level, self.say, guard, SILENT_TOKENS.get(file.agent.id, ()))


def history_of(
    setup: SessionsSetup, file: SessionFile, options: TellingOptions, events: Events = ()
) -> Iterator[str]:
    """The history as one Markdown document, in pieces. ``events`` are those that are on no disk yet.

    Raises:
        Refused: the file is gone, or the disk reports an error.
        ValueError: it is too long for its format.
    """
    found = told_of(setup.fs, file, with_numbers=options.level == "everything")
    telling = options.telling(file)
    pieces = exported(
        title_of(setup, file),
        found.messages(),
        telling,
        facts=_facts(setup, file, options.say),
    )
    # The heading and the facts are a piece each.
    yield next(pieces)
    yield next(pieces)
    yield from _told_events((*stored_events(setup.fs, file), *events), telling)
    yield from pieces
    if found.damaged_lines:
        yield "\n" + options.say("history.damaged", count=found.damaged_lines) + "\n"


def preview_of(setup: SessionsSetup, file: SessionFile, options: TellingOptions) -> Preview:
    """What an export would hold and mask.

    Raises:
        Refused: the file is gone, or the disk reports an error.
        ValueError: it is too long for its format.
    """
    found = told_of(setup.fs, file, with_numbers=False)
    return preview(found.messages(), options.telling(file))


def exported_to(
    setup: SessionsSetup,
    file: SessionFile,
    target: str,
    roots: Roots,
    options: TellingOptions,
    events: Events = (),
) -> Stamp:
    """The stamp of the new file ``target``, mode 0600, that holds the history.

    Raises:
        Refused: the name is taken, or the file could not be written or read.
        ValueError: the session is too long for its format.
    """
    durable = setup.settings.text("durability") != "process"
    pieces = _gathered(history_of(setup, file, options, events))
    return create_from(setup.fs, target, pieces, roots, durable=durable)


def _gathered(pieces: Iterable[str]) -> Iterator[bytes]:
    """``pieces`` in UTF-8, many small ones as one."""
    held: list[str] = []
    size = 0
    for piece in pieces:
        held.append(piece)
        size += len(piece)
        if size >= _WRITTEN_CHARS:
            yield "".join(held).encode("utf-8")
            held, size = [], 0
    yield "".join(held).encode("utf-8")


def export_name(file: SessionFile, redacts: bool) -> str:
    """The usual name of an export."""
    return file_name(file.session_id, Guard(redacts))


def as_unredacted(path: str) -> str:
    """``path``, made to say that its file shows secrets."""
    if path.endswith(".unredacted.md"):
        return path
    return f"{path.removesuffix('.md')}.unredacted.md"


def free_name(fs: FS, path: str) -> str:
    """``path``, or the next name like it that is free."""
    folder, name = os.path.split(path)
    stem, dot, rest = name.partition(".")
    number = 1
    while stamp_of(fs, path) is not None:
        number += 1
        path = os.path.join(folder, f"{stem}-{number}{dot}{rest}")
    return path


def stored_events(fs: FS, file: SessionFile) -> Events:
    """The events in the history file of a session of the workspace's own; none for any other."""
    if file.format != port_sessions.FORMAT:
        return ()
    folder = os.path.dirname(file.path)
    try:
        path = history_path(folder, file.session_id)
    except ValueError:
        return ()
    read = read_bytes(fs, path, file.readable, WHOLE_BYTES)
    if read is None or isinstance(read, ReadProblem):
        return ()
    return tuple(_events_in(read.data))


def _events_in(data: bytes) -> Iterator[tuple[int, HistoryEvent]]:
    for line in data.split(b"\n"):
        try:
            value = loads(line) if line.strip() else None
        except ValueError:
            continue
        if isinstance(value, dict):
            at_ms, title, detail = (value.get(key) for key in ("at_ms", "title", "detail"))
            if isinstance(at_ms, int) and isinstance(title, str) and isinstance(detail, str):
                yield at_ms, HistoryEvent(title, detail)


def _told_events(events: Iterable[tuple[int, HistoryEvent]], telling: Telling) -> Iterator[str]:
    line = telling.guard.line
    lines = [
        f"- {iso_time(at_ms) or '–'} · {line(event.title)}: {line(event.detail)}\n" for at_ms, event in events
    ]
    if lines:
        yield f"## {telling.say('session.events')}\n\n" + "".join(lines) + "\n"


def _facts(setup: SessionsSetup, file: SessionFile, say: Say) -> list[tuple[str, str]]:
    found = [
        (say("session.fact.agent"), profile(file.agent.id).title),
        (say("session.fact.id"), file.session_id),
    ]
    if file.format not in TRANSCRIPTS:
        return found
    listed = listed_sessions(
        setup.fs, (Location(file.path, "", file.session_id),), file.readable, file.format
    )
    sketch = listed[0].sketch if listed else None
    for key, value in (
        ("session.fact.folder", sketch and sketch.cwd),
        ("session.fact.branch", sketch and sketch.branch),
        ("session.fact.model", sketch and sketch.model),
        ("session.fact.begun", sketch and sketch.first_time),
    ):
        if value:
            found.append((say(key), value))
    return found


def recent_history(
    setup: SessionsSetup, file: SessionFile, options: TellingOptions, events: Events = ()
) -> str:
    """The end of the history as a document that an editor can show; what was left out is said.

    Raises:
        Refused: the file is gone, or the disk reports an error.
        ValueError: it is too long for its format.
    """
    telling = options.telling(file)
    kept: deque[tuple[Message, int]] = deque()
    chars = count = 0
    is_tail = file.stamp.size > WHOLE_BYTES and file.format in TRANSCRIPTS
    messages = iter(_tail_messages(setup.fs, file)) if is_tail else told_of(setup.fs, file).messages()
    for message in messages:
        size = sum(len(part.body) for part in parts(message, options.level))
        if not size:
            continue
        count += 1
        kept.append((message, size))
        chars += size
        while len(kept) > 1 and (chars > MOST_SHOWN_CHARS or len(kept) > MOST_SHOWN_MESSAGES):
            chars -= kept.popleft()[1]
    pieces = exported(
        title_of(setup, file),
        (message for message, _ in kept),
        telling,
        facts=_facts(setup, file, options.say),
    )
    left_out = count - len(kept)
    said = [next(pieces), next(pieces)]
    said += _told_events((*stored_events(setup.fs, file), *events), telling)
    if is_tail:
        said.append(options.say("session.tail-only") + "\n\n")
    elif left_out:
        said.append(options.say("session.earlier", count=left_out) + "\n\n")
    return "".join((*said, *pieces))


def _tail_messages(fs: FS, file: SessionFile) -> tuple[Message, ...]:
    with streamed(fs, file.path, file.readable) as stream:
        if not isinstance(stream, Stream):
            raise Refused("vanished", file.path)
        tail = b"".join(stream.chunks(max(file.stamp.size - TAIL_SHOWN_BYTES, 0), file.stamp.size))
    return last_messages(file.format, tail, file.path)
