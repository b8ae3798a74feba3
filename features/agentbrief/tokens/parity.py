"""How many tokens does the agent itself count? Its own formula, to the token."""

from __future__ import annotations

from collections.abc import Callable

from agentbrief.tokens.estimate import Estimate


def utf8_bytes_4_plus_1(text: str) -> int:
    """UTF-8 bytes / 4, rounded down, and 1 for the block.

    Source: claw.md 6.1; ultraworkers/claw-code rust/crates/runtime/src/compact.rs.
    """
    return (len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))) // 4 + 1


def characters_4(text: str) -> int:
    """Code points / 4, rounded up. Source: agents.md 2."""
    return -(-len(text) // 4)


def utf16_units_4(text: str) -> int:
    """UTF-16 code units / 4, rounded up.

    Source: performance.md 6; badlogic/pi-mono packages/coding-agent/src/core/compaction/compaction.ts.
    """
    units = len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
    return -(-units // 4)


FORMULAS: dict[str, Callable[[str], int]] = {
    "utf8-bytes-4-plus-1": utf8_bytes_4_plus_1,
    "characters-4": characters_4,
    "utf16-units-4": utf16_units_4,
}
"""Name of a profile's formula → tokens of one text."""


def parity(text: str, formula: str, agent: str) -> Estimate:
    """The tokens that ``agent`` itself counts for one text, by the formula of that name in :data:`FORMULAS`.

    Raises:
        ValueError: there is no such formula.
    """
    if formula not in FORMULAS:
        raise ValueError(f"{formula!r} is none of {', '.join(FORMULAS)}")
    return Estimate("parity", agent, FORMULAS[formula](text))
