"""What does the text of an agent's configuration say, and where in it does each key stand?

OpenClaw reads ``openclaw.json`` as JSON5: comments, commas at the end, keys without quotes, single quotes.
The reader is linear and takes what JSON5 takes; it is only used to read, never to write a file back.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from agentbrief.jsonio import JsonValue
from agentbrief.text.span import Span

_TOKEN = re.compile(
    r"(?:[\s\ufeff]++|//[^\n\r\u2028\u2029]*+|/\*(?:[^*]|\*(?!/))*+\*/)*+"
    r"(?:(\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+')|([{}\[\],:])|([^\s{}\[\],:\"'/\ufeff]++)|\Z)",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:u([0-9a-fA-F]{4})|x([0-9a-fA-F]{2})|(\r\n|.))", re.DOTALL)
_NUMBER = re.compile(
    r"([+-]?)(?:(0[xX][0-9a-fA-F]+)|((?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)|(Infinity)|(NaN))"
)
_SURROGATE = re.compile("[\ud800-\udfff]")
_SIGNS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_LINE_ENDS = ("\n", "\r", "\r\n", "\u2028", "\u2029")
_WORDS: dict[str, JsonValue] = {"true": True, "false": False, "null": None}
_MOST_DEPTH = 200

Path = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ConfigText:
    """A configuration: its values, and where its keys stand (code points), by the names that lead to them.

    Keys below a list have no place of their own.
    """

    value: Mapping[str, JsonValue] = field(hash=False)
    keys: Mapping[Path, Span] = field(hash=False)

    def place(self, path: Path) -> Span | None:
        """Where the last key of ``path`` stands, or the nearest key above it that is there."""
        while path:
            if (found := self.keys.get(path)) is not None:
                return found
            path = path[:-1]
        return None


def read_config(text: str) -> ConfigText:
    """The configuration that ``text`` holds; of keys that stand there twice the last counts.

    Raises:
        ValueError: it is no object in JSON5, or nested too deeply.
    """
    reader = _Reader(text)
    value = reader.value((), 0, is_listed=True)
    if not isinstance(value, dict) or reader.token()[0]:
        raise ValueError("no object")
    return ConfigText(value, reader.keys)


class _Reader:
    """One pass over a text."""

    __slots__ = ("_at", "_text", "keys")

    def __init__(self, text: str) -> None:
        self._text = text
        self._at = 0
        self.keys: dict[Path, Span] = {}

    def token(self) -> tuple[str, Span]:
        """The next token and its place; an empty one at the end."""
        found = _TOKEN.match(self._text, self._at)
        if found is None:
            raise ValueError(f"not readable at character {self._at}")
        self._at = found.end()
        kind = found.lastindex
        return (found[kind], Span(*found.span(kind))) if kind else ("", Span(self._at, self._at))

    def value(self, path: Path, depth: int, *, is_listed: bool) -> JsonValue:
        """The value that stands here; ``is_listed`` notes where the keys of an object stand."""
        return self._value_of(self.token()[0], path, depth, is_listed)

    def _value_of(self, token: str, path: Path, depth: int, is_listed: bool) -> JsonValue:
        if depth > _MOST_DEPTH:
            raise ValueError("nested too deeply")
        if token == "{":
            return self._object(path, depth, is_listed)
        if token == "[":
            return self._list(path, depth)
        if token[:1] in ("'", '"'):
            return _text_of(token)
        if token in _WORDS:
            return _WORDS[token]
        return _number_of(token)

    def _object(self, path: Path, depth: int, is_listed: bool) -> JsonValue:
        found: dict[str, JsonValue] = {}
        while True:
            token, span = self.token()
            if token == "}":
                return found
            key = _text_of(token) if token[:1] in ("'", '"') else token
            if not token or token in "{[],:" or self.token()[0] != ":":
                raise ValueError(f"no key at character {span.start}")
            if is_listed:
                self.keys[(*path, key)] = span
            found[key] = self.value((*path, key), depth + 1, is_listed=is_listed)
            if not self._goes_on("}"):
                return found

    def _list(self, path: Path, depth: int) -> JsonValue:
        found: list[JsonValue] = []
        while True:
            token, _ = self.token()
            if token == "]":
                return found
            found.append(self._value_of(token, path, depth + 1, False))
            if not self._goes_on("]"):
                return found

    def _goes_on(self, end: str) -> bool:
        token, span = self.token()
        if token not in (",", end) or not token:
            raise ValueError(f"no comma at character {span.start}")
        return token == ","


def _text_of(token: str) -> str:
    text = _ESCAPE.sub(_unescaped, token[1:-1])
    if not _SURROGATE.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")


def _unescaped(found: re.Match[str]) -> str:
    code = found[1] or found[2]
    if code:
        return chr(int(code, 16))
    sign = found[3]
    return "" if sign in _LINE_ENDS else _SIGNS.get(sign, sign)


def _number_of(token: str) -> JsonValue:
    found = _NUMBER.fullmatch(token)
    if found is None:
        raise ValueError(f"no value: {token[:20]!r}")
    sign = -1 if found[1] == "-" else 1
    if found[2]:
        return sign * int(found[2], 16)
    if found[3]:
        digits = found[3]
        return sign * (int(digits) if digits.isdigit() and len(digits) < 400 else float(digits))
    return sign * float("inf") if found[4] else float("nan")
