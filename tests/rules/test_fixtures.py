"""Each rule and each profile against small trees of files written in Markdown."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from agentbrief.brief import Brief, CutAt, DuplicateOf, Included, Omitted
from agentbrief.disk.files import DiskFiles
from agentbrief.disk.seam import FS
from agentbrief.messages import say
from agentbrief.profiles.load import profile
from agentbrief.prompt import rendered
from agentbrief.rules.finding import Finding
from agentbrief.tasks.judge import judge
from agentbrief.tasks.settings import parse
from agentbrief.tasks.setup import Setup, agents, brief_from
from agentbrief.text.line_index import LineIndex
from tests.rules.fixture import Fixture, build, fixtures, updated

FOLDERS = (Path(__file__).parent / "instructions", Path(__file__).parents[1] / "profiles")
ALL = [fixture for folder in FOLDERS for path in sorted(folder.glob("*.md")) for fixture in fixtures(path)]


def setup_of(fixture: Fixture, root: Path) -> Setup:
    given = fixture.settings
    user = {
        "agents": [name.strip() for name in given.get("profile", "claw").split(",")],
        "discovery": {"bound": given.get("bound", "workspace")},
        "limits": {
            key: int(given[f"limits.{key}"]) for key in ("perFile", "total") if f"limits.{key}" in given
        },
        "versions": dict(pair.split("=") for pair in given.get("versions", "").split()),
        "diagnostics": {"level": dict(pair.split("=") for pair in given.get("level", "").split() if pair)},
    }
    settings, warnings = parse(user)
    assert warnings == ()
    folders = tuple(
        str(root / folder.strip().lstrip("/")) for folder in given.get("workspace", "/w").split(",")
    )
    return Setup(DiskFiles(FS(), time.time_ns), folders, settings)


def starts_of(fixture: Fixture, setup: Setup, root: Path) -> list[str]:
    """The start given, and each folder below the workspace folder that holds a listed name."""
    if "start" in fixture.settings:
        return [str(root / start.strip().lstrip("/")) for start in fixture.settings["start"].split(",")]
    names = {os.path.basename(name) for agent in agents(setup.settings) for name in agent.names}
    found = []
    for folder in setup.folders:
        for path in sorted(Path(folder).rglob("*")):
            if path.name in names:
                holder = path.parent.parent if path.parent.name in (".claude", ".claw") else path.parent
                found.append(str(holder))
    return list(dict.fromkeys(found)) or list(setup.folders)


def message_of(finding: Finding) -> str:
    return say("en", finding.message, **dict(finding.arguments))


def brief_block(brief: Brief, root: Path) -> str:
    lines = []
    for placed in brief.placements:
        path = "/" + os.path.relpath(placed.file.path, root)
        match placed:
            case Included():
                what = f"sent {placed.charge.consumed}"
            case CutAt():
                what = f"cut at {placed.at} of {placed.file.chars} ({placed.by})"
            case DuplicateOf():
                what = "same text as /" + os.path.relpath(placed.survivor.path, root)
            case Omitted():
                what = f"omitted ({placed.file.problem.kind if placed.file.problem else placed.why})"
        lines.append(f"{path}  {what}")
    if brief.aborted is not None:
        lines.append(f"nothing: /{os.path.relpath(brief.aborted.path, root)} {brief.aborted.kind}")
    lines.extend(
        f"/{os.path.relpath(path, root)}  above" for path in brief.above if path.startswith(str(root))
    )
    return "\n".join(lines)


@pytest.mark.parametrize("fixture", ALL, ids=str)
def test_fixture(fixture: Fixture, tmp_path: Path, request: pytest.FixtureRequest) -> None:
    root = Path(os.path.realpath(tmp_path))
    build(fixture, root)
    setup = setup_of(fixture, root)
    starts = starts_of(fixture, setup, root)
    found = judge(setup, starts)
    check_marks(fixture, found, root)
    blocks = {}
    for word in fixture.expects:
        agent = profile(word.split(" ")[1]) if " " in word else agents(setup.settings)[0]
        brief = brief_from(setup, agent, starts[0])
        if word.startswith("brief"):
            blocks[word] = brief_block(brief, root)
        else:
            section = rendered(agent, brief)
            blocks[word] = (section.text if section else "").replace(str(root), "")
    if request.config.getoption("--update"):
        for word, block in blocks.items():
            fixture.source.write_text(updated(fixture.source, fixture, word, block), encoding="utf-8")
    else:
        assert blocks == fixture.expects


def check_marks(fixture: Fixture, found: tuple[Finding, ...], root: Path) -> None:
    for file in fixture.files:
        path = str(root / file.path.lstrip("/"))
        mine = [finding for finding in found if finding.path == path]
        index = LineIndex(file.text)
        told = {(index.line_of(each.span.start) + 1, each.code): message_of(each) for each in mine}
        for mark in file.marks:
            assert (mark.line, mark.code) in told, (
                f"{file.path}:{mark.line} lacks {mark.code}; there is {told}"
            )
            assert mark.message in told[mark.line, mark.code]
        if file.marks or file.quiet:
            wanted = {(mark.line, mark.code) for mark in file.marks}
            extra = {key: text for key, text in told.items() if key not in wanted}
            assert not extra, f"{file.path}: not expected: {extra}"
        if file.cut is not None:
            over = ("file-over-limit", "total-over-limit")
            assert file.cut in [each.span.start for each in mine if each.code in over]
