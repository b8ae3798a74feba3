"""How does claw-code's Python port group its own modules? A reference, for profile ``claw-code`` only."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from agentbrief.disk import seam
from agentbrief.workspace.walk import never

_NOTES = {
    "__init__.py": "package export surface",
    "commands.py": "command backlog metadata",
    "main.py": "CLI entrypoint",
    "models.py": "shared dataclasses",
    "port_manifest.py": "workspace manifest generation",
    "query_engine.py": "port orchestration summary layer",
    "task.py": "task-level planning structures",
    "tools.py": "tool backlog metadata",
}
_OTHER = "Python port support module"


@dataclass(frozen=True, slots=True)
class PortModule:
    """A file or folder right below the source root, and how many ``*.py`` files it is or holds."""

    name: str
    path: str
    file_count: int
    notes: str


@dataclass(frozen=True, slots=True)
class PortManifest:
    """The modules below a source root, the one with most files first, ties by name."""

    total: int
    modules: tuple[PortModule, ...]


def port_manifest(fs: seam.FS, source_root: str, cancelled: Callable[[], bool] = never) -> PortManifest:
    """The ``*.py`` files below ``source_root``, grouped by the first part of their path.

    Links to files count, linked folders are not entered, nothing is left out. ``cancelled`` is asked before
    each folder; what was counted so far comes back. Source: claw.md 7.5; ultraworkers/claw-code
    src/port_manifest.py.
    """
    counts: Counter[str] = Counter()
    stack = [(source_root, "")]
    while stack and not cancelled():
        folder, first = stack.pop()
        try:
            entries = list(fs.scan(folder))
        except OSError:
            continue
        for entry in entries:
            if entry.is_dir(follow_symlinks=False):
                stack.append((os.path.join(folder, entry.name), first or entry.name))
            elif entry.name.endswith(".py") and _is_file(entry):
                counts[first or entry.name] += 1
    package = os.path.basename(os.path.normpath(source_root))
    modules = (
        PortModule(name, f"{package}/{name}", count, _NOTES.get(name, _OTHER))
        for name, count in sorted(counts.items(), key=lambda each: (-each[1], each[0]))
    )
    return PortManifest(counts.total(), tuple(modules))


def _is_file(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_file()
    except OSError:
        return False
