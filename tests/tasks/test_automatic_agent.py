"""Which agent a folder is made for: by the names in it, the specific ones first."""

from __future__ import annotations

from pathlib import Path

import pytest

from agentbrief.disk.files import DiskFiles
from agentbrief.disk.seam import FS
from agentbrief.profiles.custom import custom_profile
from agentbrief.tasks.automatic_agent import agent_for, with_automatic
from agentbrief.tasks.settings import Settings
from tests.profiles.own import own_profile

FOLDERS: list[tuple[list[str], str]] = [
    ([], "claw"),
    (["README.md"], "claw"),
    (["CLAUDE.md"], "claw"),
    ([".claude/CLAUDE.md"], "claw"),
    ([".claude/settings.json"], "claw"),
    (["CLAW.md"], "claw-code"),
    ([".claw/rules/style.md"], "claw-code"),
    (["CLAUDE.md", "AGENTS.md"], "claw-code"),
    (["AGENTS.md"], "claw-code"),
    (["CLAUDE.md", ".cursorrules"], "claw"),
    (["AGENTS.md", "SOUL.md", "IDENTITY.md"], "openclaw"),
    (["SOUL.md"], "claw"),
    (["CLAUDE.md", "AGENTS.md", "SOUL.md", "USER.md", "IDENTITY.md"], "openclaw"),
    # Names that anybody may use do not make a folder another agent's.
    (["CLAUDE.md", "TOOLS.md"], "claw"),
    (["CLAUDE.md", "memory.md"], "claw"),
    (["RULES.md"], "mine"),
    (["CLAUDE.md", "RULES.md"], "mine"),
    (["CLAUDE.md", "AGENTS.md", "CLAW.md", "RULES.md"], "claw-code"),
    ([".mine/rules/one.md"], "mine"),
]


@pytest.mark.parametrize(("names", "wanted"), FOLDERS, ids=lambda each: "+".join(each))
def test_the_most_specific_evidence(tmp_path: Path, names: list[str], wanted: str) -> None:
    for name in names:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x", encoding="utf-8")
    settings = Settings().with_profile(custom_profile(own_profile(), "mine.json"))
    assert agent_for(settings, DiskFiles(FS(), lambda: 0), str(tmp_path)) == wanted


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        (("claw-code",), ("claw-code",)),
        (("auto",), ("openclaw",)),
        (("auto", "claw"), ("openclaw", "claw")),
        (("auto", "openclaw"), ("openclaw",)),
        (("claw", "auto"), ("claw", "openclaw")),
    ],
)
def test_it_stands_where_auto_stood(tmp_path: Path, given: tuple[str, ...], wanted: tuple[str, ...]) -> None:
    for name in ("SOUL.md", "USER.md"):
        (tmp_path / name).write_text("x", encoding="utf-8")
    settings = Settings().replaced("agents", given)
    found = with_automatic(settings, DiskFiles(FS(), lambda: 0), str(tmp_path))
    assert found.strings("agents") == wanted


def test_no_folder_is_the_default_agents() -> None:
    settings = Settings().replaced("agents", ("auto",))
    assert with_automatic(settings, DiskFiles(FS(), lambda: 0), None).strings("agents") == ("claw",)
