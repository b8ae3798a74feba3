"""Who is asked for the summary of a compaction, in which order, and what may they be told?"""

from __future__ import annotations

from collections.abc import Sequence

from agentbrief.compaction.pi.briefed import Briefed, Briefing
from agentbrief.compaction.pi.job import PiJob
from agentbrief.compaction.plan import PlanWarning
from agentbrief.compaction.providers.command import COMMAND, Command
from agentbrief.compaction.providers.extractive import EXTRACTIVE, Extractive
from agentbrief.compaction.providers.masked import Masked
from agentbrief.compaction.providers.provider import CompactionProvider
from agentbrief.compaction.providers.registry import Listed, providers_of
from agentbrief.redact import mask
from agentbrief.tasks.compaction.asked import CompactionAsked, Means
from agentbrief.tasks.compaction.bounds import claw_config
from agentbrief.tasks.sessions.setup import SessionsSetup

EDITOR = "editor"
"""The provider that only a client has."""


def listed_providers(setup: SessionsSetup, asked: CompactionAsked, means: Means) -> tuple[Listed, ...]:
    """The providers in the order they are asked, ``extractive`` among them.

    A program, and code of a package, only where the workspace is trusted and the user's own settings name
    them. Those of a package are told no secrets; ours mask what leaves them.
    """
    settings = setup.settings
    names = settings.strings("compaction.providers") if asked.providers is None else asked.providers
    known: dict[str, CompactionProvider] = {EXTRACTIVE: Extractive(claw_config(settings, asked))}
    command = settings.strings("compaction.command")
    if command and setup.trusted:
        redact = mask if settings.flag("compaction.redactForProviders") else None
        known[COMMAND] = Command(command, setup.home, redact)
    known |= means.known
    if not setup.trusted:
        names = tuple(name for name in names if name in known)
    listed = providers_of(names, known)
    if not settings.flag("compaction.redactForProviders"):
        return listed
    own = {id(provider) for provider in known.values()}
    return tuple(
        each if isinstance(each, PlanWarning) or id(each) in own else Masked(each, mask) for each in listed
    )


def briefed(providers: Sequence[Listed], job: PiJob, briefing: Briefing) -> tuple[Listed, ...]:
    """``providers`` as they are asked for the summary of a transcript of pi or OpenClaw."""
    return tuple(
        provider if isinstance(provider, PlanWarning) else Briefed(provider, job, briefing)
        for provider in providers
    )
