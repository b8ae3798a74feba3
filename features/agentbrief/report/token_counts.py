"""How large is a text, and by which measure?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agentbrief.jsonio import JsonValue
from agentbrief.messages import say
from agentbrief.profiles.profile import AgentProfile
from agentbrief.redact import clean
from agentbrief.text.whitespace import lines
from agentbrief.tokens import Estimate, estimate, exact, parity


@dataclass(frozen=True, slots=True)
class Counted:
    """The size of one text; bytes that are no UTF-8 count as one character each. ``lines`` end at LF."""

    characters: int
    bytes: int
    lines: int
    estimates: tuple[Estimate, ...]


def count(data: bytes, profile: AgentProfile, reference: str) -> Counted:
    """The size of ``data``: the agent's own formula, the estimate for ``reference``, and the exact count if
    one is there.
    """
    text = data.decode("utf-8", "replace")
    found = [parity(text, profile.token_formula, profile.id), estimate(text, reference)]
    if (counted := exact(text, reference)) is not None:
        found.append(counted)
    return Counted(len(text), len(data), len(lines(text)), tuple(found))


def token_record(path: str, counted: Counted) -> dict[str, JsonValue]:
    """One file of the contract of ``tokens --json`` (cli.md)."""
    return {
        "path": path,
        "characters": counted.characters,
        "bytes": counted.bytes,
        "lines": counted.lines,
        "estimates": [
            {"mode": each.mode, "reference": each.reference, "tokens": each.tokens}
            for each in counted.estimates
        ],
    }


def token_lines(path: str, counted: Counted, locale: str) -> Iterator[str]:
    """The same for a terminal."""
    yield say(
        locale,
        "tokens.size",
        path=clean(path),
        characters=counted.characters,
        bytes=counted.bytes,
        lines=counted.lines,
    )
    for each in counted.estimates:
        yield "  " + say(locale, f"tokens.{each.mode}", tokens=each.tokens, reference=each.reference)
