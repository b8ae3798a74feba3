"""Where does the agent stop reading a file, and what stands there instead?"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from agentbrief.text.whitespace import trim


class Cut(NamedTuple):
    """The printed text, how many characters of the trimmed text are in it, and what is charged to the total
    limit.
    """

    printed: str
    kept: int
    consumed: int


def clean_marker(trimmed: str, per_file: int, remaining: int, marker: str) -> Cut:
    """At most ``per_file`` and ``remaining`` characters, then one marker that costs nothing. Source:

    claw.md 2.5.
    """
    limit = min(per_file, remaining)
    if len(trimmed) <= limit:
        return Cut(trimmed, len(trimmed), len(trimmed))
    return Cut(trimmed[:limit] + marker, limit, limit)


def charged_marker(trimmed: str, per_file: int, remaining: int, marker: str) -> Cut:
    """Cut twice, the marker charged: a limit just below ``per_file`` cuts the first marker and adds a second
    one.

    Source: claw.md 3.2; ultraworkers/claw-code@08106b0c rust/crates/runtime/src/prompt.rs.
    """

    def cut(text: str, limit: int) -> str:
        text = trim(text)
        return text if len(text) <= limit else text[:limit] + marker

    limit = min(per_file, remaining)
    printed = cut(cut(trimmed, limit), per_file)
    kept = len(trimmed) if len(trimmed) <= limit else limit
    return Cut(printed, kept, min(len(printed), remaining))


CUTS: dict[str, Callable[[str, int, int, str], Cut]] = {
    "clean-marker": clean_marker,
    "charged-marker": charged_marker,
}
"""Name of a profile's strategy → ``(trimmed text, per file, remaining, marker) → Cut``."""
