"""The session that a folder runs, from second to second; findings on transcripts; a thousand sessions."""

from __future__ import annotations

import asyncio
import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from tests.server.editor import Editor, plain
from tests.server.session_editor import now, refused, rows, running, shop, written
from tests.sessions.claude_code.written import assistant, call, file_of, record, user
from tests.tasks.homes import CLAUDE_ID, Home, put

pytestmark = pytest.mark.e2e


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = shop(tmp_path)
    now(home.claude)
    return home


class Heard:
    """What the client was told of sessions, and when."""

    def __init__(self, editor: Editor) -> None:
        self.all: list[tuple[float, dict[str, Any]]] = []

        @editor.client.feature("agentbrief/didChangeSession")
        def changed(params: Any) -> None:
            self.all.append((asyncio.get_running_loop().time(), plain(params)))

    @property
    def last(self) -> dict[str, Any]:
        return self.all[-1][1] if self.all else {}


def add(path: Path, *records: dict[str, Any]) -> None:
    with path.open("ab") as file:
        file.write(file_of(*records))


async def test_an_appended_transcript_is_told(home: Home) -> None:
    async with running(home, writes=True) as editor:
        heard = Heard(editor)
        await editor.until(lambda: heard.all)
        assert heard.last["uri"] == home.claude.as_uri()
        assert (heard.last["used"], heard.last["reported"], heard.last["state"]) == (82_010, True, "running")
        keys = {"uri", "sessionId", "used", "reported", "window", "byKind", "compactsAt", "state"}
        assert keys <= set(heard.last)
        add(home.claude, assistant("a9", "a2", "more", usage=(1, 2, 150_000, 3), second=9))
        await editor.until(lambda: heard.last["used"] == 150_003)
        line = await editor.until(lambda: _line(editor, home, "150k"))
        assert "Fix the login redirect" in line
        assert written(home) == []


async def test_numbers_are_told_at_most_every_two_seconds(home: Home) -> None:
    async with running(home, writes=True) as editor:
        heard = Heard(editor)
        await editor.until(lambda: heard.all)
        for number in range(40):
            record = assistant(f"b{number}", "a2", "more", usage=(1, 2, 90_000 + number, 3), second=9)
            add(home.claude, record)
            await asyncio.sleep(0.1)
        await editor.until(lambda: heard.last["used"] == 90_042)
        times = [time for time, _ in heard.all]
        assert len(times) >= 3
        # A notification waits for others on its way: the gap between two arrivals may be a little shorter.
        assert all(later - earlier > 1.5 for earlier, later in pairwise(times))


async def test_a_line_is_taken_once_it_is_whole(home: Home) -> None:
    async with running(home, writes=True) as editor:
        heard = Heard(editor)
        await editor.until(lambda: heard.all)
        line = file_of(assistant("a9", "a2", "more", usage=(1, 2, 120_000, 3), second=9))
        with home.claude.open("ab") as file:
            file.write(line[:60])
        await asyncio.sleep(2.5)
        assert heard.last["used"] == 82_010
        with home.claude.open("ab") as file:
            file.write(line[60:])
        await editor.until(lambda: heard.last["used"] == 120_003)


async def test_a_session_that_begins_takes_the_other_s_place(home: Home) -> None:
    async with running(home, writes=True) as editor:
        heard = Heard(editor)
        await editor.until(lambda: heard.all)
        path = home.claude.with_name("33333333-3333-4333-8333-333333333333.jsonl")
        path.write_bytes(file_of(user("u", None, "A new task", cwd=str(home.workspace))))
        await editor.until(lambda: heard.last["uri"] == path.as_uri())
        assert any("A new task" in row["label"] for row in await rows(editor, home))
        path.unlink()
        await editor.until(lambda: heard.last["uri"] == home.claude.as_uri())


async def test_a_transcript_cut_short_is_read_anew(home: Home) -> None:
    add(home.claude, assistant("a9", "a2", "more", usage=(1, 2, 150_000, 3), second=9))
    async with running(home, writes=True) as editor:
        heard = Heard(editor)
        await editor.until(lambda: heard.last.get("used") == 150_003)
        home.claude.write_bytes(file_of(user("u", None, "Again", cwd=str(home.workspace))))
        await editor.until(lambda: heard.last["used"] < 1000)


async def test_a_client_that_shows_no_status_is_told_nothing(home: Home) -> None:
    async with running(home, client={}) as editor:
        heard = Heard(editor)
        await editor.run("session.list")
        await asyncio.sleep(2)
        assert heard.all == []
        assert (await editor.run("session.status"))["sessionId"] == CLAUDE_ID


async def test_the_workspace_s_own_session_is_followed_with_trust_only(home: Home) -> None:
    put(home.port, home.port.read_bytes())
    now(home.claude, ago_s=1)
    now(home.port)
    async with running(home, trusted=False) as editor:
        heard = Heard(editor)
        await editor.until(lambda: heard.all)
        assert heard.last["uri"] == home.claude.as_uri()
        editor.client.protocol.notify("agentbrief/didChangeTrust", {"trusted": True})
        await editor.until(lambda: heard.last["uri"] == home.port.as_uri())


async def test_edits_of_tools_and_compactions_are_history(home: Home) -> None:
    async with running(home, writes=True) as editor:
        heard = Heard(editor)
        await editor.until(lambda: heard.all)
        edit = call("c9", "Edit", file_path=str(home.workspace / "src/shop.py"))
        add(
            home.claude,
            assistant("a9", "a2", edit, usage=(1, 2, 100_000, 3), second=9),
            record("system", "s9", None, subtype="compact_boundary", content="Conversation compacted"),
        )
        await editor.until(lambda: heard.last["used"] != 82_010)
        await editor.run("session.new", id="n1")
        await editor.run("session.save")
        assert (await editor.run("session.flush"))["events"] >= 2
        lines = home.port.with_name("n1.history.jsonl").read_text(encoding="utf-8").split("\n")
        told = [(each["title"], each["detail"]) for each in map(json.loads, filter(None, lines))]
        assert ("Tool edit", f"Edit: {home.workspace}/src/shop.py") in told
        assert ("Compaction", "Fix the login redirect") in told
        written(home)


def _line(editor: Editor, home: Home, words: str) -> str:
    found = json.dumps(editor.status.get(str(home.workspace), {}), ensure_ascii=False)
    return found if words in found else ""


def broken(home: Home) -> None:
    lines = home.claude.read_bytes().split(b"\n")
    lines[1] += lines[1]
    home.claude.write_bytes(b"\n".join(lines))
    now(home.claude)


async def test_findings_on_a_listed_transcript_are_published_by_its_uri(home: Home) -> None:
    broken(home)
    uri = home.claude.as_uri()
    async with running(home, client={}) as editor:
        assert editor.client.diagnostics.get(uri) is None
        await editor.run("session.list")
        await editor.until(lambda: editor.client.diagnostics.get(uri))
        found = editor.client.diagnostics[uri]
        assert "transcript-merged-line" in {each.code for each in found}
        assert found[0].range.start.line == 1
        assert set(editor.client.diagnostics) == {uri}


async def test_a_repaired_transcript_has_no_findings_any_more(home: Home) -> None:
    whole = home.claude.read_bytes()
    broken(home)
    uri = home.claude.as_uri()
    async with running(home, client={}, writes=True) as editor:
        await editor.run("session.check", uri=uri, show=False)
        await editor.until(lambda: editor.client.diagnostics.get(uri))
        home.claude.write_bytes(whole)
        await editor.run("session.check", uri=uri, show=False)
        await editor.until(lambda: not editor.client.diagnostics[uri])


async def test_a_client_that_pulls_gets_them_with_the_workspace(home: Home) -> None:
    broken(home)
    async with running(home, "vscode", client={}) as editor:
        await editor.run("session.list")

        async def pulled() -> list[Any]:
            found = await editor.client.workspace_diagnostic_async(lsp.WorkspaceDiagnosticParams([]))
            return [each for each in found.items if each.uri == home.claude.as_uri()]

        found: list[Any] = []
        for _ in range(40):
            if found := await pulled():
                break
            await asyncio.sleep(0.1)
        assert found, "no report on the transcript"
        assert "transcript-merged-line" in {each.code for each in found[0].items}


async def test_findings_on_at_most_fifty_files(home: Home) -> None:
    broken(home)
    data = home.claude.read_bytes()
    for number in range(70):
        path = home.claude.with_name(f"{number:08d}-1111-4111-8111-111111111111.jsonl")
        path.write_bytes(data)
    async with running(home, client={}) as editor:
        await editor.run("session.list")
        await editor.until(lambda: len(editor.client.diagnostics) >= 50)
        await asyncio.sleep(0.5)
        assert len([each for each in editor.client.diagnostics.values() if each]) == 50


async def test_a_file_that_is_no_session_has_no_findings(home: Home) -> None:
    put(home.workspace / "data.jsonl", b"{broken\n")
    async with running(home, client={}) as editor:
        item = lsp.TextDocumentItem(editor.uri("data.jsonl"), "jsonl", 1, "{broken\n")
        editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        await editor.run("session.list")
        assert await refused(editor, "session.check", uri=editor.uri("data.jsonl"), show=False)
        assert editor.uri("data.jsonl") not in editor.client.diagnostics


async def test_a_thousand_sessions_are_listed(home: Home) -> None:
    for number in range(1000):
        path = home.claude.with_name(f"{number:08d}-1111-4111-8111-111111111111.jsonl")
        put(path, file_of(user("u", None, f"Task {number}", cwd=str(home.workspace))), hours_ago=number)
    async with running(home) as editor:
        found = await editor.run("session.list")
        assert len(found["sessions"]) == 1006
        groups = await rows(editor, home)
        inner = [await rows(editor, home, parent=row["id"]) for row in groups]
        ids = {row["id"] for found in inner for row in found}
        assert "and 5 more" in {row["label"] for found in inner for row in found}
        assert len(ids) == 1002
