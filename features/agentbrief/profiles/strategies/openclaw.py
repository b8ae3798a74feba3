"""How is OpenClaw's profile for a version and a configuration of its user?

The data of the profile lists what each version does; here the one that counts is picked, and the limits that
the user has set take the place of the version's own (openclaw.md 12).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache

from agentbrief.profiles.profile import AgentProfile


def start_only(chain: Sequence[str], workspace: str | None, has_git: Callable[[str], bool]) -> str:
    """The start alone: an agent's workspace is one folder."""
    return chain[0]


@lru_cache(maxsize=32)
def for_user(
    base: AgentProfile,
    version: str | None,
    max_file_chars: int | None = None,
    max_total_chars: int | None = None,
    sections: tuple[str, ...] | None = None,
    max_section_chars: int | None = None,
) -> AgentProfile:
    """``base`` for ``version`` (None: the newest known) with what its user has set; None: not set.

    The version stands in the title, so that each message names it. The same arguments give the same object.

    Raises:
        ValueError: ``base`` is not OpenClaw's.
    """
    # The bounds of all agents are here too: most runs need no more of this module.
    from agentbrief.profiles.openclaw_data import for_version

    if base.openclaw is None:
        raise ValueError(base.id)
    files = for_version(base.openclaw.context_files, version)
    again = for_version(base.openclaw.reinjection, version)
    if again.time_line and sections is not None:
        # Versions before 2026.4.15 do not know the setting.
        is_default = {name.lower() for name in sections} == {name.lower() for name in again.sections}
        old = again.old_sections if is_default else ()
        again = replace(again, enabled=bool(sections), sections=sections, old_sections=old)
    if again.time_line and max_section_chars is not None:
        again = replace(again, max_chars=max_section_chars)
    limits = tuple(
        replace(limit, max=_first(max_file_chars, files.max_file_chars))
        if limit.scope == "file"
        else replace(limit, max=_first(max_total_chars, files.max_total_chars))
        for limit in base.limits
    )
    return replace(
        base,
        title=f"{base.title} {version or files.since}",
        limits=limits,
        openclaw=replace(base.openclaw, context_files=(files,), reinjection=(again,)),
    )


def _first(given: int | None, default: int) -> int:
    return default if given is None else given
