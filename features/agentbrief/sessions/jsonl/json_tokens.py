"""How far does a piece of JSON follow the grammar, and what does one say that is nested very deep?

The scanners here are iterative and linear: they serve lines that a JSON library has refused. They look at
structure only; whether a string or a number is well formed in itself is left to the library.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agentbrief import jsonio
from agentbrief.jsonio import JsonValue

_TOKEN = re.compile(
    rb'[ \t\r\n]*(?:("[^"\\]*(?:\\.[^"\\]*)*")|([{}\[\],:])'
    rb"|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null|NaN|-?Infinity))",
    re.DOTALL,
)
_SPACE = re.compile(rb"[ \t\r\n]*")
_BRACKETS = re.compile(rb'"[^"\\]*(?:\\.[^"\\]*)*"?|[\[{]|[\]}]', re.DOTALL)

_VALUE, _FIRST_VALUE, _KEY, _FIRST_KEY, _COLON, _NEXT, _DONE = range(7)


@dataclass(frozen=True, slots=True)
class Walk:
    """How far a value that begins at ``start`` can be followed, in bytes.

    ``end`` is the end of the complete value, None if it is cut or broken; ``stop`` the place of the first
    byte that does not fit, or the end of the data. ``string`` is the last string before ``stop`` when nothing
    stands between, ``inner`` the last inner object likewise: a record that was written into the middle of
    another hides in one of them.
    """

    start: int
    end: int | None
    stop: int
    string: tuple[int, int] | None = None
    inner: tuple[int, int] | None = None


def walk(data: bytes, start: int) -> Walk:
    """How far the JSON value at ``start`` goes."""
    open_at: list[int] = []
    expected = _VALUE
    string: tuple[int, int] | None = None
    inner: tuple[int, int] | None = None
    position = start
    while True:
        token = _TOKEN.match(data, position)
        if token is None:
            blank = _SPACE.match(data, position)
            stop = blank.end() if blank else position
            if data[stop : stop + 1] == b'"':
                return Walk(start, None, len(data), (stop, len(data)), inner)
            return Walk(start, None, stop, string, inner)
        kind = token.lastindex
        begin, end = token.span(kind or 0)
        character = data[begin : begin + 1] if kind == 2 else b""
        following = _after(expected, kind, character, data[open_at[-1] : open_at[-1] + 1] if open_at else b"")
        if following is None:
            return Walk(start, None, begin, string, inner)
        string = (begin, end) if kind == 1 else None
        inner = None
        if character in (b"{", b"["):
            open_at.append(begin)
        elif character in (b"}", b"]"):
            opened = open_at.pop()
            if character == b"}":
                inner = (opened, end)
        position = end
        expected = following
        if not open_at:
            return Walk(start, end, end)


def _after(expected: int, kind: int | None, character: bytes, parent: bytes) -> int | None:
    """What may follow a token, None if the token itself does not fit."""
    if character in (b"}", b"]"):
        fits = (expected in (_FIRST_KEY, _NEXT) and (parent, character) == (b"{", b"}")) or (
            expected in (_FIRST_VALUE, _NEXT) and (parent, character) == (b"[", b"]")
        )
        return _NEXT if fits else None
    if character == b",":
        return (_KEY if parent == b"{" else _VALUE) if expected == _NEXT else None
    if character == b":":
        return _VALUE if expected == _COLON else None
    if expected in (_KEY, _FIRST_KEY):
        return _COLON if kind == 1 else None
    if expected not in (_VALUE, _FIRST_VALUE):
        return None
    return {b"{": _FIRST_KEY, b"[": _FIRST_VALUE}.get(character, _NEXT)


def depth(data: bytes) -> int:
    """The deepest nesting of arrays and objects in ``data``, complete or not; brackets in strings do not
    count.
    """
    level = deepest = 0
    for token in _BRACKETS.finditer(data):
        character = token[0][:1]
        if character in (b"[", b"{"):
            level += 1
            deepest = max(deepest, level)
        elif character != b'"':
            level -= 1
    return deepest


def string_in_head(head: bytes, key: str) -> str | None:
    """The string that the object whose beginning is ``head`` has under ``key`` at its top level.

    None if another value stands there, or if it does not come before the end of ``head``.
    """
    level = 0
    position = 0
    last: bytes | None = None
    wanted = False
    while token := _TOKEN.match(head, position):
        position = token.end()
        if token[2] in (b"{", b"["):
            level += 1
        elif token[2] in (b"}", b"]"):
            level -= 1
        if level == 1 and wanted:
            return _text(token[1]) if token[1] else None
        wanted = token[2] == b":" and level == 1 and last is not None and _text(last) == key
        last = token[1]
    return None


def _text(token: bytes) -> str | None:
    try:
        value = jsonio.loads(token)
    except ValueError:
        return None
    return value if isinstance(value, str) else None


def loads_deep(data: bytes) -> JsonValue:
    """The value of one JSON text of any depth, at the speed of Python.

    Raises:
        ValueError: the text is no JSON or no UTF-8.
    """
    if walk(data, 0).end != len(data.rstrip(b" \t\r\n")):
        raise ValueError("not one value")
    root: list[JsonValue] = []
    stack: list[tuple[list[JsonValue] | dict[str, JsonValue], str | None]] = []
    target: list[JsonValue] | dict[str, JsonValue] = root
    key: str | None = None
    position = 0
    while token := _TOKEN.match(data, position):
        position = token.end()
        symbol = token[2]
        if symbol in (b"}", b"]"):
            target, key = stack.pop()
        elif symbol in (b"{", b"["):
            child: list[JsonValue] | dict[str, JsonValue] = {} if symbol == b"{" else []
            _put(target, key, child)
            stack.append((target, None))
            target, key = child, None
        elif symbol is None:
            scalar = jsonio.loads(token[token.lastindex or 0])
            if isinstance(target, dict) and key is None and isinstance(scalar, str):
                key = scalar
            else:
                _put(target, key, scalar)
                key = None
    return root[0]


def _put(target: list[JsonValue] | dict[str, JsonValue], key: str | None, value: JsonValue) -> None:
    if isinstance(target, list):
        target.append(value)
    elif key is not None:
        target[key] = value
