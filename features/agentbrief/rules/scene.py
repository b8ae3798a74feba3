"""What does a rule see? Everything that was found, as values; nothing that it would have to fetch."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from agentbrief.brief import Brief, Placement
from agentbrief.instructions import InstructionFile
from agentbrief.profiles.profile import AgentProfile


@dataclass(frozen=True, slots=True)
class View:
    """A file as it is seen from one start folder."""

    brief: Brief
    placed: Placement


@dataclass(frozen=True, slots=True)
class Judged:
    """A file under judgement: as seen from its own folder, and from every start (its own included, if it is
    one).
    """

    file: InstructionFile
    own: View
    views: tuple[View, ...]
    reference: Brief | None = None

    @property
    def text(self) -> str:
        """The text of the file; empty where it was not read."""
        return self.file.text


@dataclass(frozen=True, slots=True)
class Scene:
    """One agent's files below one workspace folder.

    ``briefs`` are those of all start folders that count. ``reference`` is the profile that is always compared
    with, unless it is among the agents that are shown.
    """

    profile: AgentProfile
    judged: tuple[Judged, ...]
    briefs: tuple[Brief, ...]
    reference: AgentProfile | None = None
    only: str | None = None
    texts: Mapping[str, str] = field(default_factory=dict[str, str], hash=False, compare=False)


def stage(
    profile: AgentProfile,
    briefs: Iterable[Brief],
    brief_from: Callable[[str], Brief],
    reference: AgentProfile | None = None,
    reference_from: Callable[[str], Brief] | None = None,
    only: str | None = None,
) -> Scene:
    """The scene of ``briefs``, all of one profile; with ``only`` that one file is under judgement.

    ``brief_from`` gives the brief from a folder, for files whose own folder is no start; ``reference_from``
    that of the profile that is compared with.
    """
    all_briefs = tuple(briefs)
    by_start = {brief.start: brief for brief in all_briefs}
    views: dict[str, list[View]] = {}
    for brief in all_briefs:
        for placed in brief.placements:
            if only is None or placed.file.path == only:
                views.setdefault(placed.file.path, []).append(View(brief, placed))
    judged: list[Judged] = []
    for path in sorted(views):
        seen = views[path]
        folder = seen[0].placed.file.folder
        own_brief = by_start.get(folder) or brief_from(folder)
        placed = own_brief.placement(path) or seen[0].placed
        compared = reference_from(folder) if reference is not None and reference_from is not None else None
        judged.append(Judged(placed.file, View(own_brief, placed), tuple(seen), compared))
    texts = {each.file.path: each.file.text for each in judged}
    return Scene(profile, tuple(judged), all_briefs, reference, only, texts)


def shown(path: str, beside: str) -> str:
    """``path`` as it is written for a reader of ``beside``: relative to that file's folder."""
    return os.path.relpath(path, os.path.dirname(beside)).replace(os.sep, "/")
