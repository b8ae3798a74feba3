"""What does a parsed configuration of an agent say at a place, and is it usable?

A place that is missing, or that lies below something that is no object, says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.store.fields import is_number


def value_at(config: Mapping[str, JsonValue], *names: str) -> JsonValue:
    """The value under ``names``, one name a level; None where there is none.

    Raises:
        ValueError: no name is given.
    """
    if not names:
        raise ValueError("names")
    found = object_at(config, *names[:-1])
    return found.get(names[-1])


def object_at(config: Mapping[str, JsonValue], *names: str) -> Mapping[str, JsonValue]:
    """The object under ``names``; an empty one where there is none."""
    found = config
    for name in names:
        inner = found.get(name)
        if not isinstance(inner, dict):
            return {}
        found = inner
    return found


def text_at(config: Mapping[str, JsonValue], *names: str) -> str | None:
    """The text under ``names``; None where there is none."""
    found = value_at(config, *names)
    return found if isinstance(found, str) else None


def whole_number(value: JsonValue, least: int) -> int | None:
    """``value`` rounded down; None if it is no finite number, or below ``least``."""
    if not isinstance(value, int | float) or not is_number(value) or value < least:
        return None
    return math.floor(value)
