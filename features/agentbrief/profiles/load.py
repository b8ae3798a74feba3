"""How does a data file become a profile?

A fault in the data names the profile and the key, so that a profile of the user's own can be mended. What
few profiles have is imported when one of them is read: most runs ask for one agent's rules alone.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Hashable, Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import cache, lru_cache
from importlib import import_module
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from agentbrief.jsonio import JsonValue, loads
from agentbrief.profiles.gates import GateError, gated
from agentbrief.profiles.profile import LATE_PARTS, AgentProfile, Layer

Shape = TypeVar("Shape")


class ProfileError(ValueError):
    """The data of a profile does not follow the schema; the message names the profile and the key."""


@cache
def profile_ids() -> tuple[str, ...]:
    """The identifiers of the profiles that this package carries, in alphabetical order."""
    return tuple(sorted(name.removesuffix(".json") for name in os.listdir(_DATA) if name.endswith(".json")))


@cache
def all_layers() -> tuple[Layer, ...]:
    """The layers of all profiles as they are verified; nothing else of a profile is looked at.

    Raises:
        ProfileError: the layers of one do not follow the schema.
    """
    found: list[Layer] = []
    for identifier in profile_ids():
        data = _read(identifier)
        if isinstance(data, dict) and "layers" in data:
            found += _value(_hint(AgentProfile, "layers"), data["layers"], f"{identifier}.layers")
    return tuple(found)


@lru_cache(maxsize=64)
def profile(identifier: str, version: str | None = None) -> AgentProfile:
    """The profile of that identifier as it is for ``version`` of the agent; None: the verified one.

    Raises:
        KeyError: there is none.
        ProfileError: its data does not follow the schema.
    """
    if identifier not in profile_ids():
        raise KeyError(identifier)
    return parse(identifier, _read(identifier), version)


def parse(identifier: str, data: JsonValue, version: str | None = None) -> AgentProfile:
    """The profile that ``data`` describes, its gates applied for ``version`` (None: none of them).

    Raises:
        ProfileError: a key is missing, unknown or of the wrong type, or a gate points at nothing.
    """
    try:
        data = gated(data, version) if isinstance(data, dict) else data
    except GateError as error:
        raise ProfileError(f"{identifier}: gates: {error}") from error
    found = _shape(AgentProfile, data, identifier)
    if found.id != identifier:
        raise ProfileError(f"{identifier}: the key id holds {found.id!r}")
    return found


_DATA = os.path.join(os.path.dirname(__file__), "data")


def _read(identifier: str) -> JsonValue:
    with open(os.path.join(_DATA, f"{identifier}.json"), "rb") as file:
        return loads(file.read())


class _LateNames(Mapping[str, Any]):
    """The names in annotations that stand for shapes which are not imported yet."""

    def __getitem__(self, name: str) -> Any:
        return getattr(import_module(LATE_PARTS[name]), name)

    def __iter__(self) -> Iterator[str]:
        return iter(LATE_PARTS)

    def __len__(self) -> int:
        return len(LATE_PARTS)


_LATE_NAMES = _LateNames()


@cache
def _hint(shape: Hashable, name: str) -> Any:
    """The type of one field; the types of the others are not looked at."""
    annotated: Any = SimpleNamespace(__annotations__={name: cast("type", shape).__annotations__[name]})
    names = vars(sys.modules[shape.__module__])
    return get_type_hints(annotated, names, cast("Any", _LATE_NAMES))[name]


def _shape(shape: type[Shape], data: JsonValue, where: str) -> Shape:
    if not isinstance(data, dict):
        raise ProfileError(f"{where}: expected an object")
    known = {field.name: field for field in fields(cast("Any", shape))}
    if unknown := sorted(set(data) - set(known)):
        raise ProfileError(f"{where}: unknown key {unknown[0]!r}")
    values: dict[str, Any] = {}
    for name, field in known.items():
        if name in data:
            values[name] = _value(_hint(cast("Hashable", shape), name), data[name], f"{where}.{name}")
        elif field.default is MISSING and field.default_factory is MISSING:
            raise ProfileError(f"{where}: missing key {name!r}")
    return shape(**values)


def _value(hint: Any, data: JsonValue, where: str) -> Any:
    origin = get_origin(hint)
    if origin in (UnionType, Union):
        if data is None and NoneType in get_args(hint):
            return None
        return _value(next(part for part in get_args(hint) if part is not NoneType), data, where)
    if origin is Literal:
        if data not in get_args(hint):
            raise ProfileError(f"{where}: {data!r} is none of {', '.join(map(str, get_args(hint)))}")
        return data
    if origin is tuple:
        if not isinstance(data, list):
            raise ProfileError(f"{where}: expected a list")
        return tuple(_value(get_args(hint)[0], item, f"{where}[{index}]") for index, item in enumerate(data))
    if origin is Mapping:
        if not isinstance(data, dict):
            raise ProfileError(f"{where}: expected an object")
        return {key: _value(get_args(hint)[1], item, f"{where}.{key}") for key, item in data.items()}
    if is_dataclass(hint):
        return _shape(cast("type[Any]", hint), data, where)
    if not isinstance(data, hint) or (isinstance(data, bool) and hint not in (bool, object)):
        raise ProfileError(f"{where}: expected {hint.__name__}")
    return data
