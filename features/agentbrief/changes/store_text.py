"""Where do the entries of a JSON object stand in its bytes, and how does one change while all others stay?"""

from __future__ import annotations

import re
from typing import NamedTuple

from agentbrief.changes.steps import EntryEdit
from agentbrief.jsonio import dumps, loads

_BLANK = re.compile(rb"[ \t\r\n]*")
_STRING = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)
_SCALAR = re.compile(rb"[^\s,\]}]+")
_NESTED = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"|[\[\]{}]', re.DOTALL)
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Entry(NamedTuple):
    """One entry: ``start`` is that of its key, ``value`` to ``end`` its value, in bytes."""

    key: str
    start: int
    value: int
    end: int


class Edited(NamedTuple):
    """The new bytes of a store, and the edits that were left out as their entries had changed."""

    data: bytes
    left_out: tuple[EntryEdit, ...]


def entries_of(data: bytes) -> tuple[Entry, ...]:
    """The entries of the object that ``data`` holds, in order, duplicates too.

    Raises:
        ValueError: ``data`` is no JSON object.
    """
    if not isinstance(loads(data.removeprefix(_BYTE_ORDER_MARK)), dict):
        raise ValueError("no object")
    found: list[Entry] = []
    position = _after_blank(data, data.index(b"{") + 1)
    while data[position : position + 1] != b"}":
        key = _STRING.match(data, position)
        assert key is not None
        value = _after_blank(data, _after_blank(data, key.end()) + 1)
        end = _end_of_value(data, value)
        found.append(Entry(str(loads(key[0])), position, value, end))
        position = _after_blank(data, end)
        if data[position : position + 1] == b",":
            position = _after_blank(data, position + 1)
    return tuple(found)


def value_of(data: bytes, key: str) -> bytes | None:
    """The bytes of the value of ``key``, the last one if it stands there twice; None if there is none.

    Raises:
        ValueError: ``data`` is no JSON object.
    """
    for entry in reversed(entries_of(data)):
        if entry.key == key:
            return data[entry.value : entry.end]
    return None


def edited(data: bytes, edits: tuple[EntryEdit, ...]) -> Edited:
    """``data`` with those ``edits`` made whose entries still have the planned value; at most one a key.

    Raises:
        ValueError: ``data`` is no JSON object.
    """
    entries = entries_of(data)
    last = {entry.key: index for index, entry in enumerate(entries)}
    left_out: list[EntryEdit] = []
    removed: set[str] = set()
    values: dict[int, bytes] = {}
    added: list[EntryEdit] = []
    for edit in edits:
        index = last.get(edit.key)
        present = None if index is None else data[entries[index].value : entries[index].end]
        if present != edit.before:
            left_out.append(edit)
        elif edit.after is None:
            removed.add(edit.key)
        elif index is None:
            added.append(edit)
        else:
            values[index] = edit.after
    if not (removed or values or added):
        return Edited(data, tuple(left_out))
    return Edited(_laid_out(data, entries, removed, values, added), tuple(left_out))


def _laid_out(
    data: bytes,
    entries: tuple[Entry, ...],
    removed: set[str],
    values: dict[int, bytes],
    added: list[EntryEdit],
) -> bytes:
    """The object anew: what stands between two entries that stay is what stood before the second one."""
    start = data.index(b"{") + 1
    head_end = entries[0].start if entries else _after_blank(data, start)
    tail = data[entries[-1].end :] if entries else data[head_end:]
    blank = data[start:head_end] if entries else b"\n  "
    between = b"," + blank if len(entries) < 2 else data[entries[-2].end : entries[-1].start]
    colon = data[_key_end(data, entries[-1]) : entries[-1].value] if entries else b": "
    pieces: list[bytes] = []
    for index, entry in enumerate(entries):
        if entry.key in removed:
            continue
        if pieces:
            pieces.append(data[entries[index - 1].end : entry.start])
        value = values.get(index)
        pieces.append(
            data[entry.start : entry.end] if value is None else data[entry.start : entry.value] + value
        )
    for edit in added:
        assert edit.after is not None
        if pieces:
            pieces.append(between)
        pieces.append(dumps(edit.key) + colon + edit.after)
    if not pieces:
        return data[:start] + tail.lstrip(b" \t\r\n")
    return data[:start] + blank + b"".join(pieces) + (tail if entries else b"\n" + tail)


def _key_end(data: bytes, entry: Entry) -> int:
    key = _STRING.match(data, entry.start)
    assert key is not None
    return key.end()


def _after_blank(data: bytes, position: int) -> int:
    found = _BLANK.match(data, position)
    return found.end() if found else position


def _end_of_value(data: bytes, start: int) -> int:
    first = data[start : start + 1]
    if first == b'"':
        found = _STRING.match(data, start)
        assert found is not None
        return found.end()
    if first not in (b"{", b"["):
        scalar = _SCALAR.match(data, start)
        assert scalar is not None
        return scalar.end()
    depth = 0
    for token in _NESTED.finditer(data, start):
        if token[0] in (b"{", b"["):
            depth += 1
        elif token[0] in (b"}", b"]"):
            depth -= 1
            if not depth:
                return token.end()
    raise ValueError("an object without end")
