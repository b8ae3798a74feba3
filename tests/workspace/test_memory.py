"""A second pass lists only what changed, and sees the same as a first one would."""

from __future__ import annotations

import os
import random
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from agentbrief.profiles.load import profile
from agentbrief.workspace import Memory, Survey, survey
from tests.workspace.counting import CountingFS
from tests.workspace.git import build

CLAW = profile("claw").port_context or pytest.fail("claw has no port context")
NAMES = ("CLAUDE.md",)


def later() -> int:
    """A clock that runs ahead, so that nothing seems to have changed just now."""
    return time.time_ns() + 3_600_000_000_000


def tree(folder: Path) -> None:
    build(folder, {f"src/d{n}/e{k}/m.py": "" for n in range(4) for k in range(3)})
    build(
        folder,
        {".gitignore": "*.log\n", "docs/.gitignore": "x\n", "docs/x": "", "docs/y/z": "", "docs/a.log": ""},
    )


def passed(folder: Path, memory: Memory | None) -> tuple[Survey, CountingFS]:
    fs = CountingFS()
    return survey(fs, str(folder), CLAW, names=NAMES, memory=memory), fs


def test_nothing_changed(tmp_path: Path) -> None:
    tree(tmp_path)
    memory = Memory(later)
    first, _ = passed(tmp_path, memory)
    second, fs = passed(tmp_path, memory)
    assert second == first
    assert fs.scanned == []
    assert fs.calls["open"] == 0
    assert len(memory) == 20


def _touch(path: Path, content: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content)


CHANGES: dict[str, tuple[Callable[[Path], object], set[str]]] = {
    "a new file": (lambda root: _touch(root / "src/d1/new.py", ""), {"src/d1"}),
    "a file gone": (lambda root: (root / "src/d0/e0/m.py").unlink(), {"src/d0/e0"}),
    "a folder gone": (lambda root: shutil.rmtree(root / "src/d2"), {"src"}),
    "a new folder": (lambda root: _touch(root / "docs/n/CLAUDE.md", ""), {"docs", "docs/n"}),
    "a file renamed": (lambda root: (root / "docs/y/z").rename(root / "docs/y/q"), {"docs/y"}),
    "other rules": (lambda root: _touch(root / "docs/.gitignore", "y/\nCLAUDE.md\n"), {"docs"}),
    "other rules at the top": (lambda root: _touch(root / ".gitignore", "m.py\n"), {"everything"}),
    "content alone": (lambda root: _touch(root / "src/d0/e0/m.py", "longer"), set()),
}


@pytest.mark.parametrize("name", CHANGES)
def test_one_change(name: str, tmp_path: Path) -> None:
    tree(tmp_path)
    memory = Memory(later)
    passed(tmp_path, memory)
    time.sleep(0.02)
    change, looked_at = CHANGES[name]
    change(tmp_path)
    second, fs = passed(tmp_path, memory)
    fresh, all_of_it = passed(tmp_path, None)
    assert second == fresh
    scanned = {os.path.relpath(path, tmp_path) for path in fs.scanned}
    if looked_at == {"everything"}:
        assert len(fs.scanned) == len(all_of_it.scanned)
    else:
        assert scanned == looked_at


def test_what_changed_just_now_is_looked_at_again(tmp_path: Path) -> None:
    tree(tmp_path)
    memory = Memory(time.time_ns)
    now = time.time_ns()
    for folder in tmp_path.rglob("*"):
        os.utime(folder, ns=(0, now - 10**12))
    os.utime(tmp_path, ns=(0, now - 10**12))
    os.utime(tmp_path / "src/d1", ns=(0, now + 10**12))
    passed(tmp_path, memory)
    _, fs = passed(tmp_path, memory)
    assert fs.scanned == [str(tmp_path / "src/d1")]


def test_another_folder_of_the_same_time(tmp_path: Path) -> None:
    build(tmp_path, {"a/x": "", "b/y": ""})
    for name in ("a", "b"):
        os.utime(tmp_path / name, ns=(0, 10**18))
    memory = Memory(later)
    passed(tmp_path, memory)
    (tmp_path / "a").rename(tmp_path / "c")
    (tmp_path / "b").rename(tmp_path / "a")
    assert passed(tmp_path, memory)[0].project.files == ("a/y", "c/x")


def test_the_target_of_a_link_may_change(tmp_path: Path) -> None:
    build(tmp_path, {"src/l.py": "->../t", "t": ""})
    memory = Memory(later)
    assert passed(tmp_path, memory)[0].context.python_file_count == 1
    (tmp_path / "t").unlink()
    assert passed(tmp_path, memory)[0].context.python_file_count == 0


@pytest.mark.parametrize("content", ["", "# nothing yet\n"])
def test_an_ignore_file_without_rules_gets_some(content: str, tmp_path: Path) -> None:
    build(tmp_path, {"d/.gitignore": content, "d/x": ""})
    memory = Memory(later)
    assert "d/x" in passed(tmp_path, memory)[0].project.files
    (tmp_path / "d/.gitignore").write_text("x\n")
    assert "d/x" not in passed(tmp_path, memory)[0].project.files


def test_another_project_or_other_names(tmp_path: Path) -> None:
    build(tmp_path, {"a/.gitignore": "CLAUDE.md\nN\n", "a/CLAUDE.md": "", "a/N": "", "b/x": ""})
    memory = Memory(later)
    assert passed(tmp_path, memory)[0].project.ignored_named == ("a/CLAUDE.md",)
    found = survey(CountingFS(), str(tmp_path), CLAW, names=("N",), memory=memory)
    assert found.project.ignored_named == ("a/N",)
    found = survey(CountingFS(), str(tmp_path / "b"), CLAW, names=("N",), memory=memory)
    assert found.project.files == ("x",)


def test_a_cancelled_pass_forgets_nothing(tmp_path: Path) -> None:
    tree(tmp_path)
    memory = Memory(later)
    first, _ = passed(tmp_path, memory)
    survey(CountingFS(), str(tmp_path), CLAW, names=NAMES, memory=memory, cancelled=lambda: True)
    second, fs = passed(tmp_path, memory)
    assert second == first
    assert fs.scanned == []


def test_any_row_of_changes(tmp_path: Path) -> None:
    chance = random.Random(5)
    memory = Memory(later)
    tree(tmp_path)
    for _ in range(25):
        folders = [
            tmp_path,
            *sorted(path for path in tmp_path.rglob("*") if path.is_dir() and not path.is_symlink()),
        ]
        folder = chance.choice(folders)
        kind = chance.randrange(5)
        if kind == 0:
            _touch(folder / f"new{chance.randrange(99)}" / "a.py", "")
        elif kind == 1:
            _touch(folder / ".gitignore", chance.choice(["m.py\n", "e1/\n", "/a.py\n!m.py\n", "d*/e?\n"]))
        elif kind == 2 and folder != tmp_path:
            shutil.rmtree(folder)
        else:
            _touch(folder / chance.choice(["q.py", "r.log", "CLAUDE.md"]), "")
        time.sleep(0.01)
        assert passed(tmp_path, memory)[0] == passed(tmp_path, None)[0]
