"""How is JSON read and written? The only module that imports a JSON library.

With orjson (tier ``fast``) or without it (tier ``plain``, as in the universal extension package) the results
are the same. orjson refuses lone surrogates, NaN, a byte-order mark and deep nesting, and turns integers
beyond 64 bits into floats without a word: all of these are left to the standard library. A line of a file
that did not change is never written through this module.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    import orjson as _orjson
else:
    try:
        import orjson as _orjson
    except ImportError:
        _orjson = None

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]

FAST: bool = _orjson is not None
"""Whether orjson is there."""

_LONG_INTEGER = re.compile(rb"\d{19}")
_DIGITS_ALIKE = bytes.maketrans(b"123456789", b"000000000")


def loads(data: bytes | str) -> JsonValue:
    """The value of one JSON text, UTF-8; of duplicate keys the last counts.

    Raises:
        ValueError: the text is no JSON, no UTF-8, or nested deeper than can be read.
    """
    raw = data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
    if FAST and not _has_long_integer(raw):
        try:
            return cast("JsonValue", _orjson.loads(raw))
        except ValueError:
            pass
    text = data if isinstance(data, str) else raw.decode("utf-8")
    try:
        return cast("JsonValue", json.loads(text))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except json.JSONDecodeError:
        raise
    except ValueError:
        return cast("JsonValue", json.loads(text, parse_int=_integer))


def _integer(digits: str) -> int | float:
    """An integer, or a float where Python refuses to read so many digits."""
    try:
        return int(digits)
    except ValueError:
        return float(digits)


def _has_long_integer(raw: bytes) -> bool:
    """Whether 19 digits stand in a row, which orjson may turn into a float."""
    # Every sixth byte shows three of them: looking at those alone first is twenty times faster.
    return b"000" in raw[::6].translate(_DIGITS_ALIKE) and _LONG_INTEGER.search(raw) is not None


def dumps(value: JsonValue) -> bytes:
    """``value`` as compact UTF-8 JSON, keys in their order, non-ASCII characters as they are.

    A lone surrogate, which UTF-8 cannot hold, is written as its escape.
    """
    if FAST:
        try:
            return _orjson.dumps(value)
        except (TypeError, ValueError):
            pass
    try:
        return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode("utf-8")
    except UnicodeEncodeError:
        return json.dumps(value, separators=(",", ":")).encode("ascii")


def dumps_pretty(value: JsonValue, *, ascii_only: bool = False) -> str:
    """``value`` with an indent of two blanks, keys in their order, no final newline."""
    return json.dumps(value, ensure_ascii=ascii_only, indent=2)
