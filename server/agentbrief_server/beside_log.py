"""What does a page, or a command, say of the log that the user's own hook writes?

Where the setting names none, nothing is imported and nothing is said.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from agentbrief.brief import Brief
from agentbrief.jsonio import JsonValue
from agentbrief.profiles.profile import AgentProfile
from agentbrief.tasks.setup import Setup

if TYPE_CHECKING:
    from agentbrief.oracle.beside import Beside

Told = tuple[AgentProfile, Brief]


def section(setup: Setup, told: Sequence[Told], locale: str) -> str:
    """The section of a page, a blank line before it; empty where no log is named."""
    beside = _beside(setup, told)
    if beside is None:
        return ""
    from agentbrief.report.beside_page import beside_section

    return "\n" + beside_section(beside, told, locale, _home())


def lines(setup: Setup, told: Told, locale: str) -> Iterator[str]:
    """The lines for a terminal, a blank one first; none where no log is named."""
    beside = _beside(setup, (told,))
    if beside is not None:
        from agentbrief.report.beside_page import beside_lines

        yield ""
        yield from beside_lines(beside, told, locale, _home())


def record(setup: Setup, told: Sequence[Told]) -> dict[str, JsonValue]:
    """The key ``oracle`` of a JSON record; nothing where no log is named."""
    beside = _beside(setup, told)
    if beside is None:
        return {}
    from agentbrief.report.beside_record import beside_record

    return {"oracle": beside_record(beside, told)}


def _beside(setup: Setup, told: Sequence[Told]) -> Beside | None:
    if not setup.settings.text("oracleLog") or not told:
        return None
    from agentbrief.tasks.beside_log import log_beside

    return log_beside(setup, [brief for _, brief in told], _home())


def _home() -> str:
    return os.path.expanduser("~")
