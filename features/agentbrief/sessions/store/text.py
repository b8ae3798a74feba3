"""How does ``sessions.json`` look after some of its entries changed, and how many bytes is an entry?

Only what changed is written anew; every other entry keeps its bytes (openclaw.md 2.3). The layout of new
entries is that of ``JSON.stringify(store, null, 2)``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from agentbrief import jsonio
from agentbrief.jsonio import JsonValue

_TOKEN = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\],:]', re.DOTALL)
_BLANKS = " \t\r\n"
_SURROGATE = re.compile("[\ud800-\udfff]")

EMPTY_STORE_BYTES = 2
"""The bytes of ``{}``."""


@dataclass(frozen=True, slots=True)
class Member:
    """A key and its value in the text of a JSON object, both in ``[start, end)``."""

    key: str
    start: int
    value_start: int
    end: int


def members(text: str) -> tuple[Member, ...]:
    """The members of the JSON object ``text``, in file order, duplicates too.

    Raises:
        ValueError: ``text`` is no JSON object. What its values hold is not looked at.
    """
    found: list[Member] = []
    depth = 0
    key: str | None = None
    start = value_start = 0
    for token in _TOKEN.finditer(text):
        sign = token[0]
        if sign in ("{", "["):
            if depth == 0 and sign == "[":
                break
            depth += 1
        elif sign in ("}", "]"):
            depth -= 1
            if depth == 0:
                if key is not None:
                    found.append(_member(text, key, start, value_start, token.start()))
                return tuple(found)
        elif depth == 0:
            break
        elif depth > 1:
            continue
        elif sign == ",":
            if key is None:
                break
            found.append(_member(text, key, start, value_start, token.start()))
            key = None
        elif sign == ":":
            value_start = token.end()
        elif key is None:
            decoded = jsonio.loads(sign)
            key, start = decoded if isinstance(decoded, str) else "", token.start()
    raise ValueError("no JSON object")


def _member(text: str, key: str, start: int, value_start: int, end: int) -> Member:
    piece = text[value_start:end]
    lead = len(piece) - len(piece.lstrip(_BLANKS))
    return Member(key, start, value_start + lead, value_start + len(piece.rstrip(_BLANKS)))


def edited(text: str, changes: Mapping[str, JsonValue | Removed]) -> str:
    """``text`` with the values of ``changes`` put in, and the members that are :data:`REMOVED` taken out.

    Keys are spelled as in the file. A changed member stays at its place, new ones come last in the order of
    ``changes``; of duplicate members of a changed key the last stays. All other members keep their text.

    Raises:
        ValueError: ``text`` is no JSON object.
    """
    old = members(text)
    last = {member.key: member for member in old}
    kept: list[str] = []
    for member in old:
        if member.key not in changes:
            kept.append(text[member.start : member.end])
        elif last[member.key] is member and not isinstance(value := changes[member.key], Removed):
            kept.append(text[member.start : member.value_start] + _indented(value))
    for key, value in changes.items():
        if key not in last and not isinstance(value, Removed):
            kept.append(f"{_pretty(key)}: {_indented(value)}")
    if not kept:
        return "{}"
    if not old:
        return "{\n  " + ",\n  ".join(kept) + "\n}"
    return text[: old[0].start] + _between(text, old).join(kept) + text[old[-1].end :]


class Removed:
    """The mark of a member that is taken out."""

    __slots__ = ()


REMOVED = Removed()
"""Stands for the value of a member that is taken out."""


def _between(text: str, old: Sequence[Member]) -> str:
    """What stands between two members of the file: its own separator, so that one style goes on."""
    if len(old) > 1:
        return text[old[0].end : old[1].start]
    before = text[: old[0].start]
    return "," + before[before.index("{") + 1 :]


def pretty_bytes(store: Mapping[str, JsonValue]) -> int:
    """The bytes of a whole store as OpenClaw writes it."""
    return EMPTY_STORE_BYTES + sum(entry_bytes(key, value) for key, value in store.items())


def entry_bytes(key: str, value: JsonValue) -> int:
    """The bytes that an entry adds to a store that holds more: itself, the comma and the line end.

    Source: openclaw.md 7.3, ``src/config/sessions/disk-budget.ts``.
    """
    whole = {key: value}
    added = _indent_bytes(value)
    if added is None:
        return len(_pretty(whole).encode("utf-8")) - 4 + 2
    return len(jsonio.dumps(whole)) + added + 3


def total_bytes(sizes: Iterable[int]) -> int:
    """The bytes of a store whose entries have the sizes :func:`entry_bytes` gives."""
    return EMPTY_STORE_BYTES + sum(sizes)


def _indent_bytes(value: JsonValue, depth: int = 1) -> int | None:
    """By how much a value at ``depth`` is longer indented than compact; None where a number is spelled in
    two ways.
    """
    if isinstance(value, float):
        return None
    if not isinstance(value, (dict, list)) or not value:
        return 0
    # a line end and blanks before each item and before the closing bracket, a blank behind each colon
    count = len(value)
    added = count * (2 * depth + 3) + 2 * depth + 1
    items: Iterable[JsonValue] = value
    if isinstance(value, dict):
        added += count
        items = value.values()
    for item in items:
        if isinstance(item, (str, int)):
            continue
        more = _indent_bytes(item, depth + 1)
        if more is None:
            return None
        added += more
    return added


def _indented(value: JsonValue) -> str:
    return _pretty(value).replace("\n", "\n  ")


def _pretty(value: JsonValue) -> str:
    written = jsonio.dumps_pretty(value)
    return jsonio.dumps_pretty(value, ascii_only=True) if _SURROGATE.search(written) else written
