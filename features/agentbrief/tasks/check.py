"""What is wrong with the instruction files below some folders, as a linter tells it?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from agentbrief.disk.seam import FS
from agentbrief.disk.values import FileText
from agentbrief.rules.finding import Finding
from agentbrief.tasks.judge import judge
from agentbrief.tasks.setup import Setup, agents, names_of


@dataclass(frozen=True, slots=True)
class Checked:
    """The findings of a check, the texts that their offsets count in, and the folders that could not be
    listed.
    """

    findings: tuple[Finding, ...]
    files: int
    unreadable: tuple[tuple[str, str], ...]
    texts: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)


def check(setup: Setup, paths: Iterable[str], fs: FS) -> Checked:
    """The findings on the instruction files below each of ``paths`` and on their chains.

    A file stands for itself.

    Every folder below a path that holds a listed name is a start, and so is the path itself. Ignored folders
    are not entered.

    Source: claw.md 2.1 item 5.
    """
    setup = replace(setup, files=setup.files.glance())
    found: dict[Finding, None] = {}
    unreadable: list[tuple[str, str]] = []
    files = 0
    shown = agents(setup.settings)
    names = frozenset(name for agent in shown for name in agent.names)
    for path in paths:
        if setup.files.is_folder(path):
            # Half of what a check of one file would load serves the walk alone.
            from agentbrief.tasks.project import look_through

            project = look_through(path, shown[0], setup.settings, fs, names=names)
            unreadable += [(folder, "permission") for folder in project.unlisted]
            files += project.instruction_files
            found |= dict.fromkeys(judge(setup, dict.fromkeys((path, *project.starts))))
        else:
            files += 1
            found |= dict.fromkeys(judge(setup, (names_of(setup.settings).start_of(path),), path))
    findings = tuple(sorted(found, key=lambda each: (each.path, each.span, each.code, each.profile_id)))
    return Checked(findings, files, tuple(unreadable), _texts(setup, findings))


def _texts(setup: Setup, findings: Iterable[Finding]) -> dict[str, str]:
    texts: dict[str, str] = {}
    wanted = {path for each in findings for path in (each.path, *(other.path for other in each.related))}
    for path in sorted(wanted):
        roots = setup.files.roots((*setup.folders, os.path.dirname(path)))
        read = setup.files.read(path, roots)
        texts[path] = read.text if isinstance(read, FileText) else ""
    return texts
