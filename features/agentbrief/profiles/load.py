"""How does a data file become a profile?

A fault in the data names the profile and the key, so that a profile of the user's own can be mended.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import MISSING, fields, is_dataclass
from functools import lru_cache
from importlib import resources
from importlib.resources.abc import Traversable
from types import NoneType, UnionType
from typing import Any, Literal, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from agentbrief.jsonio import JsonValue, loads
from agentbrief.profiles.gates import GateError, gated
from agentbrief.profiles.profile import AgentProfile

Shape = TypeVar("Shape")


class ProfileError(ValueError):
    """The data of a profile does not follow the schema; the message names the profile and the key."""


def profile_ids() -> tuple[str, ...]:
    """The identifiers of the profiles that this package carries, in alphabetical order."""
    names = (entry.name for entry in _data().iterdir())
    return tuple(sorted(name.removesuffix(".json") for name in names if name.endswith(".json")))


@lru_cache(maxsize=64)
def profile(identifier: str, version: str | None = None) -> AgentProfile:
    """The profile of that identifier as it is for ``version`` of the agent; None: the verified one.

    Raises:
        KeyError: there is none.
        ProfileError: its data does not follow the schema.
    """
    if identifier not in profile_ids():
        raise KeyError(identifier)
    return parse(identifier, loads(_data().joinpath(f"{identifier}.json").read_bytes()), version)


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


def _data() -> Traversable:
    return resources.files("agentbrief.profiles").joinpath("data")


@lru_cache(maxsize=64)
def _hints(shape: Hashable) -> dict[str, Any]:
    return get_type_hints(cast("type", shape))


def _shape(shape: type[Shape], data: JsonValue, where: str) -> Shape:
    if not isinstance(data, dict):
        raise ProfileError(f"{where}: expected an object")
    hints = _hints(cast("Hashable", shape))
    known = {field.name: field for field in fields(cast("Any", shape))}
    if unknown := sorted(set(data) - set(known)):
        raise ProfileError(f"{where}: unknown key {unknown[0]!r}")
    values: dict[str, Any] = {}
    for name, field in known.items():
        if name in data:
            values[name] = _value(hints[name], data[name], f"{where}.{name}")
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
