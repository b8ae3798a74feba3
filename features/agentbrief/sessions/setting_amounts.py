"""How long, or how big, is what a setting of OpenClaw says?

The grammars of openclaw.md 7.1. Text that follows neither has no amount.
"""

from __future__ import annotations

import math
import re
from typing import Literal

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.store.fields import is_number
from agentbrief.text import utf16

TimeUnit = Literal["ms", "s", "m", "h", "d"]

_UNIT_MS: dict[str, int] = {"ms": 1, "s": 1000, "m": 60 * 1000, "h": 3_600_000, "d": 86_400_000}
_PART = r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h|d)"
_PLAIN = re.compile(r"([0-9]+(?:\.[0-9]+)?)(ms|s|m|h|d)?")
_PARTS = re.compile(_PART)
_COMPOUND = re.compile(f"(?:{_PART})+")

_SIZE = re.compile(r"([0-9]+(?:\.[0-9]+)?)([a-z]+)?")
_UNIT_BYTES: dict[str, int] = {
    "b": 1,
    "k": 1 << 10,
    "kb": 1 << 10,
    "m": 1 << 20,
    "mb": 1 << 20,
    "g": 1 << 30,
    "gb": 1 << 30,
    "t": 1 << 40,
    "tb": 1 << 40,
}


def duration_ms(text: str, unit: TimeUnit = "ms") -> int | None:
    """The milliseconds of ``text``, a number without a unit counted in ``unit``; None if it is no duration.

    Source: openclaw/openclaw ``src/cli/parse-duration.ts``.
    """
    wanted = utf16.trim(text).lower()
    if plain := _PLAIN.fullmatch(wanted):
        return _rounded(float(plain[1]) * _UNIT_MS[plain[2] or unit])
    if not _COMPOUND.fullmatch(wanted):
        return None
    return _rounded(sum(float(amount) * _UNIT_MS[part] for amount, part in _PARTS.findall(wanted)))


def size_bytes(text: str) -> int | None:
    """The bytes of ``text``; None if it is no size. Source: openclaw/openclaw ``src/cli/parse-bytes.ts``."""
    found = _SIZE.fullmatch(utf16.trim(text).lower())
    factor = _UNIT_BYTES.get(found[2] or "b") if found else None
    return _rounded(float(found[1]) * factor) if found and factor is not None else None


def spelled(value: JsonValue) -> str | None:
    """A text, or a number as text, as the grammars take it; None for anything else."""
    if isinstance(value, str):
        return value
    if not is_number(value):
        return None
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _rounded(value: float) -> int | None:
    return math.floor(value + 0.5) if math.isfinite(value) else None
