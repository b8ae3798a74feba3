"""How is a value of unknown shape, as a client sends it, taken for what it should be?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast


def as_object(value: object) -> Mapping[str, Any]:
    """``value`` if it is an object, else an empty one."""
    return cast("Mapping[str, Any]", value) if isinstance(value, Mapping) else {}


def as_list(value: object) -> Sequence[Any]:
    """``value`` if it is a list, else an empty one."""
    return cast("Sequence[Any]", value) if isinstance(value, list | tuple) else ()


def as_text(value: object) -> str | None:
    """``value`` if it is a string."""
    return value if isinstance(value, str) else None
