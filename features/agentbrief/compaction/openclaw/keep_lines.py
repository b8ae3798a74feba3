"""What is left of a transcript that keeps its last lines only?

The compaction by lines of OpenClaw's gateway, without its loss: the header stays, a tool result keeps its
call, and the first entry that is kept becomes a root (openclaw.md 8.10).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.jsonl.lines import Line, Record
from agentbrief.sessions.jsonl.record_text import with_value
from agentbrief.sessions.jsonl.records import read_records
from agentbrief.sessions.pi.messages import result_call_id
from agentbrief.sessions.pi.tree import is_header

_CALLS = frozenset(("toolCall", "toolUse", "functionCall"))


@dataclass(frozen=True, slots=True)
class LinesKept:
    """The new content of the file, None = it stays as it is; and how many lines are kept.

    The header counts only where nothing is left out, as upstream counts.
    """

    content: bytes | None = field(repr=False)
    kept: int


def keep_last_lines(data: bytes, max_lines: int) -> LinesKept:
    """The header and the last ``max_lines`` entries of a transcript.

    Raises:
        ValueError: ``max_lines`` is below 1.
    """
    if max_lines < 1:
        raise ValueError("max_lines")
    lines = read_records(data).lines
    has_header = bool(lines) and isinstance(lines[0], Record) and is_header(lines[0].value)
    entries = lines[1:] if has_header else lines
    first = _with_its_call(entries, len(entries) - max_lines)
    if len(lines) <= max_lines or first <= 0:
        return LinesKept(None, len(lines))
    kept = [_bytes(data, lines[0])] if has_header else []
    kept.append(_as_root(data, entries[first]))
    kept += [_bytes(data, line) for line in entries[first + 1 :]]
    return LinesKept(b"".join(line + b"\n" for line in kept), len(entries) - first)


def _with_its_call(entries: Sequence[Line], first: int) -> int:
    """``first``, or the place of the call that the tool result there answers."""
    if first <= 0:
        return first
    message = _message(entries[first])
    if message.get("role") != "toolResult" or (wanted := result_call_id(message)) is None:
        return first
    for index in range(first - 1, -1, -1):
        content = _message(entries[index]).get("content")
        for block in content if isinstance(content, list) else []:
            if isinstance(block, dict) and block.get("type") in _CALLS and block.get("id") == wanted:
                return index
    return first


def _message(line: Line) -> Mapping[str, JsonValue]:
    found = line.value.get("message") if isinstance(line, Record) else None
    return found if isinstance(found, dict) else {}


def _as_root(data: bytes, line: Line) -> bytes:
    written = _bytes(data, line)
    if not isinstance(line, Record) or line.value.get("parentId") is None:
        return written
    return with_value(written.decode("utf-8"), "parentId", None).encode("utf-8")


def _bytes(data: bytes, line: Line) -> bytes:
    return data[line.offset : line.offset + line.length]
