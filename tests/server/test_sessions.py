"""Sessions by the language server: the list, one session, its status, rows, hovers."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from lsprotocol import types as lsp

from tests.server.editor import Editor
from tests.server.session_editor import now, page, refused, rows, running, shop
from tests.sessions.claude_code.written import file_of, user
from tests.tasks.homes import CLAUDE_ID, NOW_MS, Home, put

pytestmark = pytest.mark.e2e


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return shop(tmp_path)


async def test_list(home: Home) -> None:
    async with running(home) as editor:
        found = await editor.run("session.list")
        assert [each["agent"] for each in found["sessions"]] == list(home.all)
        assert [each["path"] for each in found["sessions"]] == [str(path) for path in home.all.values()]
        assert (found["problems"], found["databases"]) == ([], [])
        one = await editor.run("session.list", find="LOGIN")
        assert [each["id"] for each in one["sessions"]] == [CLAUDE_ID]
        shown = await editor.run("session.list", show=True)
        text = (await page(editor, shown["uri"]))["text"]
        assert text.startswith("# Sessions\n")
        assert "Fix the login redirect" in text
        assert await refused(editor, "session.list", folder="/nowhere")


async def test_an_empty_home_says_where_it_looked(tmp_path: Path) -> None:
    home = Home(tmp_path / "shop", tmp_path / "home")
    home.workspace.mkdir()
    async with running(home) as editor:
        shown = await editor.run("session.list", show=True)
        assert shown["sessions"] == []
        assert ".claude/projects" in " ".join(shown["lookedIn"])
        text = (await page(editor, shown["uri"]))["text"]
        assert "No agent sessions found for this folder. Looked in: " in text
        assert await rows(editor, home) == []
        assert await editor.run("session.status") is None
        assert "no" in (await refused(editor, "session.open")).lower()


async def test_without_permission_the_home_is_not_read(home: Home) -> None:
    async with running(home, options={"readHomeSessions": False}) as editor:
        found = await editor.run("session.list")
        assert [each["agent"] for each in found["sessions"]] == ["claw", "claw-code"]
        assert await refused(editor, "session.open", uri=home.claude.as_uri(), show=False)


async def test_open_shows_the_end_as_a_page(home: Home) -> None:
    async with running(home) as editor:
        for path in home.all.values():
            shown = await editor.run("session.open", uri=path.as_uri(), show=False)
            assert shown["text"].startswith("# ")
            assert (await page(editor, shown["uri"]))["text"] == shown["text"]
        by_id = await editor.run("session.open", id=CLAUDE_ID, level="tools")
        assert (by_id["agent"], by_id["sessionId"]) == ("claude-code", CLAUDE_ID)
        text = (await page(editor, by_id["uri"]))["text"]
        assert "# Fix the login redirect" in text
        assert "<details>" in text
        assert await refused(editor, "session.open", id=CLAUDE_ID, level="nothing")
        assert "none" in await refused(editor, "session.open", id="none")


async def test_a_session_is_chosen_of_a_list(home: Home) -> None:
    async with running(home) as editor:
        editor.answers = ["Fix the login redirect", None]
        assert (await editor.run("session.open"))["sessionId"] == CLAUDE_ID
        assert await editor.run("session.open") == {"shown": False}
        titles = [each.title for each in editor.asked[0].actions]
        assert titles[:3:2] == ["Plan the release", "Fix the login redirect"]
        assert len(titles) == 6


async def test_status(home: Home) -> None:
    async with running(home) as editor:
        for agent, path in home.all.items():
            found = await editor.run("session.status", uri=path.as_uri())
            assert found["uri"] == path.as_uri()
            assert {"sessionId", "used", "reported", "window", "byKind", "compactsAt", "state"} <= set(found)
            assert found["used"] > 0, agent
        claude = await editor.run("session.status", id=CLAUDE_ID)
        assert (claude["used"], claude["reported"], claude["title"]) == (
            82_010,
            True,
            "Fix the login redirect",
        )
        newest = await editor.run("session.status")
        assert newest["sessionId"] == "plan"


async def test_the_workspace_s_own_sessions_need_trust_to_be_opened(home: Home) -> None:
    async with running(home, trusted=False) as editor:
        for path in (home.port, home.claw):
            for command in ("session.open", "session.status", "session.check", "history.export"):
                sentence = await refused(editor, command, uri=path.as_uri())
                assert "not trusted" in sentence, command
        assert (await editor.run("session.open", uri=home.claude.as_uri(), show=False))["text"]
        assert (await editor.run("session.status"))["sessionId"] == CLAUDE_ID
        editor.answers = [None]
        await editor.run("session.open")
        assert "Plan the release" not in [each.title for each in editor.asked[0].actions]
        shown = await rows(editor, home)
        uri = next(row["target"]["uri"] for row in shown if "plan.json" in row["id"])
        assert await page(editor, uri) is None
        editor.client.protocol.notify("agentbrief/didChangeTrust", {"trusted": True})
        assert await page(editor, uri) is not None


async def test_rows(home: Home) -> None:
    home.codex.write_bytes(b'{"torn')
    async with running(home) as editor:
        found = {row["id"]: row for row in await rows(editor, home)}
        claude = found[f"session:{home.claude}"]
        assert claude["label"] == "Fix the login redirect"
        assert "Claude Code" in claude["description"]
        assert "82k of 1M · Claude Code" in claude["description"], "the number where a narrow view shows it"
        assert claude["contextValue"] == "session.foreign.claude-code"
        assert claude["accessibilityLabel"].startswith("Fix the login redirect, Claude Code, ")
        assert claude["uri"] == home.claude.as_uri()
        text = (await page(editor, claude["target"]["uri"]))["text"]
        assert text.startswith("# Fix the login redirect")
        assert found[f"session:{home.port}"]["contextValue"] == "session.own.claw"
        keys = {
            "id",
            "label",
            "description",
            "tooltip",
            "icon",
            "accessibilityLabel",
            "contextValue",
            "target",
        }
        assert all(keys <= set(row) for row in found.values())
        assert not any(row["hasChildren"] for row in found.values())


LONG_TITLES = [
    ("Keep what was read before and forget it when the file is written", "Keep what was read…"),
    ("登录页重定向之后丢失会话，刷新页面也没有用，请找出原因", "登录页重定向之后丢失会…"),
]


@pytest.mark.parametrize(("title", "label"), LONG_TITLES)
async def test_a_long_title_leaves_room_for_the_numbers(home: Home, title: str, label: str) -> None:
    text = home.claude.read_bytes().replace(b"Fix the login redirect", title.encode())
    assert title.encode() in text
    home.claude.write_bytes(text)
    async with running(home) as editor:
        row = next(row for row in await rows(editor, home) if row["id"] == f"session:{home.claude}")
        assert row["label"] == label
        assert title in row["tooltip"]
        assert row["accessibilityLabel"].startswith(f"{title}, Claude Code, ")


async def test_rows_of_many_sessions_are_grouped(home: Home) -> None:
    folder = home.claude.parent
    for number in range(230):
        path = folder / f"{number:08d}-1111-4111-8111-111111111111.jsonl"
        put(path, file_of(user("u", None, f"Task {number}", cwd=str(home.workspace))), hours_ago=9999)
        if number < 3:
            now(path)
    async with running(home) as editor:
        groups = await rows(editor, home)
        assert groups[0]["label"] == "Today"
        assert all(row["hasChildren"] for row in groups)
        inner = [await rows(editor, home, parent=row["id"]) for row in groups]
        assert sum(map(len, inner)) == 236
        assert {row["label"] for row in inner[0]} >= {"Task 0", "Task 1", "Task 2"}
        assert await rows(editor, home, parent="sessions:group:none") == []


async def test_a_budget_shows_the_session(home: Home) -> None:
    now(home.claude)
    async with running(home) as editor:
        await editor.until(lambda: "ession" in str(editor.status.get(str(home.workspace), {})))
        found = await rows(editor, home, "budget")
        row = next(each for each in found if each["id"] == "budget:session")
        assert (row["label"], row["description"]) == ("Session", "8% · 82k of 1M · Fix the login redirect")
        kinds = await rows(editor, home, "budget", "budget:session")
        assert "Messages" in [each["label"] for each in kinds]
        uri = editor.open("CLAUDE.md")
        shown = await editor.run("budget.show", uri=uri, show=False)
        assert "## Session “Fix the login redirect”" in shown["text"]


async def test_check_page_and_reply(home: Home) -> None:
    home.claude.write_bytes(home.claude.read_bytes() + b'{"torn')
    async with running(home) as editor:
        found = await editor.run("session.check", uri=home.claude.as_uri())
        assert [each["torn_tail"] for each in found["sessions"]] == [True]
        text = (await page(editor, found["uri"]))["text"]
        assert "torn last line" in text
        every = await editor.run("session.check", show=False)
        assert len(every["sessions"]) == 6
        assert "torn last line" in every["text"]
        editor.client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(
                lsp.TextDocumentItem(home.claude.as_uri(), "jsonl", 1, home.claude.read_text())
            )
        )
        await editor.run("session.check", uri=home.claude.as_uri(), show=False)


async def hover(editor: Editor, uri: str, text: str, word: str) -> str | None:
    """The hover on the first ``word`` of a document."""
    before = text[: text.index(word)]
    line, character = before.count("\n"), len(before) - before.rfind("\n") - 1
    params = lsp.HoverParams(lsp.TextDocumentIdentifier(uri), lsp.Position(line, character + 1))
    found = await editor.client.text_document_hover_async(params)
    return found.contents.value if found is not None else None  # type: ignore[union-attr]


async def test_hover_on_identifiers_of_a_store(home: Home) -> None:
    store = home.openclaw.with_name("sessions.json")
    entry: dict[str, Any] = {"sessionId": "oc-1", "updatedAt": NOW_MS, "label": "Daily report"}
    first = json.loads(home.openclaw.read_bytes().split(b"\n")[1])["id"]
    entry["compactionCheckpoints"] = [{"checkpointId": "c1", "sessionId": "oc-1", "firstKeptEntryId": first}]
    text = json.dumps({"agent:main:main": entry}, indent=2)
    put(store, text.encode())
    async with running(home) as editor:
        item = lsp.TextDocumentItem(store.as_uri(), "json", 1, text)
        editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        found = await hover(editor, store.as_uri(), text, "oc-1")
        assert found is not None
        assert "**Daily report** · OpenClaw" in found
        entry_said = await hover(editor, store.as_uri(), text, first)
        assert entry_said is not None
        assert "oc\\-1" in entry_said or "oc-1" in entry_said
        assert await hover(editor, store.as_uri(), text, "updatedAt") is None


async def test_hover_on_our_own_page(home: Home) -> None:
    async with running(home) as editor:
        shown = await editor.run("session.list", show=True)
        text = (await page(editor, shown["uri"]))["text"]
        word = next(each for each in (CLAUDE_ID, CLAUDE_ID.replace("-", "\\-")) if each in text)
        found = await hover(editor, shown["uri"], text, word)
        assert found is not None
        assert "Fix the login redirect" in found


async def test_texts_are_in_the_editor_s_language(home: Home) -> None:
    async with running(home, locale="zh-cn") as editor:
        assert "会话" in await refused(editor, "session.open", id="none")
        shown = await editor.run("session.list", show=True)
        assert "会话" in (await page(editor, shown["uri"]))["text"]


async def test_a_session_s_page_is_no_way_to_other_files(home: Home) -> None:
    (home.workspace / "secret.txt").write_text("x", encoding="utf-8")
    async with running(home) as editor:
        for path in (home.workspace / "secret.txt", home.home / "none", home.workspace / "CLAUDE.md"):
            uri = f"agentbrief:/session/Session.md?path={quote(str(path))}"
            assert await page(editor, uri) is None
        assert await page(editor, f"agentbrief:/session/Session.md?path={quote(str(home.claude))}")
