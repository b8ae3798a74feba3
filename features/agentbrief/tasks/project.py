"""What lies in a workspace folder: where an agent may be started, the project's context, how many files?"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from agentbrief.disk.seam import FS
from agentbrief.instructions.place import folders_up
from agentbrief.profiles.load import profile
from agentbrief.profiles.profile import AgentProfile, PortContextData
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.setup import names_of
from agentbrief.workspace import PortContext, Walk


@dataclass(frozen=True, slots=True)
class Project:
    """What one pass over a workspace folder found.

    ``starts`` are its folders that hold a listed name, absolute, in order; ignored folders are not among
    them. ``files`` counts the files that git would list. ``unlisted`` are folders that could not be looked
    into; ``partial`` marks numbers that may be too small.
    """

    folder: str
    starts: tuple[str, ...]
    instruction_files: int
    context: PortContext
    files: int
    unlisted: tuple[str, ...]
    partial: bool
    cancelled: bool


def look_through(
    folder: str,
    agent: AgentProfile,
    settings: Settings,
    fs: FS,
    *,
    names: frozenset[str] | None = None,
    cancelled: Callable[[], bool] = lambda: False,
    progress: Callable[[int], None] = lambda entries: None,
    pause: Callable[[], None] = lambda: None,
) -> Project:
    """One pass over ``folder``.

    ``names`` are the listed names that make a folder a start; None = those of all profiles. ``cancelled``
    ends the pass, ``pause`` lets others work, ``progress`` hears how many entries were seen.
    """
    if names is None:
        known = names_of(settings)
        names = known.listed if "openclaw" in settings.strings("agents") else known.listed - known.single
    bases = frozenset(name.rsplit("/", 1)[-1] for name in names)
    folded = {name.lower(): name for name in bases}
    lengths = {len(name) for name in bases}
    starts: set[str] = set()
    found = files = 0

    def take(relative: str, inside: Sequence[str]) -> None:
        nonlocal found, files
        files += len(inside)
        for name in bases.intersection(inside):
            holder = _holder(relative, name, names)
            if holder is not None:
                starts.add(holder)
                found += 1
        # A folder whose only file has the right name in the wrong case is where somebody expects a start.
        for name in inside:
            if len(name) in lengths and name not in bases and (exact := folded.get(name.lower())) is not None:
                holder = _holder(relative, exact, names)
                if holder is not None:
                    starts.add(holder)

    walk = Walk(fs, folder, context_rules(agent, settings), names=bases, repository=_repository(fs, folder))
    walked = walk.run(listed=take, cancelled=cancelled, progress=progress, pause=pause)
    for path in walked.ignored_named:
        relative, _, name = path.rpartition("/")
        if (holder := _holder(relative, name, names)) is not None:
            starts.add(holder)
            found += 1
    absolute = tuple(os.path.join(folder, *start.split("/")) if start else folder for start in sorted(starts))
    unlisted = tuple(os.path.join(folder, *relative.split("/")) for relative in walked.unlisted)
    return Project(folder, absolute, found, walked.context, files, unlisted, walked.partial, walked.cancelled)


def context_rules(agent: AgentProfile, settings: Settings) -> PortContextData:
    """Where the parts of a project lie for an agent, with the settings that replace them."""
    data = agent.port_context or profile("claw").port_context
    assert data is not None
    roots = settings.table("context.roots")
    exclude = settings.values["context.exclude"]
    return replace(
        data,
        source=str(roots.get("source", data.source)),
        tests=str(roots.get("tests", data.tests)),
        assets=str(roots.get("assets", data.assets)),
        archive=str(roots.get("archive", data.archive)),
        exclude=exclude if isinstance(exclude, tuple) else data.exclude,
    )


def _holder(relative: str, name: str, names: frozenset[str]) -> str | None:
    """The folder, relative to the project, that a listed file belongs to.

    None if only its base name is a listed one.
    """
    parent, _, last = relative.rpartition("/")
    if f"{last}/{name}" in names:
        return parent
    return relative if name in names else None


def _repository(fs: FS, folder: str) -> str | None:
    for above in folders_up(folder):
        try:
            fs.lstat(os.path.join(above, ".git"))
        except OSError:
            continue
        return above
    return None
