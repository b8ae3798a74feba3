"""Which lines of a damaged transcript stay, which go, and what may be put in their places?

A plan only: by default of a copy beside the file and a list of the bad lines; in place where that was asked
for, behind a backup. Kept lines keep their bytes; repairing a repaired file changes nothing. Source:
openclaw.md 4.7, 4.8, reliability.md 7; openclaw/openclaw src/agents/session-file-repair.ts at 2026.3.2.
"""

from __future__ import annotations

import os.path
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from agentbrief import jsonio
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.jsonl.half_pairs import with_replacement_characters
from agentbrief.sessions.jsonl.lines import BadLine, Line, Record, RecordFile
from agentbrief.sessions.jsonl.records import shown_text
from agentbrief.sessions.model import Slice

NO_HEADER = "no-header"
"""The code of the change that puts a header in front of a transcript that has lost its own."""


@dataclass(frozen=True, slots=True)
class LineChange:
    """A line that does not stay as it is. ``code`` is the reader's word for its fault.

    ``text`` is the line as it can be shown; ``put_in`` are the lines that take its place.
    """

    line: int
    offset: int
    code: str
    text: str = field(repr=False)
    put_in: tuple[bytes, ...] = field(default=(), repr=False)

    @property
    def record(self) -> dict[str, JsonValue]:
        """The line as the list of bad lines has it."""
        return {"line": self.line, "offset": self.offset, "text": self.text}


@dataclass(frozen=True, slots=True)
class RepairPlan:
    """How a transcript looks repaired. ``reason`` says why it is left alone in spite of ``changes``.

    ``content`` is the repaired file; the file itself where nothing changes.
    """

    content: bytes = field(repr=False)
    changes: tuple[LineChange, ...] = ()
    reason: str | None = None

    @property
    def repaired(self) -> bool:
        """Whether anything is to be written."""
        return bool(self.changes) and self.reason is None

    @property
    def dropped_lines(self) -> int:
        """How many lines are no records."""
        return sum(change.code not in ("lone-surrogate", NO_HEADER) for change in self.changes)

    @property
    def bad_lines(self) -> bytes:
        """The changed lines as they were, one record a line; a header that was not there is none of them."""
        there = (change for change in self.changes if change.code != NO_HEADER)
        return b"".join(jsonio.dumps(change.record) + b"\n" for change in there)


@dataclass(frozen=True, slots=True)
class RepairPaths:
    """Where a repair writes: the copy, the list of bad lines, and the backup of a repair in place."""

    copy: str
    bad_lines: str
    backup: str


IsHeader = Callable[[Mapping[str, JsonValue]], bool]


def plan_repair(
    data: bytes,
    file: RecordFile,
    *,
    is_header: IsHeader | None = None,
    with_recovered: bool = False,
    without_half_pairs: bool = False,
) -> RepairPlan:
    """How ``data``, which was read as ``file``, looks without its bad lines.

    ``is_header``: the first record must be one, else the file is left alone. ``with_recovered``: whole
    records on a bad line take its place, each once and none whose bytes are a line of the file already.
    ``without_half_pairs``: half a surrogate pair is written as U+FFFD.
    """
    known = frozenset(_bytes(data, line) for line in file.records) if with_recovered else None
    kept: list[bytes] = []
    changes: list[LineChange] = []
    position = 0
    for line in file.lines:
        change = _change(data, line, known, without_half_pairs)
        if change is None:
            continue
        start = data.rfind(b"\n", 0, line.offset) + 1
        end = data.find(b"\n", line.offset)
        end = len(data) if end < 0 else end + 1
        kept += [data[position:start], *(put_in + b"\n" for put_in in change.put_in)]
        position = end
        changes.append(change)
    rest = data[position:]
    content = b"".join([*kept, rest])
    if changes and rest and not rest.endswith(b"\n"):
        content += b"\n"
    reason = _reason(file, is_header)
    return RepairPlan(data if reason or not changes else content, tuple(changes), reason)


def repair_paths(path: str, process_id: int, now_ms: int) -> RepairPaths:
    """Where a repair of ``path`` writes."""
    stem, extension = os.path.splitext(path)
    return RepairPaths(
        f"{stem}.repaired{extension}", f"{stem}.bad.jsonl", f"{path}.bak-{process_id}-{now_ms}"
    )


def repair_record(plan: RepairPlan | None, backup: str | None = None) -> dict[str, JsonValue]:
    """What a repair did, as OpenClaw words it; ``plan`` None: there is no such file."""
    if plan is None:
        return {"repaired": False, "droppedLines": 0, "reason": "missing session file"}
    found: dict[str, JsonValue] = {"repaired": plan.repaired, "droppedLines": plan.dropped_lines}
    if plan.repaired and backup is not None:
        found["backupPath"] = backup
    if plan.reason is not None:
        found["reason"] = plan.reason
    return found


def with_header(data: bytes, header: bytes) -> bytes:
    """``data`` with the line ``header`` in front: a copy that opens although its own header is lost."""
    return header + data.removeprefix(b"\xef\xbb\xbf")


def plan_with_header(plan: RepairPlan, header: bytes) -> RepairPlan:
    """``plan`` with the line ``header`` in front of what it leaves."""
    change = LineChange(1, 0, NO_HEADER, "", (header.rstrip(b"\n"),))
    return RepairPlan(with_header(plan.content, header), (change, *plan.changes), plan.reason)


def _reason(file: RecordFile, is_header: IsHeader | None) -> str | None:
    if is_header is None:
        return None
    if not file.records:
        return "empty session file"
    return None if is_header(file.records[0].value) else "invalid session header"


def _change(
    data: bytes, line: Line, known: frozenset[bytes] | None, without_half_pairs: bool
) -> LineChange | None:
    if isinstance(line, BadLine):
        text = shown_text(data[line.offset : line.offset + line.length])
        put_in: tuple[bytes, ...] = ()
        if known is not None:
            whole = dict.fromkeys(_bytes(data, record) for record in line.recovered)
            put_in = tuple(piece for piece in whole if piece not in known)
        return LineChange(line.line, line.offset, line.code, text, put_in)
    if without_half_pairs and isinstance(line, Record) and "lone-surrogate" in line.notes:
        raw = _bytes(data, line)
        mended = with_replacement_characters(raw)
        return LineChange(line.line, line.offset, "lone-surrogate", shown_text(raw), (mended,))
    return None


def _bytes(data: bytes, place: Record | Slice) -> bytes:
    return data[place.offset : place.offset + place.length]
