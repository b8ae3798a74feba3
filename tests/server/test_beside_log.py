"""The log of the user's own hook on the pages of a real server: named by the setting, followed, only read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.oracle.written import line
from tests.server.session_editor import page, running, shop
from tests.tasks.homes import Home

pytestmark = pytest.mark.e2e

SETTING = {"oracleLog": "~/hook.jsonl"}
HEADING = "## Claude Code's hook beside "


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return shop(tmp_path)


def loaded(home: Home, *names: str, session_id: str = "s1") -> bytes:
    """The lines of one session in the workspace."""
    folder = str(home.workspace)
    return b"".join(line(f"{folder}/{name}", cwd=folder, session_id=session_id) + b"\n" for name in names)


def cells(text: str, name: str) -> list[str]:
    """The row of the section that is about a file."""
    section = text[text.index(HEADING) :]
    rows = [row for row in section.split("\n") if row.startswith(f"| {name} ")]
    return [cell.strip() for cell in rows[0].split("|")[1:-1]] if rows else []


async def test_the_brief_page_follows_the_log(home: Home) -> None:
    log = home.home / "hook.jsonl"
    log.write_bytes(loaded(home, "CLAUDE.md", "rules.md"))
    async with running(home, options=SETTING, writes=True) as editor:
        shown = await editor.run("brief.show", folder=home.workspace.as_uri())
        text = (await page(editor, shown["uri"]))["text"]
        assert HEADING + "Claw\n" in text
        assert "Log: ~/hook.jsonl; newest session: s1." in text
        assert cells(text, "CLAUDE.md")[2] == "send it"
        assert cells(text, "rules.md")[2] == "leave it unread when started here"
        with log.open("ab") as file:
            file.write(loaded(home, "rules.md", session_id="s2") + b'{"torn')
        text = (await page(editor, shown["uri"]))["text"]
        assert "newest session: s2." in text
        assert cells(text, "CLAUDE.md")[1:] == ["nothing of it", "send it"]
        assert "line 4: an object without its end" in text
        log.unlink()
        text = (await page(editor, shown["uri"]))["text"]
        assert "There is no log at ~/hook.jsonl" in text
        log.write_bytes(loaded(home, "CLAUDE.md"))
        text = (await page(editor, shown["uri"]))["text"]
        assert "newest session: s1." in text
    told = home.home.parent / "audit.txt"
    assert not told.exists() or "hook.jsonl" not in told.read_text(encoding="utf-8")


async def test_the_compare_page_has_a_column_for_each_agent(home: Home) -> None:
    (home.home / "hook.jsonl").write_bytes(loaded(home, "CLAUDE.md"))
    async with running(home, options=SETTING) as editor:
        found = await editor.run(
            "brief.compare", folder=home.workspace.as_uri(), agents=["claw", "claw-code"], show=False
        )
        assert HEADING + "Claw, claw-code\n" in found["text"]
        assert cells(found["text"], "CLAUDE.md")[2:] == ["send it", "send it"]


async def test_without_the_setting_nothing_is_said(home: Home) -> None:
    (home.home / "hook.jsonl").write_bytes(loaded(home, "CLAUDE.md"))
    async with running(home) as editor:
        for command in ("brief.show", "brief.compare"):
            found = await editor.run(command, folder=home.workspace.as_uri(), show=False)
            assert "hook" not in found["text"]


async def test_other_pages_say_nothing_of_it(home: Home) -> None:
    (home.home / "hook.jsonl").write_bytes(loaded(home, "CLAUDE.md"))
    async with running(home, options=SETTING) as editor:
        for command in ("prompt.show", "budget.show"):
            found = await editor.run(command, folder=home.workspace.as_uri(), show=False)
            assert "hook" not in found["text"]


@pytest.mark.parametrize(
    ("locale", "said"),
    [("zh-cn", "没有日志"), ("zh-tw", "沒有日誌"), ("en", "There is no log")],
)
async def test_a_log_that_is_missing_in_the_readers_language(home: Home, locale: str, said: str) -> None:
    async with running(home, options=SETTING, locale=locale) as editor:
        found = await editor.run("brief.show", folder=home.workspace.as_uri(), show=False)
        assert said in found["text"]
        assert "~/hook.jsonl" in found["text"]


async def test_a_log_in_another_folder_than_the_home(home: Home) -> None:
    log = home.home.parent / "logs" / "hook.jsonl"
    log.parent.mkdir()
    pretty = json.dumps(json.loads(loaded(home, "CLAUDE.md")), indent=2)
    log.write_text(pretty + pretty, encoding="utf-8")
    async with running(home, options={"oracleLog": str(log)}) as editor:
        found = await editor.run("brief.show", folder=home.workspace.as_uri(), show=False)
        assert cells(found["text"], "CLAUDE.md")[2] == "send it"
    assert log.read_text(encoding="utf-8") == pretty + pretty
