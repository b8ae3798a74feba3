"""Which JSON does claw-code read, and which more is read here?

claw-code has a reader of its own: integers of 64 bits only, no surrogate escapes, no byte-order mark; in
return it takes trailing commas, leading zeros and raw control characters. Texts that RFC 8259 allows are left
to the JSON library; the reader here serves the others, and numbers whose digits would not survive a float.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.records import MAX_DEPTH, loads_record

BYTE_ORDER_MARK = "\ufeff"

Issue = Literal["byte-order-mark", "surrogate-escapes", "not-strict-json", "not-readable-by-claw-code"]

_INT64_DIGITS = 19
_MAX_INT64 = (1 << 63) - 1
_PYTHON_DIGITS = 640
"""So many digits Python reads as an integer whatever its limit is set to."""
_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"'
_SUSPECT = re.compile(r"[0-9][.eE]|[0-9]{19}|NaN|Infinity")
_SUSPECT_TOKEN = re.compile(
    _STRING + r"|(NaN|-?Infinity)|(-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)", re.DOTALL
)
_SURROGATE_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]")
_SPACE = re.compile(r"[ \n\r\t]*")
_PLAIN = re.compile(r'[^"\\]*')
_INTEGER = re.compile(r"-?[0-9]+")
_NUMBER = re.compile(r"-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?")
_HEX = re.compile(r"[0-9a-fA-F]{4}")
_LITERALS: dict[str, tuple[str, JsonValue]] = {
    "n": ("null", None),
    "t": ("true", True),
    "f": ("false", False),
}
_ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class ExactNumber(float):
    """A number whose digits a float does not give back; written as it was read."""

    __slots__ = ("digits",)

    digits: str

    def __new__(cls, digits: str) -> ExactNumber:
        """The number that ``digits`` spell."""
        found = super().__new__(cls, digits)
        found.digits = digits
        return found


@dataclass(frozen=True, slots=True)
class Parsed:
    """The value of a JSON text, and what about its spelling is worth a word."""

    value: JsonValue
    issues: frozenset[Issue] = frozenset()


def parse_exact(text: str) -> JsonValue:
    """The value of ``text`` as claw-code reads it.

    Raises:
        ValueError: claw-code refuses the text, or it is nested deeper than :data:`MAX_DEPTH`.

    Source: ultraworkers/claw-code rust/crates/runtime/src/json.rs@08106b0c (claw.md 5.2 item 7).
    """
    try:
        value = loads_record(text.encode("utf-8"))
    except ValueError:
        return _Reader(text).read()
    if text.startswith(BYTE_ORDER_MARK) or _SURROGATE_ESCAPE.search(text) or _odd_numbers(text):
        raise ValueError("not in claw-code's grammar")
    return value


def parse(text: str) -> Parsed:
    """The value of ``text``: as RFC 8259 JSON, else in claw-code's grammar with surrogate pairs.

    One byte-order mark in front is left out.

    Raises:
        ValueError: neither grammar takes the text.
    """
    issues: set[Issue] = set()
    if text.startswith(BYTE_ORDER_MARK):
        text = text[1:]
        issues |= {"byte-order-mark", "not-readable-by-claw-code"}
    if _SURROGATE_ESCAPE.search(text):
        issues |= {"surrogate-escapes", "not-readable-by-claw-code"}
    numbers = _odd_numbers(text)
    try:
        if numbers == "not-json":
            raise ValueError("no JSON number")
        value = loads_record(text.encode("utf-8"))
        if numbers == "lossy":
            value = _Reader(text, pairs=True, exact_numbers=True).read()
        if numbers:
            issues.add("not-readable-by-claw-code")
    except ValueError:
        value = _Reader(text, pairs=True).read()
        issues.add("not-strict-json")
    return Parsed(value, frozenset(issues))


def _odd_numbers(text: str) -> Literal["", "odd", "lossy", "not-json"]:
    """Whether numbers outside strings are none that claw-code takes.

    ``odd``: floats or integers beyond 64 bits; ``lossy``: one of them would be written in other digits;
    ``not-json``: words such as NaN, which Python takes for numbers.
    """
    if not _SUSPECT.search(text):
        return ""
    found: Literal["", "odd", "lossy", "not-json"] = ""
    for token in _SUSPECT_TOKEN.finditer(text):
        if token[1]:
            return "not-json"
        digits = token[2]
        if digits is None:
            continue
        if _INTEGER.fullmatch(digits):
            if len(digits) > _PYTHON_DIGITS:
                found = "lossy"
            elif len(digits) >= _INT64_DIGITS and not _is_int64(digits):
                found = found or "odd"
        elif repr(float(digits)) != digits:
            found = "lossy"
        else:
            found = found or "odd"
    return found


def _is_int64(digits: str) -> bool:
    plain = digits.lstrip("-").lstrip("0") or "0"
    if len(plain) > _INT64_DIGITS:
        return False
    return int(plain) <= _MAX_INT64 + digits.startswith("-")


class _Reader:
    """One text, read from left to right without recursion."""

    def __init__(self, text: str, *, pairs: bool = False, exact_numbers: bool = False) -> None:
        self._text = text
        self._position = 0
        self._pairs = pairs
        self._exact_numbers = exact_numbers

    def read(self) -> JsonValue:
        """The one value of the text; raises ValueError."""
        value = self._value()
        self._skip()
        if self._position < len(self._text):
            raise ValueError("unexpected text behind the value")
        return value

    def _value(self) -> JsonValue:
        opened: list[list[JsonValue] | dict[str, JsonValue]] = []
        keys: list[str] = []
        while True:
            self._skip()
            char = self._peek()
            if char in ("[", "{"):
                self._position += 1
                container: list[JsonValue] | dict[str, JsonValue] = [] if char == "[" else {}
                opened.append(container)
                if len(opened) > MAX_DEPTH:
                    raise ValueError("nested too deeply")
                if not self._closes(container):
                    if isinstance(container, dict):
                        keys.append(self._key())
                    continue
                value: JsonValue = opened.pop()
            else:
                value = self._scalar(char)
            while True:
                if not opened:
                    return value
                top = opened[-1]
                if isinstance(top, dict):
                    top[keys.pop()] = value
                else:
                    top.append(value)
                if self._closes(top):
                    value = opened.pop()
                    continue
                self._expect(",")
                if self._closes(top):
                    value = opened.pop()
                    continue
                if isinstance(top, dict):
                    keys.append(self._key())
                break

    def _closes(self, container: list[JsonValue] | dict[str, JsonValue]) -> bool:
        self._skip()
        if self._peek() != ("}" if isinstance(container, dict) else "]"):
            return False
        self._position += 1
        return True

    def _key(self) -> str:
        self._skip()
        key = self._string()
        self._skip()
        self._expect(":")
        return key

    def _scalar(self, char: str) -> JsonValue:
        if char == '"':
            return self._string()
        if char in _LITERALS:
            word, value = _LITERALS[char]
            if not self._text.startswith(word, self._position):
                raise ValueError("invalid literal")
            self._position += len(word)
            return value
        return self._number()

    def _number(self) -> int | float:
        pattern = _NUMBER if self._exact_numbers else _INTEGER
        found = pattern.match(self._text, self._position)
        if found is None:
            raise ValueError("unexpected character")
        self._position = found.end()
        digits = found[0]
        if self._exact_numbers:
            is_integer = len(digits) <= _PYTHON_DIGITS and _INTEGER.fullmatch(digits)
            return int(digits) if is_integer else ExactNumber(digits)
        if not _is_int64(digits):
            raise ValueError("number out of range")
        return int(digits)

    def _string(self) -> str:
        self._expect('"')
        pieces: list[str] = []
        while True:
            plain = _PLAIN.match(self._text, self._position)
            assert plain is not None  # the pattern matches the empty string
            pieces.append(plain[0])
            self._position = plain.end()
            char = self._peek()
            if not char:
                raise ValueError("unterminated string")
            self._position += 1
            if char == '"':
                return "".join(pieces)
            pieces.append(self._escape())

    def _escape(self) -> str:
        char = self._peek()
        self._position += 1
        if char in _ESCAPES:
            return _ESCAPES[char]
        if char != "u":
            raise ValueError("invalid escape")
        unit = self._unit()
        if self._pairs and 0xD800 <= unit <= 0xDBFF and self._text.startswith("\\u", self._position):
            kept = self._position
            self._position += 2
            low = self._unit()
            if 0xDC00 <= low <= 0xDFFF:
                return chr(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
            self._position = kept
        if 0xD800 <= unit <= 0xDFFF and not self._exact_numbers:
            raise ValueError("half a surrogate pair")
        return chr(unit)

    def _unit(self) -> int:
        found = _HEX.match(self._text, self._position)
        if found is None:
            raise ValueError("invalid escape")
        self._position = found.end()
        return int(found[0], 16)

    def _expect(self, char: str) -> None:
        if self._peek() != char:
            raise ValueError(f"expected {char}")
        self._position += 1

    def _peek(self) -> str:
        return self._text[self._position : self._position + 1]

    def _skip(self) -> None:
        found = _SPACE.match(self._text, self._position)
        assert found is not None  # the pattern matches the empty string
        self._position = found.end()
