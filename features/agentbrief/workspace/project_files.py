"""Which files belong to a project, and in which of its folders may an agent start?"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agentbrief.disk import seam
from agentbrief.workspace.memory import Memory
from agentbrief.workspace.port_context import ContextRules, PortContext
from agentbrief.workspace.walk import Walk, never, nothing


@dataclass(frozen=True, slots=True)
class ProjectFiles:
    """The files of a project as git would list them, relative to ``root``, with ``/``, in code-point order.

    Regular files and links, tracked or not, without what ignore files leave out. ``ignored_named`` are
    ignored files that have one of the names that were asked for. ``unlisted`` are folders that the system
    refused to list; ``partial`` says that the pass was ended before all were seen.
    """

    root: str
    files: tuple[str, ...]
    ignored_named: tuple[str, ...] = ()
    unlisted: tuple[str, ...] = ()
    partial: bool = False


@dataclass(frozen=True, slots=True)
class Survey:
    """A project as one pass saw it.

    ``partial`` says that the counts of ``context`` may be too small, ``skipped`` which folders were left out
    because the pass was ended or the bound on entries was reached.
    """

    context: PortContext
    project: ProjectFiles
    partial: bool
    skipped: tuple[str, ...]


def survey(
    fs: seam.FS,
    root: str,
    rules: ContextRules,
    *,
    names: Sequence[str] = (),
    repository: str | None = None,
    memory: Memory | None = None,
    cancelled: Callable[[], bool] = never,
    progress: Callable[[int], None] = nothing,
    pause: Callable[[], None] = nothing,
) -> Survey:
    """What is in the project at ``root``, an absolute path; for the other arguments see :class:`Walk`.

    ``names`` are the names of instruction files, such as ``.claude/CLAUDE.md``, that :func:`starts` will look
    for. Source: claw.md 7.4; performance.md 4.
    """
    files: list[str] = []

    def listed(folder: str, found: Sequence[str]) -> None:
        files.extend([f"{folder}/{name}" for name in found] if folder else found)

    walk = Walk(
        fs, root, rules,
        names=frozenset(name.rpartition("/")[2] for name in names), repository=repository, memory=memory,
    )  # fmt: skip
    seen = walk.run(listed=listed, cancelled=cancelled, progress=progress, pause=pause)
    files.sort()
    project = ProjectFiles(
        os.path.normpath(root), tuple(files), seen.ignored_named, seen.unlisted, seen.cancelled
    )
    return Survey(seen.context, project, seen.partial, seen.skipped)


def starts(project: ProjectFiles, names: Sequence[str]) -> tuple[str, ...]:
    """The folders of ``project`` that hold one of ``names``, as absolute paths in order.

    An ignored file counts, as ``CLAUDE.local.md`` usually is one; what lies in an ignored folder does not.
    The folder that holds ``.claude/CLAUDE.md`` is the parent of ``.claude``. Source: claw.md 2.1, item 5.
    """
    longest_first = sorted(names, key=len, reverse=True)
    endings = tuple(f"/{name}" for name in longest_first)
    found: set[str] = set()
    for files in (project.files, project.ignored_named):
        for path in files:
            asked = f"/{path}"
            if asked.endswith(endings):
                ending = next(ending for ending in endings if asked.endswith(ending))
                found.add(path[: -len(ending)] if len(asked) > len(ending) else "")
    return tuple(
        os.path.join(project.root, *folder.split("/")) if folder else project.root for folder in sorted(found)
    )
