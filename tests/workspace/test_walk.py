"""What one pass counts, tells, asks and costs, and what it says when it could not see all."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from agentbrief.disk.seam import FS
from agentbrief.profiles.load import profile
from agentbrief.profiles.profile import PortContextData
from agentbrief.workspace import Survey, Walk, port_manifest, render_context, starts, survey
from tests.workspace.counting import CountingFS
from tests.workspace.git import build

CLAW = profile("claw").port_context or pytest.fail("claw has no port context")
BARE = replace(CLAW, exclude=())
NAMES = ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md")


def seen(folder: Path, rules: PortContextData = CLAW, **more: object) -> Survey:
    return survey(FS(), str(folder), rules, **more)  # type: ignore[arg-type]


def counts(found: Survey) -> tuple[int, int, int, bool]:
    context = found.context
    return (
        context.python_file_count,
        context.test_file_count,
        context.asset_file_count,
        context.archive_available,
    )


def test_counts_do_not_look_at_ignore_files(tmp_path: Path) -> None:
    build(tmp_path, {
        ".gitignore": "src/\ngenerated/\n*.png\n", "src/a.py": "", "src/p/b.py": "",
        "tests/generated/c.py": "",
        "tests/generated/deep/d.py": "", "assets/e.png": "", "generated/f.py": "",
        "archive/.gitignore": "*\n",
        "archive/g": "", "other/h.py": "",
    })  # fmt: skip
    found = seen(tmp_path)
    assert counts(found) == (2, 2, 1, True)
    assert found.project.files == (".gitignore", "other/h.py")


def test_exclusions_do_not_touch_the_list(tmp_path: Path) -> None:
    build(tmp_path, {"src/venv/a.py": "", "src/a/venv/b.py": "", "src/c.py": ""})
    assert counts(seen(tmp_path))[0] == 1
    assert counts(seen(tmp_path, BARE))[0] == 3
    assert len(seen(tmp_path).project.files) == 3


def test_a_root_may_have_an_excluded_name_lie_deep_overlap_or_lie_outside(tmp_path: Path) -> None:
    project = tmp_path / "project"
    build(project, {"venv/a.py": "", "venv/t/b.py": "", "venv/t/venv/c.py": "", "ignored/x/d.txt": ""})
    build(project, {".gitignore": "ignored/\n"})
    build(tmp_path, {"elsewhere/e": ""})
    rules = replace(CLAW, source="venv", tests="venv/t", assets="ignored/x", archive="../elsewhere")
    found = seen(project, rules)
    assert counts(found) == (2, 1, 1, True)
    assert found.context.archive_root == str(tmp_path / "elsewhere")
    assert counts(seen(project, replace(CLAW, source=".", exclude=())))[0] == 3


def test_a_root_below_a_linked_root_is_counted_once(tmp_path: Path) -> None:
    build(tmp_path, {"real/t/a.py": "", "real/b.py": "", "src": "->real"})
    assert counts(seen(tmp_path, replace(CLAW, tests="src/t")))[:2] == (2, 1)


@pytest.mark.parametrize("content", ["folder", "file", "link", "dangling", "nothing"])
def test_archive(content: str, tmp_path: Path) -> None:
    trees: dict[str, dict[str, str | bytes | None]] = {
        "folder": {"archive/sub": None}, "file": {"archive": ""}, "link": {"x/y": "", "archive": "->x"},
        "dangling": {"archive": "->x"}, "nothing": {},
    }  # fmt: skip
    build(tmp_path, trees[content])
    assert seen(tmp_path).context.archive_available is (content == "link")
    any_path = replace(CLAW, archive_is_any_path=True)
    assert seen(tmp_path, any_path).context.archive_available is (content in ("folder", "file", "link"))


def test_a_found_archive_is_not_searched_further(tmp_path: Path) -> None:
    build(tmp_path, {".gitignore": "archive/\n", "archive/a": ""} | {f"archive/d{n}/x": "" for n in range(9)})
    fs = CountingFS()
    assert survey(fs, str(tmp_path), CLAW).context.archive_available
    assert fs.calls["scan"] == 2


def test_a_project_that_is_not_there(tmp_path: Path) -> None:
    found = seen(tmp_path / "gone")
    assert counts(found) == (0, 0, 0, False)
    assert (found.project.files, found.project.unlisted, found.partial) == ((), (), False)


def test_render_context_is_eight_lines(tmp_path: Path) -> None:
    lines = render_context(seen(tmp_path).context).split("\n")
    assert [line.partition(": ")[0] for line in lines] == [
        "Source root", "Test root", "Assets root", "Archive root", "Python files", "Test files", "Assets",
        "Archive available",
    ]  # fmt: skip


def test_folders_that_refuse(tmp_path: Path) -> None:
    build(tmp_path, {"src/a.py": "", "src/shut/b.py": "", "src/open/c.py": "", "z": ""})
    found = survey(CountingFS((tmp_path / "src/shut",)), str(tmp_path), CLAW)
    assert counts(found)[0] == 2
    assert found.project.files == ("src/a.py", "src/open/c.py", "z")
    assert found.project.unlisted == ("src/shut",)
    assert (found.partial, found.project.partial, found.skipped) == (True, False, ())


def test_the_bound_on_counted_entries(tmp_path: Path) -> None:
    build(
        tmp_path,
        {f"src/d{n}/m{k}.py": "" for n in range(4) for k in range(5)} | {"docs/x": "", "docs/y/z": ""},
    )
    names: list[str] = []
    walk = Walk(FS(), str(tmp_path), replace(CLAW, max_entries=10))
    found = walk.run(listed=lambda folder, files: names.extend(files))
    assert found.context.python_file_count == 10, "a folder is counted whole or not at all"
    assert len(found.skipped) == 2
    assert set(found.skipped) <= {f"src/d{n}" for n in range(4)}
    assert found.partial
    assert not found.cancelled
    assert len(names) == 22, "the list is not bounded"
    exact = Walk(FS(), str(tmp_path), replace(CLAW, max_entries=24)).run()
    assert (exact.context.python_file_count, exact.partial) == (20, False)


@pytest.mark.parametrize("after", [0, 1, 2, 5])
def test_cancelling(after: int, tmp_path: Path) -> None:
    build(tmp_path, {f"src/d{n}/m.py": "" for n in range(8)})
    asked = 0

    def cancelled() -> bool:
        nonlocal asked
        asked += 1
        return asked > after

    found = seen(tmp_path, cancelled=cancelled)
    assert found.partial
    assert found.project.partial
    assert asked == after + 1, "nothing is done after the answer was yes"
    if after == 0:
        assert found.skipped == ("",)
    elif after == 1:
        assert found.skipped == ("src",)
    else:
        assert len(found.skipped) == 8 - (after - 2)
        assert counts(found)[0] == after - 2


def test_cancelling_inside_a_large_folder(tmp_path: Path) -> None:
    for number in range(2500):
        (tmp_path / f"f{number}").touch()
    heard: list[int] = []
    found = seen(tmp_path, progress=heard.append, cancelled=lambda: len(heard) > 2)
    assert heard == [0, 1024, 1024][: len(heard)] or heard[:2] == [0, 1024]
    assert (found.skipped, found.project.files, found.partial) == (("",), (), True)


def test_progress_and_pause(tmp_path: Path) -> None:
    build(tmp_path, {f"d{n}/a": "" for n in range(5)})
    heard: list[int] = []
    pauses: list[None] = []
    seen(tmp_path, progress=heard.append, pause=lambda: pauses.append(None))
    assert heard == sorted(heard)
    assert heard[0] == 0
    assert heard[-1] == 9
    assert len(pauses) == 6, "before each folder"


def test_calls_of_a_pass(tmp_path: Path) -> None:
    build(tmp_path, {
        ".gitignore": "ignored/\n", "a/.gitignore": "x\n", "a/b/c/d": "", "ignored/e/f": "", "src/g.py": "",
        "ignored/.gitignore": "", "link": "->a",
    })  # fmt: skip
    fs = CountingFS()
    survey(fs, str(tmp_path), CLAW)
    assert sorted(os.path.relpath(path, tmp_path) for path in fs.scanned) == [".", "a", "a/b", "a/b/c", "src"]
    assert fs.calls["open"] == fs.calls["close"] == 2
    assert fs.calls["lstat"] == 0
    assert fs.calls["stat"] == 3, "the three roots that were not met"


def test_folders_without_files_are_not_told_of(tmp_path: Path) -> None:
    build(tmp_path, {"a/b/c": "", "d": None, ".gitignore": "*.log\n", "e/x.log": ""})
    told: dict[str, Sequence[str]] = {}
    Walk(FS(), str(tmp_path), CLAW).run(listed=lambda folder, names: told.update({folder: names}))
    assert told == {"": [".gitignore"], "a/b": ["c"]}


def test_starts(tmp_path: Path) -> None:
    build(tmp_path, {
        ".gitignore": "CLAUDE.local.md\nignored/\n", "CLAUDE.md": "", "a/.claude/CLAUDE.md": "",
        "b/CLAUDE.local.md": "",
        "ignored/CLAUDE.md": "", "c/d/CLAUDE.md": "", "e/XCLAUDE.md": "", "f/CLAUDE.md.bak": "",
        "g/claude/CLAUDE.txt": "",
        "h/CLAUDE.md/x": "", ".claude/CLAUDE.md": "", "i/CLAUDE.md": "->../CLAUDE.md",
    })  # fmt: skip
    project = seen(tmp_path, names=NAMES).project
    assert project.ignored_named == ("b/CLAUDE.local.md",)
    expected = ["", "a", "b", "c/d", "i"]
    assert starts(project, NAMES) == tuple(
        str(tmp_path / folder) if folder else str(tmp_path) for folder in expected
    )
    assert starts(project, ("AGENTS.md",)) == ()


def test_an_ignored_file_in_an_ignored_folder_does_not_count(tmp_path: Path) -> None:
    build(tmp_path, {".gitignore": "src/\n", "src/CLAUDE.md": "", "src/a.py": ""})
    found = seen(tmp_path, names=NAMES)
    assert found.project.ignored_named == ()
    assert counts(found)[0] == 1


def test_the_order_of_the_list_does_not_depend_on_the_disk(tmp_path: Path) -> None:
    build(tmp_path, {name: "" for name in ("b", "a/z", "a.x", "B", "é", "a/a/a")})
    assert seen(tmp_path).project.files == ("B", "a.x", "a/a/a", "a/z", "b", "é")


def test_names_that_a_stranger_made_up_end(tmp_path: Path) -> None:
    stars = "*a" * 24 + "*b\n"
    gaps = "**/a/" * 8 + "c*d?\n"
    build(tmp_path, {".gitignore": stars + gaps, "a" * 250: "", "/".join("a" * 300) + "/x": ""})
    assert len(seen(tmp_path).project.files) == 3


def test_manifest_of_nothing_and_cancelled(tmp_path: Path) -> None:
    assert port_manifest(FS(), str(tmp_path / "src")).modules == ()
    build(
        tmp_path,
        {"src/a.py": "", "src/d/b.py": "", "src/l.py": "->a.py", "src/x.py/c.py": "", "src/g.py": "->h"},
    )
    found = port_manifest(FS(), str(tmp_path / "src"))
    assert [(module.name, module.file_count) for module in found.modules] == [
        ("a.py", 1), ("d", 1), ("l.py", 1), ("x.py", 1)
    ]  # fmt: skip
    assert port_manifest(FS(), str(tmp_path / "src"), lambda: True).total == 0


def test_pathspec_is_loaded_by_a_wildcard_alone(tmp_path: Path) -> None:
    program = (
        "import sys, os\n"
        "from agentbrief.disk.seam import FS\n"
        "from agentbrief.profiles.load import profile\n"
        "from agentbrief.workspace import survey\n"
        "survey(FS(), sys.argv[1], profile('claw').port_context)\n"
        "sys.stdout.write(str('pathspec' in sys.modules))\n"
    )
    for rules, loaded in (("a/\n*.log\n!b\n/c/*\ntmp*\n", "False"), ("a?b*c\n", "True")):
        (tmp_path / ".gitignore").write_text(rules)
        command = [sys.executable, "-c", program, str(tmp_path)]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
        assert (
            subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout
            == loaded
        )
