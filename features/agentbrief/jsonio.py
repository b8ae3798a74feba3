"""How is JSON read and written? The only module that imports a JSON library.

With orjson (tier ``fast``) or without it (tier ``plain``, as in the universal extension package) the results
are the same. orjson refuses lone surrogates, NaN, a byte-order mark and deep nesting, and turns integers
beyond 64 bits into floats without a word: all of these are left to the standard library. A line of a file
that did not change is never written through this module.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, fields, is_dataclass
from functools import cached_property, lru_cache
from types import NoneType
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, get_args, get_type_hints

if TYPE_CHECKING:
    import orjson as _orjson
else:
    try:
        import orjson as _orjson
    except ImportError:
        _orjson = None

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]

Row = TypeVar("Row")

_BACKSLASH = ord("\\")
_HALF_PAIR = re.compile(rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")

FAST: bool = _orjson is not None
"""Whether orjson is there."""

_LONG_INTEGER = b"0" * 19
_EACH_THIRD = b"0" * (19 // 3)
_LONG_TEXT_BYTES = 1 << 16
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


def line_of(error: ValueError) -> int:
    """The line, from 0, at which a text is no JSON, by the error of :func:`loads`; 0 where it says none."""
    return error.lineno - 1 if isinstance(error, json.JSONDecodeError) else 0


def _loads_plain(data: bytes | memoryview) -> JsonValue:
    try:
        # of bytes the standard library would guess the encoding, and take halves of surrogate pairs
        return cast("JsonValue", json.loads(str(data, "utf-8"), parse_constant=_refused_constant))
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


def _refused_constant(name: str) -> None:
    raise ValueError(f"{name} is no JSON number")


loads_inexact: Callable[[bytes | memoryview], Any] = _orjson.loads if FAST else _loads_plain
"""The value of one JSON text, read at full speed: for looking at it, never for writing it again.

Integers beyond 64 bits may come as floats, and what :func:`loads` reads at a second try may be refused with a
ValueError.
"""


def strict(data: bytes | memoryview) -> JsonValue:
    """What :func:`loads` gives, for one of many texts: faster, and only where there is nothing to be careful
    about. Then no half of a surrogate pair is in it, escaped or not.

    Raises:
        ValueError: :func:`loads` may still read it.
    """
    decode = _strict_decoder()
    if decode is None:
        raise ValueError("no library for it")
    try:
        return decode(data)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error


@lru_cache(maxsize=1)
def _strict_decoder() -> Callable[[bytes | memoryview], JsonValue] | None:
    """The decoder of msgspec, which reads integers of any length; imported when it is first needed."""
    library = _msgspec()
    if library is None:
        return None
    return cast("Callable[[bytes | memoryview], JsonValue]", library.json.Decoder().decode)


@lru_cache(maxsize=1)
def _msgspec() -> Any:
    if not FAST:
        return None
    try:
        import msgspec
    except ImportError:
        return None
    return msgspec


def _integer(digits: str) -> int | float:
    """An integer, or a float where Python refuses to read so many digits."""
    try:
        return int(digits)
    except ValueError:
        return float(digits)


def _has_long_integer(raw: bytes) -> bool:
    """Whether 19 digits stand in a row, which orjson may turn into a float."""
    if len(raw) > _LONG_TEXT_BYTES and _EACH_THIRD not in raw[::3].translate(_DIGITS_ALIKE):
        return False
    # Ten times faster than a pattern, which has to try at every byte.
    return _LONG_INTEGER in raw.translate(_DIGITS_ALIKE)


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


class Partial(Generic[Row]):
    """Reads some keys of many objects, each into a ``Row``, and skips all other keys.

    ``Row`` is a dataclass whose fields are ``str | None``, ``bool | None``, ``int``, or another such
    dataclass or None; each has a default. A field's metadata may name its ``key``. A value of another type
    counts as missing. In tier ``fast`` the rows are msgspec's and only look like ``Row``.
    """

    def __init__(self, shape: type[Row]) -> None:
        self._shape = shape

    @cached_property
    def _fields(self) -> tuple[_Field, ...]:
        return _plan(self._shape)

    @cached_property
    def _decoder(self) -> Any:
        """The decoder of the rows; None in tier ``plain``."""
        library = _msgspec()
        if library is None:
            return None
        return library.json.Decoder(_struct(library, self._shape, self._fields))

    @cached_property
    def _decode(self) -> Callable[[bytes | memoryview], Row] | None:
        return (
            None
            if self._decoder is None
            else cast("Callable[[bytes | memoryview], Row]", self._decoder.decode)
        )

    def row(self, data: bytes) -> Row:
        """The row of one object, halves of surrogate pairs left out.

        Raises:
            ValueError: it cannot be read as JSON, or is no object. What a skipped key holds may be worse than
            that and go unseen.
        """
        if self._decode is not None:
            try:
                return self._decode(data)
            except (ValueError, RecursionError):
                pass
            try:
                return self._decode(_without_half_pairs(data))
            except (ValueError, RecursionError):
                pass
        value = loads(data)
        if not isinstance(value, dict):
            raise ValueError("no object")
        return self.of(value)

    def rows(self, data: bytes | memoryview) -> list[Row] | None:
        """The rows of several lines; None where they have to be read one by one.

        Only where there are as many rows as lines does each line hold one object.
        """
        decoder = self._decoder
        if decoder is None:
            return None
        try:
            return cast("list[Row]", decoder.decode_lines(data))
        except (ValueError, RecursionError):
            return None

    def quick_row(self, data: bytes | memoryview) -> Row:
        """The row of one object, at the first try.

        Raises:
            ValueError, RecursionError: :meth:`row` may still be able to read it.
        """
        return self._decode(data) if self._decode is not None else self.row(bytes(data))

    def of(self, value: dict[str, JsonValue]) -> Row:
        """The row of an object that was read as a whole."""
        return cast("Row", _filled(self._shape, self._fields, value))


def _without_half_pairs(data: bytes) -> bytes:
    """``data`` with a plain text of the same length for each escape of half a surrogate pair."""
    found = bytearray(data)
    for escape in _HALF_PAIR.finditer(data):
        start = escape.start()
        before = start
        while before and data[before - 1] == _BACKSLASH:
            before -= 1
        if (start - before) % 2 == 0:
            found[start : escape.end()] = b"......"
    return bytes(found)


@dataclass(frozen=True, slots=True)
class _Field:
    name: str
    key: str
    type: Any
    default: Any
    inner: tuple[_Field, ...]


def _plan(shape: type[Any]) -> tuple[_Field, ...]:
    hints = get_type_hints(shape)
    found: list[_Field] = []
    for field in fields(shape):
        kind = next(
            part for part in (*get_args(hints[field.name]), hints[field.name]) if part is not NoneType
        )
        inner = _plan(cast("type[Any]", kind)) if is_dataclass(kind) else ()
        found.append(_Field(field.name, field.metadata.get("key", field.name), kind, field.default, inner))
    return tuple(found)


def _struct(msgspec: Any, shape: type[Any], plan: tuple[_Field, ...]) -> Any:
    parts: list[tuple[str, Any, Any]] = []
    for field in plan:
        kind = _struct(msgspec, field.type, field.inner) if field.inner else field.type
        parts.append((field.name, kind if field.type is int else kind | None, field.default))
    names = {field.name: field.key for field in plan}
    return msgspec.defstruct(shape.__name__, parts, rename=names, gc=False)


def _filled(shape: type[Any], plan: tuple[_Field, ...], value: dict[str, JsonValue]) -> Any:
    given: dict[str, Any] = {}
    for field in plan:
        found = value.get(field.key)
        if field.inner:
            if isinstance(found, dict):
                given[field.name] = _filled(field.type, field.inner, found)
        elif isinstance(found, field.type) and (field.type is bool or not isinstance(found, bool)):
            given[field.name] = found
    return shape(**given)
