"""What is wrong with the instruction files, for the agents that are shown?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from agentbrief.brief import Brief
from agentbrief.disk.look import Same
from agentbrief.profiles.profile import AgentProfile
from agentbrief.rules.finding import Finding
from agentbrief.rules.registry import check, rule
from agentbrief.rules.scene import Scene, stage
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.setup import Setup, agents, brief_from, profile_of


def judge(setup: Setup, starts: Iterable[str], only: str | None = None) -> tuple[Finding, ...]:
    """The findings of all agents that are shown, for the files seen from ``starts``.

    With ``only`` those of that file.

    A fault that several agents share is told once for each of them, but for those of the text alone, which
    are told once. As long as nothing changed, the same tuple comes back.
    """
    wanted = tuple(starts)
    return setup.files.remembered(
        ("findings", Same(setup.settings), setup.folders, wanted, only),
        lambda files: _judged(Setup(files, setup.folders, setup.settings), wanted, only),
    )


def _judged(setup: Setup, wanted: tuple[str, ...], only: str | None) -> tuple[Finding, ...]:
    shown = agents(setup.settings)
    found: dict[tuple[object, ...], Finding] = {}
    for agent in shown:
        scene = scene_of(setup, agent, wanted, shown, only)
        for finding in check(scene):
            if (adjusted := with_severity(finding, setup.settings)) is not None:
                found.setdefault(_identity(adjusted), adjusted)
    return tuple(sorted(found.values(), key=lambda each: (each.path, each.span, each.code, each.profile_id)))


def scene_of(
    setup: Setup,
    agent: AgentProfile,
    starts: Iterable[str],
    shown: Iterable[AgentProfile],
    only: str | None = None,
) -> Scene:
    """One agent's files as the rules see them."""
    known: dict[tuple[str, str], Brief] = {}

    def brief(of: AgentProfile, start: str) -> Brief:
        key = (of.id, start)
        if key not in known:
            known[key] = brief_from(setup, of, start)
        return known[key]

    reference = None
    if agent.compared_with is not None and agent.compared_with not in {each.id for each in shown}:
        reference = profile_of(setup.settings, agent.compared_with)
    briefs = [brief(agent, start) for start in starts]
    return stage(
        agent,
        briefs,
        lambda start: brief(agent, start),
        reference,
        (lambda start: brief(reference, start)) if reference is not None else None,
        only,
    )


def with_severity(finding: Finding, settings: Settings) -> Finding | None:
    """``finding`` at the severity that the settings give it; None when it is off."""
    severity = settings.severity(finding.code, rule(finding.code).setting, finding.severity)
    if severity is None:
        return None
    if "unnecessary" in finding.tags and not settings.flag("fadeCutText"):
        finding = replace(finding, tags=())
    return finding if severity == finding.severity else replace(finding, severity=severity)


def _identity(finding: Finding) -> tuple[object, ...]:
    names_agent = any(name == "agent" for name, _ in finding.arguments)
    return (
        finding.code,
        finding.path,
        finding.span,
        finding.arguments,
        finding.profile_id if names_agent else "",
    )
