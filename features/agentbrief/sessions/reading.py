"""What does a session file hold, whatever agent wrote it?

A file is read whole, or told message by message where its length must not cost memory. Which agent wrote it
is told by :mod:`agentbrief.sessions.sniff`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from agentbrief.disk.values import Stamp
from agentbrief.sessions.jsonl.index import BLANK, TranscriptIndex
from agentbrief.sessions.jsonl.lines import BadLine, Line
from agentbrief.sessions.jsonl.records import read_lines
from agentbrief.sessions.model import Message, Session
from agentbrief.sessions.readers import OWN_FORMATS, index_shape, reader
from agentbrief.sessions.sniff import claude_code, codex

Chunks = Callable[[], Iterable[bytes]]
"""The bytes of a file from its start, in pieces; may be asked more than once."""


class Told:
    """A session to be told message by message. ``lines`` counts all but blank ones.

    ``damaged_lines`` are those that hold no record: as far as a look through the file shows them, and all of
    them once the messages were told to the end.
    """

    def __init__(
        self, form: str, messages: Callable[[Iterable[Line]], Iterator[Message]], chunks: Chunks
    ) -> None:
        self.format = form
        self.lines = 0
        self.damaged_lines = 0
        self._messages = messages
        self._chunks = chunks

    def messages(self) -> Iterator[Message]:
        """The messages from the first on, each time anew."""
        bad = count = 0

        def counted() -> Iterator[Line]:
            nonlocal bad, count
            for line in read_lines(self._chunks()):
                count += 1
                bad += isinstance(line, BadLine)
                yield line

        yield from self._messages(counted())
        self.lines, self.damaged_lines = count, bad


class _Whole(Told):
    """A session that is held as a whole."""

    def __init__(self, session: Session) -> None:
        super().__init__(session.ref.format, lambda lines: iter(()), lambda: ())
        self.lines = session.lines
        self.damaged_lines = session.lines - session.parsed
        self._all = session.messages

    def messages(self) -> Iterator[Message]:
        return iter(self._all)


def told(
    form: str, chunks: Chunks, path: str, stamp: Stamp | None = None, *, with_numbers: bool = True
) -> Told:
    """The messages of the file at ``path``, in file order and whatever the branch.

    The file is looked through once at once, and read once more whenever the messages are asked for. Without
    ``with_numbers`` messages may lack what calls cost, and lines be counted only once all is told.
    """
    if form in OWN_FORMATS:
        return _Whole(reader(form)(b"".join(chunks()), path, stamp))
    if form == codex.FORMAT:
        return _codex(chunks, path)
    if form == claude_code.FORMAT and not with_numbers:
        return _claude_code(chunks)
    index = _index(form, chunks())
    found = _claude_code(chunks, index) if form == claude_code.FORMAT else _pi(form, chunks, index)
    if len(index):
        found.lines = len(index) - index.sizes().get(BLANK, (0, 0))[0]
    found.damaged_lines = len(index.bad_lines())
    return found


def _codex(chunks: Chunks, path: str) -> Told:
    from agentbrief.sessions.formats import codex_stream

    plan = codex_stream.plan_of(chunks(), path)
    found = Told(codex.FORMAT, lambda lines: codex_stream.messages_in(lines, plan), chunks)
    found.lines = plan.lines.lines
    found.damaged_lines = len(plan.lines.damage) + (plan.lines.torn_tail is not None)
    return found


def _claude_code(chunks: Chunks, index: TranscriptIndex[object] | None = None) -> Told:
    from agentbrief.sessions.formats import claude_stream

    usage_at = claude_stream.usage_by_line(index) if index is not None else {}
    return Told(claude_code.FORMAT, lambda lines: claude_stream.messages_in(lines, usage_at), chunks)


def _pi(form: str, chunks: Chunks, index: TranscriptIndex[object]) -> Told:
    from agentbrief.sessions.pi import stream as pi_stream

    overwritten = pi_stream.overwritten_lines(index)
    return Told(form, lambda lines: pi_stream.messages_in(lines, overwritten), chunks)


def last_messages(form: str, tail: bytes, path: str) -> tuple[Message, ...]:
    """The messages in the last bytes of a file, which begin anywhere in a line.

    A file that is one JSON text cannot be read from its middle: of it there are none.
    """
    _, _, whole = tail.partition(b"\n")
    if form in OWN_FORMATS or not whole:
        return ()
    return tuple(told(form, lambda: (whole,), path).messages())


def _index(form: str, chunks: Iterable[bytes]) -> TranscriptIndex[object]:
    index: TranscriptIndex[object] = TranscriptIndex(index_shape(form))
    last = b"\n"
    for chunk in chunks:
        if chunk:
            index.feed(chunk)
            last = chunk[-1:]
    if last != b"\n":
        # A last line without its end is a line all the same.
        index.feed(b"\n")
    return index
