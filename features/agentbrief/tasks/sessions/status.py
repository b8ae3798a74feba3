"""How full is the context of a session, now and as it grows?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from agentbrief.disk.stream import Growth, Position, Stream, growth, streamed
from agentbrief.disk.values import ReadProblem, Stamp
from agentbrief.sessions.claw.context import claw_context
from agentbrief.sessions.context_used import RUNNING_MS, ContextUsed, SessionStatus, State, status
from agentbrief.sessions.jsonl.lines import Record
from agentbrief.sessions.live_context import GrowingContext, grows
from agentbrief.tasks.sessions.read import SessionFile, chunks_of, whole
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.sessions.windows import InUse, in_use, window_and_point


@dataclass(frozen=True, slots=True)
class Look:
    """What one look at a followed session found. ``added`` are the records since the look before.

    ``from_start``: the file was read from its start. ``compactions`` counts those in the file.
    """

    status: SessionStatus
    stamp: Stamp
    added: tuple[Record, ...] = ()
    from_start: bool = False
    compactions: int = 0


class FollowedSession:
    """A session that is looked at again and again; each byte is read once, unless the file was rewritten.

    ``told_window`` (tokens) is what a store says of the session.
    """

    def __init__(self, file: SessionFile, told_window: int | None = None) -> None:
        self.file = file
        self._told_window = told_window
        self._in_use: InUse | None = None
        self._context: GrowingContext | None = None
        self._position: Position | None = None
        self._last: Look | None = None

    def look(self, setup: SessionsSetup) -> Look | None:
        """The session as it is now; None when its file is gone or may not be read.

        Raises:
            Refused: the disk reports an error.
        """
        if not grows(self.file.format):
            return self._read_whole(setup)
        if self._context is not None and self._position is not None:
            grown = growth(setup.fs, self.file.path, self.file.readable, self._position)
            if isinstance(grown, Growth):
                self._position = grown.position
                if not grown.data:
                    return self._unchanged(setup, grown.position.stamp)
                added = self._context.feed(grown.data)
                return self._looked(setup, self._context.used(), grown.position.stamp, added)
            if grown is None or isinstance(grown, ReadProblem):
                return None
        return self._from_start(setup)

    def _from_start(self, setup: SessionsSetup) -> Look | None:
        with streamed(setup.fs, self.file.path, self.file.readable) as stream:
            if not isinstance(stream, Stream):
                return None
            context, offset = GrowingContext(self.file.format, self.file.agent), 0
            for lines in complete_lines(stream.chunks()):
                context.feed(lines)
                offset += len(lines)
            self._context, self._position = context, stream.position(offset)
            return self._looked(setup, context.used(), stream.stamp, (), from_start=True)

    def _read_whole(self, setup: SessionsSetup) -> Look | None:
        with streamed(setup.fs, self.file.path, self.file.readable) as stream:
            if not isinstance(stream, Stream):
                return None
            stamp = stream.stamp
        if self._last is not None and self._last.stamp == stamp:
            return self._unchanged(setup, stamp)
        file = replace(self.file, stamp=stamp)
        if not file.is_whole:
            return None
        return self._looked(setup, claw_context(whole(setup.fs, file).messages), stamp, (), from_start=True)

    def _unchanged(self, setup: SessionsSetup, stamp: Stamp) -> Look | None:
        if self._last is None:
            return None
        mtime_ms = stamp.mtime_ns // 1_000_000
        state: State = "running" if 0 <= setup.now_ms - mtime_ms < RUNNING_MS else "idle"
        self._last = replace(
            self._last, status=replace(self._last.status, state=state), added=(), from_start=False
        )
        return self._last

    def _looked(
        self,
        setup: SessionsSetup,
        used: ContextUsed,
        stamp: Stamp,
        added: tuple[Record, ...],
        *,
        from_start: bool = False,
    ) -> Look:
        if self._in_use is None or from_start:
            self._in_use = in_use(setup, self.file.agent)
        found = status_of(setup, self.file, used, stamp, self._told_window, self._in_use)
        compactions = self._context.compactions if self._context is not None else 0
        self._last = Look(found, stamp, added, from_start, compactions)
        return self._last


def status_of(
    setup: SessionsSetup,
    file: SessionFile,
    used: ContextUsed,
    stamp: Stamp,
    told_window: int | None = None,
    by: InUse | None = None,
) -> SessionStatus:
    """The status of the session in ``file``, of whose context so much is used."""
    agent = file.agent
    window, point = window_and_point(setup, agent, used, told_window, by or in_use(setup, agent))
    return status(
        file.path,
        file.session_id,
        used,
        window,
        point,
        baseline=agent.windows.baseline if agent.windows else 0,
        mtime_ms=stamp.mtime_ns // 1_000_000,
        now_ms=setup.now_ms,
    )


def used_now(setup: SessionsSetup, file: SessionFile) -> ContextUsed:
    """How full the context of the session in ``file`` is, read from its start.

    Raises:
        Refused: the disk reports an error.
        ValueError: it is too long for its format.
    """
    if not grows(file.format):
        return claw_context(whole(setup.fs, file).messages)
    context = GrowingContext(file.format, file.agent)
    for lines in complete_lines(chunks_of(setup.fs, file), with_last=True):
        context.feed(lines)
    return context.used()


def complete_lines(chunks: Iterable[bytes], *, with_last: bool = False) -> Iterator[bytes]:
    """The bytes of ``chunks``, cut behind line ends. ``with_last``: a last line without its end too."""
    held: list[bytes] = []
    for chunk in chunks:
        end = chunk.rfind(b"\n") + 1
        if end:
            yield b"".join([*held, chunk[:end]])
            held = []
        if end < len(chunk):
            held.append(chunk[end:])
    if held and with_last:
        yield b"".join([*held, b"\n"])
