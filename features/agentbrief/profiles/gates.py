"""What held in an older version of the agent?

The data of a profile describes its verified version. Each gate says what to put back for versions before its
own; an unknown version is taken for the verified one.

Source: agents.md 1 and 3 (gates).
"""

from __future__ import annotations

import re
from copy import deepcopy

from agentbrief.jsonio import JsonValue

_NUMBER = re.compile(r"\d+")


class GateError(ValueError):
    """A gate points at nothing in the profile's data."""


def gated(data: dict[str, JsonValue], version: str | None) -> dict[str, JsonValue]:
    """``data`` as it is for ``version``: its gates applied, newest first. The argument stays as it is.

    Raises:
        GateError: a pointer leads to nothing; its last step alone may be new.
    """
    gates = data.get("gates")
    if version is None or not isinstance(gates, list):
        return data
    due = [gate for gate in gates if isinstance(gate, dict) and is_before(version, str(gate.get("before")))]
    if not due:
        return data
    found = deepcopy(data)
    for gate in sorted(due, key=lambda gate: _parts(str(gate["before"])), reverse=True):
        changes = gate.get("set")
        for pointer, value in (changes if isinstance(changes, dict) else {}).items():
            _set(found, pointer, deepcopy(value))
    return found


def is_before(version: str, other: str) -> bool:
    """Whether ``version`` is older than ``other``, dotted numbers compared part by part."""
    mine, theirs = _parts(version), _parts(other)
    size = max(len(mine), len(theirs))
    return mine + (0,) * (size - len(mine)) < theirs + (0,) * (size - len(theirs))


def newest(versions: list[str]) -> str | None:
    """The newest of ``versions``; None of none."""
    return max(versions, key=_parts, default=None)


def _parts(version: str) -> tuple[int, ...]:
    return tuple(int(number) for number in _NUMBER.findall(version.split("-", 1)[0].split("+", 1)[0]))


def _set(data: dict[str, JsonValue], pointer: str, value: JsonValue) -> None:
    *above, last = pointer.removeprefix("/").split("/")
    place: JsonValue = data
    for step in above:
        place = _step(place, step, pointer)
    if isinstance(place, dict):
        place[last] = value
    elif isinstance(place, list) and last.isdigit() and int(last) < len(place):
        place[int(last)] = value
    else:
        raise GateError(f"{pointer}: leads to nothing")


def _step(place: JsonValue, step: str, pointer: str) -> JsonValue:
    if isinstance(place, dict) and step in place:
        return place[step]
    if isinstance(place, list) and step.isdigit() and int(step) < len(place):
        return place[int(step)]
    raise GateError(f"{pointer}: leads to nothing")
