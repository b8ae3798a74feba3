"""Which records do the bytes of a JSONL file hold, and which lines hold none?

Lines end at byte ``0a`` only; blank ones count for line numbers and nothing else. The result does not
depend on how the bytes are cut into chunks, and nothing here raises because of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief import jsonio
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.jsonl.broken_line import Whole, parts, parts_between_nuls
from agentbrief.sessions.jsonl.half_pairs import has_half_pair
from agentbrief.sessions.jsonl.json_tokens import depth, loads_deep, string_in_head
from agentbrief.sessions.jsonl.lines import (
    NO_NOTES,
    BadLine,
    Line,
    LongLine,
    Note,
    Reason,
    Record,
    RecordFile,
)

MAX_LINE_BYTES = 16 * 1024 * 1024
"""The longest line that is held; of a longer one only its type is read."""

MAX_DEPTH = 1024
"""The deepest nesting of a record that is read."""

BYTE_ORDER_MARK = b"\xef\xbb\xbf"

_HEAD_BYTES = 4096
_SUSPECT_BRACKETS = 100
_OPENING, _CLOSING = b"{}"


def read_lines(
    chunks: Iterable[bytes], *, offset: int = 0, line: int = 1, max_bytes: int = MAX_LINE_BYTES
) -> Iterator[Line]:
    """The lines of a file that is given in chunks of any size, one after another.

    ``offset`` (bytes) and ``line`` say where in the file the first chunk stands, so that a file that grew is
    read on from its last LF.
    """
    held: list[bytes] = []
    held_bytes = 0
    for chunk in chunks:
        view, start = memoryview(chunk), 0
        while (end := chunk.find(b"\n", start)) >= 0:
            length = held_bytes + end - start
            found: Line | None = None
            if length > max_bytes:
                found = _long_line(held, chunk[start:end], line, offset, length)
            elif held or (found := _plain_record(view, start, end, line, offset)) is None:
                found = _line(b"".join([*held, chunk[start:end]]), line, offset, True)
            if found is not None:
                yield found
            held, held_bytes = [], 0
            start, offset = end + 1, offset + length + 1
            line += 1
        if rest := chunk[start:]:
            if held_bytes <= max_bytes < held_bytes + len(rest):
                held = [b"".join([*held, rest])[:_HEAD_BYTES]]
            elif held_bytes <= max_bytes:
                held.append(rest)
            held_bytes += len(rest)
    if held_bytes > max_bytes:
        yield _long_line(held, b"", line, offset, held_bytes)
    elif held and (found := _line(b"".join(held), line, offset, False)):
        yield found


def read_records(data: bytes | Iterable[bytes], *, max_bytes: int = MAX_LINE_BYTES) -> RecordFile:
    """All lines of a file that is given whole or in chunks."""
    size_bytes = 0
    last_byte = b"\n"

    def measured() -> Iterator[bytes]:
        nonlocal size_bytes, last_byte
        for chunk in (data,) if isinstance(data, bytes) else data:
            if chunk:
                size_bytes += len(chunk)
                last_byte = chunk[-1:]
                yield chunk

    lines = tuple(read_lines(measured(), max_bytes=max_bytes))
    return RecordFile(lines, size_bytes, last_byte == b"\n")


def loads_record(data: bytes) -> JsonValue:
    """The value of one line, by the library or, where its depth is too much for it, without one.

    Raises:
        ValueError: no JSON, no UTF-8, or more than :data:`MAX_DEPTH` levels.
    """
    try:
        value = jsonio.loads(data)
    except ValueError:
        if not _is_deep(data) or depth(data) > MAX_DEPTH:
            raise
        return loads_deep(data)
    if not jsonio.FAST and data.count(b"[") + data.count(b"{") > MAX_DEPTH and depth(data) > MAX_DEPTH:
        raise ValueError("nested too deeply")
    return value


def shown_text(data: bytes) -> str:
    """The words of a line that may be no UTF-8, for showing only: bytes that are none become U+FFFD."""
    return data.decode("utf-8", errors="replace")


def _plain_record(view: memoryview, start: int, end: int, line: int, offset: int) -> Record | None:
    """The record that a line is, if it is nothing but an object that is read at once; most lines are."""
    if start == end or view[start] != _OPENING or view[end - 1] != _CLOSING:
        return None
    try:
        value = jsonio.strict(view[start:end])
    except ValueError:
        return None
    return Record(line, offset, end - start, value) if isinstance(value, dict) else None


def _line(raw: bytes, line: int, offset: int, has_end: bool) -> Line | None:
    start = 3 if offset == 0 and raw.startswith(BYTE_ORDER_MARK) else 0
    body = raw[start:].strip() if start else raw.strip()
    if not body:
        return None
    notes = NO_NOTES
    if start or not has_end or raw.endswith(b"\r"):
        notes = _line_notes(start > 0, has_end, raw)
    try:
        value = loads_record(body)
    except ValueError:
        return _bad_line(raw, start, line, offset, has_end, notes)
    if isinstance(value, dict):
        if has_half_pair(body):
            notes = (*notes, "lone-surrogate")
        if len(body) != len(raw):
            offset += raw.index(body, start)
        return Record(line, offset, len(body), value, notes)
    reason: Reason = "not-object" if has_end else "torn"
    return BadLine(line, offset, len(raw), reason, (), not has_end, _notes_of_bad(notes))


def _bad_line(
    raw: bytes, start: int, line: int, offset: int, has_end: bool, notes: tuple[Note, ...]
) -> BadLine:
    body = raw[start:]
    reason, whole = _reason(body)
    if not has_end and reason in ("not-json", "not-utf8"):
        reason = "torn"
    recovered = tuple(
        Record(line, offset + start + part.start, part.end - part.start, part.value) for part in whole
    )
    return BadLine(line, offset, len(raw), reason, recovered, not has_end, _notes_of_bad(notes))


def _reason(body: bytes) -> tuple[Reason, tuple[Whole, ...]]:
    if b"\0" in body:
        return "nul-run", parts_between_nuls(body, loads_record).records
    if _is_deep(body) and depth(body) > MAX_DEPTH:
        return "too-deep", ()
    found = parts(body, loads_record)
    if not found.has_pieces and len(found.whole) > 1:
        return "two-records", found.whole
    if found.records:
        return "spliced", found.records
    try:
        body.decode("utf-8")
    except UnicodeDecodeError:
        return "not-utf8", ()
    return "not-json", ()


def _line_notes(has_mark: bool, has_end: bool, raw: bytes) -> tuple[Note, ...]:
    notes: list[Note] = []
    if has_mark:
        notes.append("bom")
    if has_end and raw.endswith(b"\r"):
        notes.append("crlf")
    if not has_end:
        notes.append("no-final-newline")
    return tuple(notes)


def _notes_of_bad(notes: tuple[Note, ...]) -> tuple[Note, ...]:
    """``notes`` without the missing newline: a torn tail says so itself."""
    return tuple(note for note in notes if note != "no-final-newline")


def _long_line(held: list[bytes], piece: bytes, line: int, offset: int, length: int) -> LongLine:
    head = b"".join([*held, piece[:_HEAD_BYTES]])[:_HEAD_BYTES]
    has_mark = offset == 0 and head.startswith(BYTE_ORDER_MARK)
    kind = string_in_head(head.removeprefix(BYTE_ORDER_MARK) if has_mark else head, "type")
    return LongLine(line, offset, length, kind, ("bom",) if has_mark else NO_NOTES)


def _is_deep(data: bytes) -> bool:
    return data.count(b"[") + data.count(b"{") > _SUSPECT_BRACKETS
