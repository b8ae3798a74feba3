"""The floors under a walk: ``find`` looks at each file, ``git ls-files`` honours ignore files."""

from __future__ import annotations

import shutil
from pathlib import Path


def find(root: Path) -> list[str] | None:
    """The command that looks at each file below ``root``; None where there is no find."""
    program = shutil.which("find")
    if program is None:
        return None
    return [program, str(root), "-path", "*/.git", "-prune", "-o", "-type", "f", "-printf", "x"]


def git_files(root: Path) -> list[str] | None:
    """The command that lists what is not ignored; None where there is no git."""
    program = shutil.which("git")
    if program is None:
        return None
    return [program, "-C", str(root), "ls-files", "-co", "-z", "--exclude-standard"]
