r"""How does claw-code write a JSON value down?

Keys sorted by code point at every level, no spaces, non-ASCII characters as they are, every character of the
category Cc as an escape. Written without recursion: unknown values that are kept may be nested deeply.
"""

from __future__ import annotations

import re

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.claw.json import ExactNumber

_SHORT = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_WRITTEN_AS_ESCAPE = re.compile(r'["\\\x00-\x1f\x7f-\x9f\ud800-\udfff]')
_NEEDS_ESCAPE = re.compile(r'["\\\x00-\x1f\ud800-\udfff]')


class _Literal(str):
    """A piece that is written as it is."""

    __slots__ = ()


def json_text(value: JsonValue) -> str:
    r"""``value`` as claw-code writes it, in both forms of its session files.

    Half a surrogate pair, which UTF-8 cannot hold, is the one
    character that is written as its escape.

    Raises:
        ValueError: a number is no JSON number.
    """
    return _written(value, _WRITTEN_AS_ESCAPE, sort_keys=True)


def compact_text(value: JsonValue) -> str:
    """``value`` as compact JSON, keys in their order: the stored text of a tool input that is an object."""
    return _written(value, _NEEDS_ESCAPE, sort_keys=False)


def _written(value: JsonValue, escaped: re.Pattern[str], *, sort_keys: bool) -> str:
    pieces: list[str] = []
    waiting: list[JsonValue] = [value]
    while waiting:
        item = waiting.pop()
        if isinstance(item, _Literal):
            pieces.append(item)
        elif isinstance(item, str):
            pieces.append(_quoted(item, escaped))
        elif isinstance(item, dict):
            parts: list[JsonValue] = [_Literal("{")]
            for key in sorted(item) if sort_keys else item:
                if len(parts) > 1:
                    parts.append(_Literal(","))
                parts += [key, _Literal(":"), item[key]]
            waiting += [_Literal("}"), *reversed(parts)]
        elif isinstance(item, list):
            waiting.append(_Literal("]"))
            for index in range(len(item) - 1, -1, -1):
                waiting.append(item[index])
                if index:
                    waiting.append(_Literal(","))
            waiting.append(_Literal("["))
        else:
            pieces.append(_scalar(item))
    return "".join(pieces)


def _scalar(value: bool | int | float | None) -> str:
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, ExactNumber):
        return value.digits
    if isinstance(value, float) and (value != value or value in (float("inf"), float("-inf"))):
        raise ValueError("no JSON number")
    return repr(value)


def _quoted(text: str, escaped: re.Pattern[str]) -> str:
    return f'"{escaped.sub(_escape_of, text)}"'


def _escape_of(found: re.Match[str]) -> str:
    char = found[0]
    return _SHORT.get(char) or f"\\u{ord(char):04x}"
