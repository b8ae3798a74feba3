"""What Claw and claw-code make of entries that are no plain files and no folders: links that lead nowhere or
round in a circle, devices among rule files, names that are nothing but an extension.

Source: claw.md 2.1, 2.3 and 3.1; ultraworkers/claw-code rust/crates/runtime/src/prompt.rs.
"""

from __future__ import annotations

import os
import time
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from agentbrief.disk.files import DiskFiles
from agentbrief.disk.seam import FS
from agentbrief.instructions import Place, find
from agentbrief.profiles.load import profile


@dataclass(frozen=True)
class Layout:
    """Files (a path that ends with ``/`` is a folder) and links below a root, and what is found there.

    ``found`` are paths that were read, ``refused`` those with a problem; ``aborted`` is the file that makes
    claw-code load nothing.
    """

    files: tuple[str, ...]
    links: dict[str, str] = field(default_factory=dict)
    found: tuple[str, ...] = ()
    refused: dict[str, str] = field(default_factory=dict)
    aborted: str | None = None
    start: str = "."


CLAW = {
    "a link of .claude that leads nowhere": Layout(("CLAUDE.md",), {".claude": "none"}, found=("CLAUDE.md",)),
    "a link of .claude to itself": Layout(
        ("CLAUDE.md",),
        {".claude": ".claude"},
        found=("CLAUDE.md",),
        refused={".claude/CLAUDE.md": "unreadable"},
    ),
    "a link of .git that leads nowhere is no git root": Layout(
        (".git/", "CLAUDE.md", "a/CLAUDE.md"),
        {"a/.git": "none"},
        found=("a/CLAUDE.md", "CLAUDE.md"),
        start="a",
    ),
    "a link of .git to a folder is one": Layout(
        (".git/", "CLAUDE.md", "git/", "a/CLAUDE.md"),
        {"a/.git": "../git"},
        found=("a/CLAUDE.md",),
        start="a",
    ),
}
CLAW_CODE = {
    "a rule file that is only an extension": Layout(
        (".git/", ".claw/rules/.md", ".claw/rules/.txt", ".claw/rules/..md", ".claw/rules/a.MD"),
        found=(".claw/rules/..md", ".claw/rules/a.MD"),
    ),
    "a rule file that is a device": Layout(
        (".git/", ".claw/rules/a.md"), {".claw/rules/b.md": "/dev/null"}, found=(".claw/rules/a.md",)
    ),
    "a device in a folder of that name": Layout(
        (".git/", ".windsurfrules/a.md"), {".windsurfrules/b.md": "/dev/null"}, found=(".windsurfrules/a.md",)
    ),
    "a folder of rules that leads nowhere": Layout(
        (".git/", "CLAUDE.md", ".claw/x"), {".claw/rules": "none"}, found=("CLAUDE.md",)
    ),
    "a folder of rules that leads to itself": Layout(
        (".git/", "CLAUDE.md", ".claw/x"), {".claw/rules": "rules"}, aborted=".claw/rules"
    ),
    "a holder of rules that leads nowhere": Layout(
        (".git/", "CLAUDE.md"), {".cursor": "none"}, found=("CLAUDE.md",)
    ),
    "a holder of rules that leads to itself": Layout(
        (".git/", "CLAUDE.md"), {".cursor": ".cursor"}, aborted=".cursor/rules"
    ),
    "a holder of a file that leads to itself": Layout(
        (".git/", "CLAUDE.md"), {".github": ".github"}, aborted=".github/copilot-instructions.md"
    ),
    "a link of .git that leads nowhere is no git root": Layout(
        (".git/", "CLAUDE.md", "a/CLAUDE.md"),
        {"a/.git": "none"},
        found=("CLAUDE.md", "a/CLAUDE.md"),
        start="a",
    ),
}


def check(agent: str, layout: Layout, root: Path) -> None:
    for name in layout.files:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            path.mkdir(exist_ok=True)
        else:
            path.write_text(f"text of {name}")
    for name, target in layout.links.items():
        (root / name).symlink_to(target)
    start = os.path.normpath(root / layout.start)
    found = find(profile(agent), Place(start), DiskFiles(FS(), time.time_ns))
    relative = {os.path.relpath(file.path, root): file for file in found.files}
    assert tuple(name for name, file in relative.items() if file.problem is None) == layout.found
    assert {
        name: file.problem.kind for name, file in relative.items() if file.problem is not None
    } == layout.refused
    aborted = found.aborted and os.path.relpath(found.aborted.path, root)
    assert aborted == layout.aborted


@pytest.mark.parametrize("name", CLAW)
def test_claw(name: str, tmp_path: Path) -> None:
    check("claw", CLAW[name], tmp_path)


@pytest.mark.parametrize("name", CLAW_CODE)
def test_claw_code(name: str, tmp_path: Path) -> None:
    check("claw-code", CLAW_CODE[name], tmp_path)


class Unlisted(FS):
    """A folder named ``rules`` that may not be listed, as mode 000 means for an ordinary user."""

    def names(self, folder: str) -> list[str]:
        if os.path.basename(folder) == "rules":
            raise PermissionError(13, "Permission denied", folder)
        return list(super().names(folder))


def test_a_folder_of_rules_that_may_not_be_listed_makes_claw_code_load_nothing(tmp_path: Path) -> None:
    (tmp_path / ".claw/rules").mkdir(parents=True)
    (tmp_path / "CLAUDE.md").write_text("text")
    found = find(profile("claw-code"), Place(str(tmp_path)), DiskFiles(Unlisted(), time.time_ns))
    assert found.aborted is not None and found.aborted.kind == "unreadable"
    assert found.aborted.path == str(tmp_path / ".claw/rules")
