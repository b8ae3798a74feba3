"""What commands on sessions write: nothing unasked, nothing without trust, nothing into what others write."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any, SupportsIndex

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pytest_lsp import LanguageClient

from agentbrief_server.catalogue import COMMANDS
from tests.server.conftest import digest
from tests.server.editor import Editor
from tests.server.session_editor import page, refused, rows, running, shop, written
from tests.tasks.homes import CLAUDE_ID, CODEX_ID, Home, put

pytestmark = pytest.mark.e2e


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return shop(tmp_path)


async def test_a_session_s_life(home: Home) -> None:
    """In memory until it is saved and flushed; then with what happened meanwhile."""
    folder = home.port.parent
    before = digest(folder)
    async with running(home, writes=True) as editor:
        begun = await editor.run("session.new", id="n1")
        assert begun == {"id": "n1", "uri": (folder / "n1.json").as_uri(), "saved": False}
        assert (await editor.run("session.append", text="Hello\n你好"))["messages"] == 1
        added = await editor.run("session.append", id="n1", role="assistant", text="Hi")
        assert added == {"id": "n1", "messages": 2, "unflushed": 2, "saved": False}
        assert (digest(folder), written(home)) == (before, [])
        saved = await editor.run("session.save")
        assert (saved["id"], saved["messages"]) == ("n1", 2)
        top = json.loads((folder / "n1.json").read_text(encoding="utf-8"))
        assert top["messages"][0] == "Hello\n你好"
        assert (await editor.run("session.flush"))["entries"] == 2
        assert (await editor.run("session.flush"))["entries"] == 0
        entries = (folder / "n1.transcript.jsonl").read_text(encoding="utf-8").splitlines()
        assert len(entries) == 2
        listed = await editor.run("session.list")
        assert listed["sessions"][0]["id"] == "n1"
        would = await editor.run("session.trash", id="n1", dryRun=True)
        assert (would["trashed"], len(would["wouldTrash"])) == ([], 2)
        gone = await editor.run("session.trash", id="n1")
        assert [Path(each).name for each in gone["trashed"]] == ["n1.json", "n1.transcript.jsonl"]
        assert not (folder / "n1.json").exists()
        assert "n1" in await refused(editor, "session.open", id="n1")
        written(home)


async def test_a_session_needs_its_name(home: Home) -> None:
    async with running(home) as editor:
        for command in ("session.append", "session.save", "session.flush"):
            assert await refused(editor, command, text="x")
        assert "There is no such session" in await refused(editor, "session.save", id="none")
        assert "already" in await refused(editor, "session.new", id="plan")
        assert await refused(editor, "session.append", id="plan", role="king", text="x")
        assert await refused(editor, "session.append", id="plan", text=7)


async def test_a_session_changed_by_another_is_not_written_over(home: Home) -> None:
    async with running(home, writes=True) as editor:
        await editor.run("session.append", id="plan", text="one more")
        other = json.dumps(
            {"session_id": "plan", "messages": ["other"], "input_tokens": 0, "output_tokens": 0}
        )
        home.port.write_text(other, encoding="utf-8")
        assert "changed" in await refused(editor, "session.save", id="plan")
        assert home.port.read_text(encoding="utf-8") == other
        written(home)


async def test_what_happened_goes_into_the_history(home: Home) -> None:
    below = home.workspace / "api" / "CLAUDE.md"
    below.parent.mkdir()
    below.write_text("# API\n", encoding="utf-8")
    async with running(home, writes=True) as editor:
        editor.open("CLAUDE.md")
        await editor.run("session.new", id="n1")
        await editor.until(lambda: editor.uri("CLAUDE.md") in editor.client.diagnostics)
        notes = home.port.with_name("n1.history.jsonl")
        for version in range(2, 42):
            # The first look at the files only remembers them, and it may come after the first change.
            text = f"# Rules\n\n- be long\n- and kind\n- for the {version}th time\n"
            editor.change("CLAUDE.md", text, version)
            (home.workspace / "CLAUDE.md").write_text(text, encoding="utf-8")
            await editor.run("session.append", text="Hello")
            await editor.run("session.save")
            await editor.run("session.flush")
            if notes.exists():
                break
            await asyncio.sleep(0.25)
        found = [json.loads(line) for line in notes.read_text(encoding="utf-8").split("\n") if line]
        assert any("CLAUDE.md" in each["detail"] for each in found)
        # It was there before: that the walk came to it is nothing that happened.
        assert not any("api" in each["detail"] for each in found)
        assert all({"title", "detail", "at_ms"} <= set(each) for each in found)
        exported = await editor.run("history.export", id="n1", level="messages")
        text = Path(exported["path"]).read_text(encoding="utf-8")
        assert "## What happened" in text
        written(home)


async def test_export(home: Home) -> None:
    async with running(home, writes=True) as editor:
        found = await editor.run("history.export", uri=home.claude.as_uri(), level="tools")
        path = Path(found["path"])
        assert (path.parent, path.stat().st_mode & 0o777) == (home.workspace, 0o600)
        assert path.read_text(encoding="utf-8").startswith("# Fix the login redirect\n")
        again = await editor.run("history.export", uri=home.claude.as_uri(), level="tools")
        assert again["path"] != found["path"]
        named = await editor.run("history.export", id=CLAUDE_ID, output="out.md", level="messages")
        assert named["path"] == str(home.workspace / "out.md")
        assert await refused(editor, "history.export", id=CLAUDE_ID, output="out.md", level="messages")
        said = await editor.run("history.export", id=CLAUDE_ID, preview=True)
        assert (said["written"], said["messages"] > 0) == (False, True)
        written(home)


@pytest.mark.parametrize("answer", ["Yes", "No", None])
async def test_export_without_masks_asks_once(home: Home, answer: str | None) -> None:
    async with running(home, writes=True) as editor:
        editor.answers = [answer]
        found = await editor.run(
            "history.export", id=CLAUDE_ID, level="messages", output="out.md", redact=False
        )
        assert len(editor.asked) == 1
        assert found["written"] is (answer == "Yes")
        assert (home.workspace / "out.unredacted.md").exists() is (answer == "Yes")
        assert not (home.workspace / "out.md").exists()
        written(home)


async def test_export_asks_a_person_how_much(home: Home) -> None:
    async with running(home, writes=True) as editor:
        editor.may_say = True
        editor.answers = ["Fix the login redirect", None]
        assert await editor.run("history.export") == {"written": False}
        assert "Fix the login redirect" in editor.asked[1].message
        levels = [each.title for each in editor.asked[1].actions]
        editor.answers = ["Fix the login redirect", levels[0]]
        assert (await editor.run("history.export"))["written"] is True
        written(home)


async def test_repair_writes_a_copy(home: Home) -> None:
    home.claude.write_bytes(home.claude.read_bytes() + bytes(30) + b"\n")
    before = home.claude.read_bytes()
    async with running(home, writes=True) as editor:
        dry = await editor.run("session.repair", uri=home.claude.as_uri(), dryRun=True)
        assert (dry["needed"], dry["written"], written(home)) == (True, False, [])
        done = await editor.run("session.repair", uri=home.claude.as_uri(), output="copy.jsonl")
        copy = home.workspace / "copy.jsonl"
        assert (done["copy"], done["badLines"]) == (copy.as_uri(), copy.with_suffix(".bad.jsonl").as_uri())
        assert home.claude.read_bytes() == before
        assert before.startswith(copy.read_bytes())
        assert "taken" in await refused(
            editor, "session.repair", uri=home.claude.as_uri(), output="copy.jsonl"
        )
        beside = await editor.run("session.repair", uri=home.claude.as_uri())
        assert Path(beside["copy"].removeprefix("file://")).parent == home.workspace
        assert (await editor.run("session.repair", uri=home.codex.as_uri()))["needed"] is False
        written(home)


WRITING: tuple[tuple[str, dict[str, Any]], ...] = (
    ("session.new", {"id": "n1"}),
    ("session.append", {"id": "plan", "text": "x"}),
    ("session.save", {"id": "plan"}),
    ("session.flush", {"id": "plan"}),
    ("session.trash", {"id": "plan"}),
    ("session.repair", {"id": "plan"}),
    ("history.export", {"id": "plan", "level": "messages"}),
    ("history.export", {"id": CLAUDE_ID, "level": "messages"}),
)


async def test_nothing_is_written_without_trust(home: Home) -> None:
    async with running(home, trusted=False) as editor:
        for command, arguments in WRITING:
            assert "not trusted" in await refused(editor, command, **arguments)
        assert editor.asked == []
        assert written(home) == []


class Withdrawing(list[str | None]):
    """Answers of a user who stops trusting the workspace before each."""

    def __init__(self, client: LanguageClient) -> None:
        super().__init__()
        self._client = client

    def __bool__(self) -> bool:
        return True

    def pop(self, index: SupportsIndex = -1) -> str | None:
        self._client.protocol.notify("agentbrief/didChangeTrust", {"trusted": False})
        return super().pop(index)


async def test_trust_is_asked_at_the_moment_of_acting(home: Home) -> None:
    """Trust that ends while the user is asked counts: nothing is written."""
    async with running(home) as editor:
        client = editor.client
        editor.answers = Withdrawing(client)
        asked: tuple[tuple[str, dict[str, Any], tuple[str, ...]], ...] = (
            ("session.trash", {}, ("Plan the release",)),
            ("history.export", {}, ("Fix the login redirect", "Messages only")),
            ("history.export", {"id": CLAUDE_ID, "level": "messages", "redact": False}, ("Yes",)),
        )
        for command, arguments, answers in asked:
            client.protocol.notify("agentbrief/didChangeTrust", {"trusted": True})
            editor.answers[:] = answers
            assert "not trusted" in await refused(editor, command, **arguments), command
        assert written(home) == []


async def every_request(editor: Editor, home: Home, path: Path, session_id: str) -> None:
    """Each request and every command of the server about a session, whatever comes of it."""
    uri = path.as_uri()
    said: list[str] = []
    names = [entry.name.removeprefix("agentbrief.") for entry in COMMANDS]
    for command in names:
        for about in ({"uri": uri}, {"id": session_id}, {"uri": uri, "dryRun": True}):
            extra = {"text": "x", "level": "everything", "find": "zzz", "show": False}
            editor.answers = ["Yes", "Yes"]
            try:
                await editor.run(command, **about, **extra)
            except JsonRpcException as error:
                said.append(f"{command}: {error}")
    assert [each for each in said if "internal" in each.lower()] == []
    for view in ("sessions", "budget"):
        await rows(editor, home, view)
    for kind in ("session", "session-check", "sessions"):
        await page(editor, f"agentbrief:/{kind}/x.md?path={path}&folder={home.workspace}")
    item = lsp.TextDocumentItem(uri, "jsonl", 1, path.read_text(encoding="utf-8"))
    editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    identifier = lsp.TextDocumentIdentifier(uri)
    start = lsp.Position(0, 3)
    await editor.client.text_document_hover_async(lsp.HoverParams(identifier, start))
    place = lsp.Range(start, start)
    actions = lsp.CodeActionParams(identifier, place, lsp.CodeActionContext(diagnostics=[]))
    await editor.client.text_document_code_action_async(actions)


async def test_no_request_writes_to_a_foreign_transcript(home: Home) -> None:
    put(home.openclaw.parents[1] / "agent" / "openclaw-agent.sqlite", b"SQLite format 3\0")
    home.claude.write_bytes(home.claude.read_bytes() + b"{torn")
    before = digest(home.home)
    names = {path.name for path in home.home.rglob("*") if path.is_file()}
    names -= {"sessions.json"}
    async with running(home, writes=True) as editor:
        editor.may_say = True
        for path, session_id in (
            (home.claude, CLAUDE_ID),
            (home.codex, CODEX_ID),
            (home.openclaw, "oc-1"),
        ):
            await every_request(editor, home, path, session_id)
        told = [
            line for line in written(home) if str(home.home) in line or any(name in line for name in names)
        ]
        assert told == []
    assert digest(home.home) == before


async def test_reading_writes_nothing(home: Home) -> None:
    async with running(home, client={"status": True, "rows": True, "documents": True}) as editor:
        await editor.run("session.list")
        await editor.run("session.list", all=True, find="zzz", show=True)
        for path in home.all.values():
            await editor.run("session.open", uri=path.as_uri())
            await editor.run("session.check", uri=path.as_uri())
            await editor.run("session.status", uri=path.as_uri())
        await editor.run("session.check")
        await rows(editor, home)
        await rows(editor, home, "budget")
        assert written(home) == []
