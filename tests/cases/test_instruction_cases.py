"""The reported situations that concern instruction files, for the agents whose loading rules are known."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import pytest

from agentbrief.brief import Brief, CutAt
from agentbrief.disk.files import DiskFiles
from agentbrief.disk.seam import FS
from agentbrief.profiles.load import profile, profile_ids
from agentbrief.rules.finding import Finding
from agentbrief.tasks.check import check
from agentbrief.tasks.settings import parse
from agentbrief.tasks.setup import Setup, brief_from
from agentbrief.text.line_index import LineIndex
from tests.cases.areas import supported
from tests.cases.build import Built, UserCase, build, user_cases
from tests.cases.test_session_cases import check_findings, versions


def loads_files(agent: str) -> bool:
    """Whether the files that ``agent`` loads are known, and not only its sessions."""
    return agent in profile_ids() and profile(agent).walk is not None


CASES = [
    pytest.param(case, agent, expected, id=f"{case.id}[{agent}]")
    for case in user_cases()
    if not supported(case) and case.repro["platform"] != "win32"
    for agent, _, expected in versions(case)
    if loads_files(agent)
]


@pytest.mark.parametrize(("case", "agent", "expected"), CASES)
def test_case(case: UserCase, agent: str, expected: dict[str, Any], tmp_path: Path) -> None:
    built = build(case, tmp_path, time.time())
    setup, findings = judged(built, agent)
    brief = brief_from(setup, profile(agent), built.cwd)
    check_findings(built, expected, findings)
    check_places(built, expected, findings)
    check_brief(built, expected, brief)


def judged(built: Built, agent: str) -> tuple[Setup, tuple[Finding, ...]]:
    repro = built.case.repro
    settings, _ = parse({**repro.get("settings", {}), "agents": [agent]})
    folders = tuple(built.path(each) for each in repro.get("workspace_folders", [repro["cwd"]]))
    setup = Setup(DiskFiles(FS(), time.time_ns), folders, settings)
    return setup, check(setup, (built.cwd,), FS()).findings


def check_places(built: Built, expected: dict[str, Any], findings: tuple[Finding, ...]) -> None:
    for finding in (each for each in findings if each.code == expected["code"]):
        text = Path(finding.path).read_text("utf-8") if Path(finding.path).is_file() else ""
        if "line" in expected and finding.path == built.path(expected["file"]):
            assert LineIndex(text).position(finding.span.start)[0] + 1 == expected["line"]
        if "related" in expected:
            named = {other.path for other in finding.related}
            assert {built.path(each) for each in expected["related"]} <= named


def check_brief(built: Built, expected: dict[str, Any], brief: Brief) -> None:
    sent = {entry.file.path: entry for entry in brief.entries}
    if "loaded" in expected:
        assert set(map(built.path, expected["loaded"])) == set(sent)
    for path in expected.get("not_loaded", ()):
        assert built.path(path) not in sent
    kept = expected.get("kept")
    if isinstance(kept, int):
        kept = {built.case.expected["file"]: kept}
    for path, chars in (kept or {}).items():
        assert sent[built.path(path)].kept_chars == chars
    if "dropped" in expected:
        cut = sent[built.path(expected["file"])]
        assert isinstance(cut, CutAt) and cut.lost_chars == expected["dropped"]
    if "limit" in expected and expected.get("unit") == "chars":
        assert expected["limit"] in (brief.limits.per_file, brief.limits.total)
