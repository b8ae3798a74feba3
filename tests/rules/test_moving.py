"""A section that the total limit takes away is moved to the nearest file, if that helps."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from agentbrief.disk.files import DiskFiles
from agentbrief.disk.seam import FS
from agentbrief.profiles.load import profile
from agentbrief.rules.finding import Finding, Fix
from agentbrief.rules.registry import rule
from agentbrief.rules.scene import stage
from agentbrief.tasks.judge import judge
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.setup import Setup, brief_from

PROSE = "keep the change small and say what was checked; "
NEAREST = "# Near\n\n- one rule\n"
BEFORE = "# Root\n\n- first\n\n"
BUILD = "## Build\n\n- run make\n\n### Slow\n\n- only at night\n"
AFTER = "## Review\n\n- by two\n"
ROOT = BEFORE + BUILD + "\n" + AFTER


def filled(chars: int) -> str:
    return (PROSE * (chars // len(PROSE) + 1))[:chars]


def made(folder: Path, nearest: str = NEAREST, root: str = ROOT) -> Setup:
    """``a/b`` is the start: its own file is small, the others between leave of the root its first lines."""
    inside = folder / "a" / "b"
    inside.mkdir(parents=True)
    (inside / "CLAUDE.md").write_bytes(nearest.encode())
    (inside / "CLAUDE.local.md").write_text("x" + filled(3999))
    (folder / "a" / "CLAUDE.md").write_text("y" + filled(3999))
    room = 12_000 - 8000 - len(nearest.strip())
    (folder / "a" / "CLAUDE.local.md").write_text("z" + filled(room - len(BEFORE) - 15))
    (folder / "CLAUDE.md").write_bytes(root.encode())
    return Setup(DiskFiles(FS(), time.time_ns), (str(folder),), Settings())


def sent_of(setup: Setup, folder: Path) -> str:
    brief = brief_from(setup, profile("claw"), str(folder / "a" / "b"))
    return "".join(entry.printed for entry in brief.entries)


def found(setup: Setup, folder: Path) -> Finding:
    findings = judge(setup, [str(folder / "a" / "b")])
    return next(each for each in findings if each.code == "total-over-limit")


def moves(finding: Finding, root: str = ROOT) -> list[Fix]:
    fix = rule("total-over-limit").fix
    assert fix is not None
    return [each for each in fix(finding, root) if each.id == "move-section"]


def carried_out(fix: Fix) -> None:
    """As the server does it: what goes into another file goes behind what it holds."""
    for edit in fix.edits:
        path = Path(edit.path)
        text = path.read_bytes().decode()
        start, end = (edit.span.start, edit.span.end) if edit.span else (len(text), len(text))
        path.write_bytes((text[:start] + edit.new_text + text[end:]).encode())


def test_the_section_is_read_from_then_on(tmp_path: Path) -> None:
    setup = made(tmp_path)
    assert BUILD.strip() not in sent_of(setup, tmp_path)
    finding = found(setup, tmp_path)
    assert len(BEFORE + "## Build") < finding.span.start < len(BEFORE + BUILD)
    (move,) = moves(finding)
    assert dict(move.title_arguments) == {"section": "Build", "path": "a/b/CLAUDE.md"}
    assert move.confirm
    assert not move.preferred
    carried_out(move)
    assert (tmp_path / "CLAUDE.md").read_text() == BEFORE + AFTER
    assert (tmp_path / "a" / "b" / "CLAUDE.md").read_text() == NEAREST + "\n" + BUILD
    assert BUILD.strip() in sent_of(setup, tmp_path)


@pytest.mark.parametrize(
    ("nearest", "gap"), [("# Near", "\n\n"), ("# Near\r\n- a\r\n", "\r\n"), ("# Near\n\n", "\n")]
)
def test_the_nearest_file_keeps_its_line_ends(tmp_path: Path, nearest: str, gap: str) -> None:
    (move,) = moves(found(made(tmp_path, nearest), tmp_path))
    carried_out(move)
    newline = "\r\n" if "\r\n" in nearest else "\n"
    held = (tmp_path / "a" / "b" / "CLAUDE.md").read_bytes().decode()
    assert held == nearest + gap + BUILD.replace("\n", newline)


def test_a_line_separator_inside_a_line_stays(tmp_path: Path) -> None:
    root = ROOT.replace("only at night", "only\u2028at\x0cnight")
    (move,) = moves(found(made(tmp_path, root=root), tmp_path), root)
    carried_out(move)
    assert "only\u2028at\x0cnight" in (tmp_path / "a" / "b" / "CLAUDE.md").read_bytes().decode()


def test_a_section_that_does_not_fit_is_not_offered(tmp_path: Path) -> None:
    nearest = "# Near\n" + filled(4000 - len("# Near\n") - 20)
    assert not moves(found(made(tmp_path, nearest), tmp_path))


@pytest.mark.parametrize("root", [f"- {filled(600)}\n", f"# Root\n\n{filled(600)}\n"])
def test_a_whole_file_is_not_moved(tmp_path: Path, root: str) -> None:
    assert not moves(found(made(tmp_path, root=root), tmp_path), root)


def test_what_all_are_told_is_not_moved_into_a_file_of_ones_own(tmp_path: Path) -> None:
    setup = made(tmp_path)
    inside = tmp_path / "a" / "b"
    (inside / "CLAUDE.md").unlink()
    (inside / "CLAUDE.local.md").write_text(NEAREST)
    (inside / ".claude").mkdir()
    (inside / ".claude" / "CLAUDE.md").write_text("x" + filled(3999))
    finding = found(setup, tmp_path)
    assert "nearest" not in dict(finding.data)
    assert not moves(finding)


def test_a_section_of_ones_own_stays_in_ones_own_files(tmp_path: Path) -> None:
    setup = made(tmp_path)
    (tmp_path / "CLAUDE.md").rename(tmp_path / "CLAUDE.local.md")
    local = tmp_path / "a" / "b" / "CLAUDE.local.md"
    near = local.parent / "CLAUDE.md"
    shared = near.read_text()
    near.write_text(local.read_text())
    local.write_text(shared)
    (move,) = moves(found(setup, tmp_path))
    assert dict(move.title_arguments)["path"] == "a/b/CLAUDE.local.md"


def test_what_is_blank_at_the_end_of_the_nearest_file_counts(tmp_path: Path) -> None:
    # With one line end and one blank line before the section the file is exactly full.
    full = 4000 - len("\n\n" + BUILD.strip())
    start = "# Near\n"
    for blanks, offered in ((1, True), (2, False)):
        folder = tmp_path / str(blanks)
        nearest = start + filled(full - len(start) - 1) + "." + "\n" * blanks
        assert bool(moves(found(made(folder, nearest), folder))) is offered


def test_two_names_of_one_file_are_left_alone(tmp_path: Path) -> None:
    setup = made(tmp_path)
    near = tmp_path / "a" / "b" / "CLAUDE.md"
    near.unlink()
    near.symlink_to(tmp_path / "CLAUDE.md")
    agent = replace(profile("claw"), dedup=None)
    brief = brief_from(setup, agent, str(near.parent))
    scene = stage(agent, [brief], lambda start: brief)
    far = str(tmp_path / "CLAUDE.md")
    (told,) = (each for each in rule("total-over-limit").check(scene) if each.path == far)
    assert "nearest" not in dict(told.data)
