"""Which rules are there? Every module below ``rules/<group>/`` is one."""

from __future__ import annotations

import pkgutil
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING

from agentbrief.profiles.profile import AgentProfile
from agentbrief.rules.finding import Finding, Fix, Severity
from agentbrief.rules.scene import Scene

if TYPE_CHECKING:
    from agentbrief.rules.store_scene import StoreScene
    from agentbrief.rules.transcript_scene import TranscriptScene

GROUPS = ("instructions", "transcripts", "store")

Check = Callable[..., Iterable[Finding]]
"""A rule's function.

It takes a ``Scene``, a ``TranscriptScene`` in the group ``transcripts``, a ``StoreScene`` in ``store``.
"""

FixOf = Callable[[Finding, str], Iterable[Fix]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. ``code`` is its module's name with hyphens; ``page`` its docstring, which is Markdown.

    ``agents`` are the identifiers of the profiles it holds for; empty = all. ``setting`` is the machine-scope
    setting that alone may change its severity; empty = ``diagnostics.level``.
    """

    code: str
    group: str
    severity: Severity
    page: str
    agents: tuple[str, ...]
    setting: str
    check: Check
    fix: FixOf | None

    @property
    def summary(self) -> str:
        """The first line of the page."""
        return self.page.split("\n", 1)[0]

    def holds_for(self, profile: AgentProfile) -> bool:
        """Whether the rule says anything about that agent."""
        return not self.agents or profile.id in self.agents


@cache
def rules() -> tuple[Rule, ...]:
    """All rules, by code."""
    return tuple(sorted((rule for group in GROUPS for rule in rules_of(group)), key=lambda rule: rule.code))


@cache
def rules_of(group: str) -> tuple[Rule, ...]:
    """The rules of one of :data:`GROUPS`, by code. Those of the others are not imported."""
    package = import_module(f"agentbrief.rules.{group}")
    names = sorted(info.name for info in pkgutil.iter_modules(package.__path__))
    return tuple(_rule(group, import_module(f"{package.__name__}.{name}"), name) for name in names)


@cache
def rule(code: str) -> Rule:
    """The rule of that code.

    Raises:
        KeyError: there is none.
    """
    of_code = (each for group in GROUPS for each in rules_of(group) if each.code == code)
    return next(of_code, None) or _unknown(code)


def check(scene: Scene) -> Iterator[Finding]:
    """The findings of all rules that hold for the scene's agent, rule by rule."""
    for each in rules_of("instructions"):
        if each.holds_for(scene.profile):
            yield from each.check(scene)


def check_transcripts(scene: TranscriptScene) -> Iterator[Finding]:
    """The findings of all rules on transcripts that hold for the scene's agent, rule by rule."""
    for each in rules_of("transcripts"):
        if each.holds_for(scene.profile):
            yield from each.check(scene)


def check_store(scene: StoreScene) -> Iterator[Finding]:
    """The findings of all rules on stores, rule by rule."""
    for each in rules_of("store"):
        if each.holds_for(scene.profile):
            yield from each.check(scene)


def _unknown(code: str) -> Rule:
    raise KeyError(code)


def _rule(group: str, module: ModuleType, name: str) -> Rule:
    return Rule(
        name.replace("_", "-"),
        group,
        module.SEVERITY,
        (module.__doc__ or "").strip(),
        tuple(getattr(module, "AGENTS", ())),
        getattr(module, "SETTING", ""),
        module.check,
        getattr(module, "fix", None),
    )
