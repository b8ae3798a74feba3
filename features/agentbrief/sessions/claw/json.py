"""Which JSON does claw-code read, and which more is read here?

claw-code has a reader of its own: integers of 64 bits only, no surrogate escapes, no byte-order mark; in
return it takes trailing commas, leading zeros and raw control characters. A text with those is spelled the
strict way first, so that all texts are parsed by the JSON library. Numbers whose digits would not survive it
are kept as they are spelled.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.jsonl.records import loads_record

BYTE_ORDER_MARK = "\ufeff"

Issue = Literal["byte-order-mark", "surrogate-escapes", "not-strict-json", "not-readable-by-claw-code"]

_INT64_DIGITS = 19
_MAX_INT64 = (1 << 63) - 1
_PYTHON_DIGITS = 640
"""So many digits Python reads as an integer whatever its limit is set to."""

_STRING = r'"[^"\\]*(?:\\.[^"\\]*)*"?'  # also one that is not closed: it is looked at once
_NUMBER_OUTSIDE = re.compile(
    _STRING + r"|(NaN|-?Infinity)|(-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?)", re.DOTALL
)
_INTEGER = re.compile(r"-?[0-9]+")
_SURROGATE_ESCAPE = re.compile(r"(?<!\\)(?:\\\\)*\\u[dD][89a-fA-F]")
_PAIR_OR_HALF = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\(u[dD][89a-fA-F])|\\.", re.DOTALL
)
_LENIENT = re.compile(
    rf"(?P<string>{_STRING})"
    r"|[\[{][ \n\r\t]*,"
    r"|(?P<comma>,(?=[ \n\r\t]*[\]}]))"
    r"|(?P<zeros>(?<![0-9])(?P<sign>-?)0+(?=[0-9]))",
    re.DOTALL,
)
_CONTROL = re.compile(r"[\x00-\x1f]")
_ESCAPE_OR_CONTROL = re.compile(r"\\.|[\x00-\x1f]", re.DOTALL)


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
        ValueError: claw-code refuses the text, or it is nested deeper than a record may be.

    Source: ultraworkers/claw-code rust/crates/runtime/src/json.rs@08106b0c (claw.md 5.2 item 7).
    """
    if text.startswith(BYTE_ORDER_MARK) or _has_surrogate_escape(text) or _odd_numbers(text):
        raise ValueError("not in claw-code's grammar")
    try:
        return _loads(text)
    except ValueError:
        return _loads(_strict(text))


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
    has_surrogates = _has_surrogate_escape(text)
    if has_surrogates:
        issues |= {"surrogate-escapes", "not-readable-by-claw-code"}
    numbers = _odd_numbers(text)
    if numbers == "not-json":
        raise ValueError("no JSON number")
    if numbers:
        issues.add("not-readable-by-claw-code")
    try:
        value = _loads(text)
    except ValueError:
        if numbers or (has_surrogates and _has_half_pair(text)):
            raise
        value = _loads(_strict(text))
        issues.add("not-strict-json")
    return Parsed(_with_exact_numbers(value, text) if numbers == "lossy" else value, frozenset(issues))


def _loads(text: str) -> JsonValue:
    return loads_record(text.encode("utf-8"))


def _strict(text: str) -> str:
    """``text`` spelled strictly: what claw-code's reader lets pass is written the way RFC 8259 asks for.

    What no reader takes stays wrong. Raises ValueError for an escape that the rewriting would mend.
    """
    return _LENIENT.sub(_strictly, text)


def _strictly(found: re.Match[str]) -> str:
    match found.lastgroup:
        case "string":
            return _ESCAPE_OR_CONTROL.sub(_escaped, found[0]) if _CONTROL.search(found[0]) else found[0]
        case "comma":
            return ""
        case "zeros":
            return found["sign"]
        case _:
            return found[0]


def _escaped(found: re.Match[str]) -> str:
    if len(found[0]) == 1:
        return f"\\u{ord(found[0]):04x}"
    if found[0][1] < " ":
        raise ValueError("invalid escape")
    return found[0]


def _has_surrogate_escape(text: str) -> bool:
    return ("\\ud" in text or "\\uD" in text) and _SURROGATE_ESCAPE.search(text) is not None


def _has_half_pair(text: str) -> bool:
    return any(found[1] for found in _PAIR_OR_HALF.finditer(text))


def _odd_numbers(text: str) -> Literal["", "odd", "lossy", "not-json"]:
    """Whether numbers outside strings are none that claw-code takes.

    ``odd``: floats or integers beyond 64 bits; ``lossy``: one of them would be written in other digits;
    ``not-json``: words such as NaN, which Python takes for numbers.
    """
    found: Literal["", "odd", "lossy", "not-json"] = ""
    for token in _NUMBER_OUTSIDE.finditer(text):
        if token[1]:
            return "not-json"
        digits = token[2]
        if digits is None or (len(digits) < _INT64_DIGITS and _INTEGER.fullmatch(digits)):
            continue
        if _is_lossy(digits):
            found = "lossy"
        elif not _is_int64(digits):
            found = found or "odd"
    return found


def _is_lossy(digits: str) -> bool:
    if _INTEGER.fullmatch(digits):
        return len(digits) > _PYTHON_DIGITS
    return repr(float(digits)) != digits


def _is_int64(digits: str) -> bool:
    plain = digits.lstrip("-").lstrip("0") or "0"
    if not plain.isdecimal() or len(plain) > _INT64_DIGITS:
        return False
    return int(plain) <= _MAX_INT64 + digits.startswith("-")


def _with_exact_numbers(value: JsonValue, text: str) -> JsonValue:
    """``value``, which ``text`` spells, with its lossy numbers as :class:`ExactNumber`.

    The text is parsed again with those numbers in quotes: where a number became a text, it was one of them.
    """
    quoted = _loads(_NUMBER_OUTSIDE.sub(_quoted, text))
    if isinstance(quoted, str) and not isinstance(value, str):
        return ExactNumber(quoted)
    pairs = [(value, quoted)]
    while pairs:
        one, other = pairs.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            for key, item in other.items():
                if isinstance(item, str) and not isinstance(one[key], str):
                    one[key] = ExactNumber(item)
                else:
                    pairs.append((one[key], item))
        elif isinstance(one, list) and isinstance(other, list):
            for index, item in enumerate(other):
                if isinstance(item, str) and not isinstance(one[index], str):
                    one[index] = ExactNumber(item)
                else:
                    pairs.append((one[index], item))
    return value


def _quoted(found: re.Match[str]) -> str:
    return f'"{found[0]}"' if found[2] and _is_lossy(found[2]) else found[0]
