"""Which files were loaded, says the log of Claude Code's hook ``InstructionsLoaded``?

The log is whatever a user's own hook appended: the objects that the hook was given, one after another, with
or without line ends between them, on one line each or on many, perhaps with a time before them. An object
begins where a line begins with a brace; what is torn or damaged ends there at the latest.

Source: agents.md 5.12.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from agentbrief import jsonio
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.jsonl.broken_line import parts, parts_between_nuls
from agentbrief.sessions.jsonl.json_tokens import walk

END_BYTES = 1 << 20
"""How much of the end of a log is read: some thousand loads, where a session has some dozens."""

EVENT = "InstructionsLoaded"

Reason = Literal[
    "nul-run", "torn", "not-utf8", "utf-16", "not-json", "not-object", "no-file", "relative-path"
]

_TIME = rb"\[?\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?)?(?: ?(?:Z|UTC|[+-]\d\d:?\d\d))?\]?:?"
_BEGIN = re.compile(rb"^(?:" + _TIME + rb"[ \t]*(?:\r?\n)?)?\{", re.MULTILINE)
_BETWEEN = re.compile(rb"(?:[\s,]|" + _TIME + rb")*+")
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_FULL_PATH = re.compile(r"/|\\\\|[A-Za-z]:[/\\]")


@dataclass(frozen=True, slots=True)
class Loaded:
    """One file that Claude Code put into its context, in the words of its hook.

    ``load_reason`` is one of ``session_start``, ``nested_traversal``, ``path_glob_match``, ``include`` and
    ``compact``, or a newer word. What the hook did not say is empty, or None.
    """

    file_path: str
    memory_type: str = ""
    load_reason: str = ""
    globs: tuple[str, ...] = ()
    trigger_file_path: str | None = None
    parent_file_path: str | None = None
    session_id: str | None = None
    cwd: str | None = None


@dataclass(frozen=True, slots=True)
class LogDamage:
    """A place of the log that says nothing: its ``line``, from 1 in the part that was read, and why."""

    line: int
    reason: Reason


@dataclass(frozen=True, slots=True)
class LoadLog:
    """What a log says, in its order, and where it says nothing."""

    records: tuple[Loaded, ...] = ()
    damages: tuple[LogDamage, ...] = ()


class _Found(NamedTuple):
    """What stands at an offset: a load, why there is none, or None for an event that is none of ours.

    ``is_first``: nothing of the log stands before it.
    """

    offset: int
    what: Loaded | Reason | None
    is_first: bool = False


def read_log(data: bytes, *, is_end: bool = False) -> LoadLog:
    """What the log ``data`` says. ``is_end``: it is the end of a longer one, and may begin in an object."""
    if not is_end and data.startswith(_UTF_16):
        return LoadLog((), (LogDamage(1, "utf-16"),))
    records: list[Loaded] = []
    damages: list[LogDamage] = []
    line, counted = 1, 0
    for start, end in _blocks(data):
        for found in _in_block(data, start, end):
            if isinstance(found.what, Loaded):
                records.append(found.what)
            elif found.what is not None and not (is_end and found.is_first):
                line, counted = line + data.count(b"\n", counted, found.offset), found.offset
                damages.append(LogDamage(line, found.what))
    return LoadLog(tuple(records), tuple(damages))


def _blocks(data: bytes) -> Iterator[tuple[int, int]]:
    """The pieces of the log that begin where an object may begin, and what stands before the first."""
    start = len(_BYTE_ORDER_MARK) if data.startswith(_BYTE_ORDER_MARK) else 0
    for begin in _BEGIN.finditer(data, start):
        if begin.start() > start:
            yield start, begin.start()
        start = begin.start()
    if start < len(data):
        yield start, len(data)


def _in_block(data: bytes, start: int, end: int) -> Iterator[_Found]:
    block = data[start:end]
    begin = _BEGIN.match(block)
    if begin is not None:
        try:
            value = jsonio.loads(block[begin.end() - 1 :])
        except ValueError:
            pass
        else:
            yield _Found(start, _meaning(value))
            return
    found = (parts_between_nuls if b"\0" in block else parts)(block, jsonio.loads)
    position = 0
    for part in found.whole:
        yield from _gap(block, position, part.start, start)
        yield _Found(start + part.start, _meaning(part.value))
        position = part.end
    yield from _gap(block, position, len(block), start)


def _gap(block: bytes, start: int, end: int, offset: int) -> Iterator[_Found]:
    """What stands between objects: nothing, a time, or a damage."""
    between = _BETWEEN.match(block, start, end)
    begin = between.end() if between is not None else start
    if begin < end:
        yield _Found(offset + begin, _why(block[begin:end]), offset + start == 0)


def _why(piece: bytes) -> Reason:
    if b"\0" in piece:
        return "nul-run"
    try:
        piece.decode("utf-8")
    except UnicodeDecodeError:
        return "not-utf8"
    try:
        jsonio.loads(piece)
    except ValueError:
        pass
    else:
        return "not-object"
    if piece.startswith(b"{"):
        followed = walk(piece, 0)
        if followed.end is None and followed.stop >= len(piece.rstrip()):
            return "torn"
    return "not-json"


def _meaning(value: JsonValue) -> Loaded | Reason | None:
    if not isinstance(value, dict):
        return "not-object"
    event = value.get("hook_event_name")
    if event is not None and event != EVENT:
        return None
    path = value.get("file_path")
    if not isinstance(path, str) or not path:
        return "no-file"
    loaded = Loaded(
        _said(path),
        _text(value.get("memory_type")) or "",
        _text(value.get("load_reason")) or "",
        _texts(value.get("globs")),
        _text(value.get("trigger_file_path")),
        _text(value.get("parent_file_path")),
        _text(value.get("session_id")),
        _text(value.get("cwd")),
    )
    return loaded if loaded.cwd or _FULL_PATH.match(loaded.file_path) else "relative-path"


def _texts(value: JsonValue) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(text for item in value if (text := _text(item)) is not None)
    text = _text(value)
    return () if text is None else (text,)


def _text(value: JsonValue) -> str | None:
    """``value`` as it is shown: a text as it is, anything else as the JSON that it is; None for nothing."""
    if value is None or value == "":
        return None
    return _said(value if isinstance(value, str) else jsonio.dumps(value).decode("utf-8"))


def _said(text: str) -> str:
    return _HALF_PAIR.sub("\ufffd", text)
