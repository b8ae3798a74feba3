"""Which writers of summaries does a list of names mean?

A package adds one by an entry point in the group ``agentbrief.compaction_providers``: its name is the name in
the settings, and it loads as a callable without arguments that gives a provider.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import cast

from agentbrief.compaction.plan import PlanWarning
from agentbrief.compaction.providers.extractive import EXTRACTIVE
from agentbrief.compaction.providers.provider import CompactionProvider

GROUP = "agentbrief.compaction_providers"
"""The group of entry points that is looked through."""

Listed = CompactionProvider | PlanWarning
"""A provider, or why the one of that name cannot be asked."""


def providers_of(names: Iterable[str], known: Mapping[str, CompactionProvider]) -> tuple[Listed, ...]:
    """The providers that ``names`` mean, in their order, ``extractive`` last if it is not among them.

    ``known`` are those that are there without a package. A name that means none becomes a warning.
    """
    wanted = list(dict.fromkeys(names))
    if EXTRACTIVE not in wanted:
        wanted.append(EXTRACTIVE)
    return tuple(known[name] if name in known else _from_package(name) for name in wanted)


def _from_package(name: str) -> Listed:
    from importlib.metadata import entry_points

    for entry in entry_points(group=GROUP, name=name):
        try:
            found = entry.load()()
        except Exception:
            # another party's code: that it cannot be loaded is no reason to compact nothing
            return PlanWarning("provider-failed", name)
        if isinstance(getattr(found, "id", None), str) and callable(getattr(found, "summarize", None)):
            return cast("CompactionProvider", found)
        return PlanWarning("provider-failed", name)
    return PlanWarning("provider-unknown", name)
