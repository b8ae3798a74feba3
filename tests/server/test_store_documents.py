"""An open ``sessions.json``: its faults, how its sessions stand, where their files lie."""

from __future__ import annotations

import asyncio
import json
import time
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from agentbrief.text.line_index import LineIndex
from tests.maintenance.folders import DAY, HOUR
from tests.maintenance.real_folders import aged_store
from tests.server.editor import Editor
from tests.server.session_editor import running, shop
from tests.tasks.homes import Home

pytestmark = pytest.mark.e2e

BAD_CONFIG = """{
  // kept
  session: { maintenance: { pruneAfter: "soon" } },
}
"""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return shop(tmp_path)


@pytest.fixture
def store(home: Home) -> Path:
    """A store whose old session has no transcript any more."""
    folder = aged_store(home.home, time.time_ns() // 1_000_000, new=HOUR, lost=5 * HOUR, old=40 * DAY)
    home.openclaw.unlink()
    (folder / "lost.jsonl").unlink()
    entries = json.loads((folder / "sessions.json").read_bytes())
    entries["agent:main:new"] |= {
        "label": "Daily 报告 🚀",
        "totalTokens": 81_000,
        "compactionCount": 3,
        "sessionFile": "new.jsonl",
    }
    text = json.dumps(entries, indent=2, ensure_ascii=False)
    (folder / "sessions.json").write_text(text, encoding="utf-8")
    return folder / "sessions.json"


def told(editor: Editor, path: Path) -> list[tuple[str, str]]:
    """The codes and the marked texts of the diagnostics that were published."""
    text = path.read_text(encoding="utf-8")
    found = editor.client.diagnostics.get(path.as_uri(), [])
    return sorted((str(each.code), marked(text, each.range)) for each in found)


def marked(text: str, place: lsp.Range) -> str:
    index = LineIndex(text)
    return text[
        index.offset(place.start.line, place.start.character, "utf-16") : index.offset(
            place.end.line, place.end.character, "utf-16"
        )
    ]


def line_with(path: Path, words: str) -> int:
    lines = path.read_text(encoding="utf-8").split("\n")
    return next(number for number, line in enumerate(lines) if words in line)


async def test_its_faults_follow_the_text(home: Home, store: Path) -> None:
    async with running(home) as editor:
        editor.open(str(store))
        missing = [("store-missing-transcript", '"agent:main:lost"')]
        await editor.until(lambda: told(editor, store) == missing)
        text = store.read_text(encoding="utf-8")
        editor.change(str(store), text.replace('"agent:main:old"', '"agent:main:Lost"'), 2)
        await editor.until(lambda: "store-key-case" in editor.codes(str(store)))
        editor.change(str(store), text[: len(text) // 2], 3)
        await editor.until(lambda: editor.codes(str(store)) == {"store-not-json"})
        editor.change(str(store), text, 4)
        await editor.until(lambda: told(editor, store) == missing)
        _close(editor, store)
        await editor.until(lambda: not editor.client.diagnostics[store.as_uri()])


async def test_its_faults_follow_the_folder(home: Home, store: Path) -> None:
    async with running(home, writes=True) as editor:
        editor.open(str(store))
        await editor.until(lambda: "store-missing-transcript" in editor.codes(str(store)))
        store.with_name("lost.jsonl").write_bytes(store.with_name("new.jsonl").read_bytes())
        await editor.until(lambda: not editor.codes(str(store)))


async def test_a_client_that_pulls(home: Home, store: Path) -> None:
    async with running(home, "vscode") as editor:
        editor.open(str(store))
        about = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(store.as_uri()))

        async def pulled() -> Any:
            for _ in range(400):
                found = await editor.client.text_document_diagnostic_async(about)
                if isinstance(found, lsp.RelatedFullDocumentDiagnosticReport) and found.items:
                    return found
                await asyncio.sleep(0.02)
            raise TimeoutError

        found = await pulled()
        assert [each.code for each in found.items] == ["store-missing-transcript"]
        about.previous_result_id = found.result_id
        again = await editor.client.text_document_diagnostic_async(about)
        assert again.kind == "unchanged"
        known = [lsp.PreviousResultId(store.as_uri(), found.result_id)]
        everything = await editor.client.workspace_diagnostic_async(lsp.WorkspaceDiagnosticParams(known))
        mine = [each for each in everything.items if each.uri == store.as_uri()]
        assert [each.kind for each in mine] == ["unchanged"]
        _close(editor, store)
        everything = await editor.client.workspace_diagnostic_async(lsp.WorkspaceDiagnosticParams(known))
        [mine_now] = [each for each in everything.items if each.uri == store.as_uri()]
        assert (mine_now.kind, mine_now.items) == ("full", ())  # type: ignore[union-attr]


async def test_how_a_session_stands_is_said_at_its_key(home: Home, store: Path) -> None:
    async with running(home) as editor:
        editor.open(str(store))
        await editor.until(lambda: editor.codes(str(store)))
        said = await editor.hover(str(store), line_with(store, '"agent:main:new"'), 6)
        assert said is not None
        assert said.startswith("**Daily 报告 🚀**")
        assert "new.jsonl" in said
        assert "81,000" in said
        old = await editor.hover(str(store), line_with(store, '"agent:main:old"'), 6)
        assert old is not None
        assert "hello from old" in old
        assert await editor.hover(str(store), line_with(store, '"updatedAt"'), 6) is None


async def test_links_lead_to_transcripts(home: Home, store: Path) -> None:
    async with running(home) as editor:
        editor.open(str(store))
        await editor.until(lambda: editor.codes(str(store)))
        text = store.read_text(encoding="utf-8")
        params = lsp.DocumentLinkParams(lsp.TextDocumentIdentifier(store.as_uri()))
        found = await editor.client.text_document_document_link_async(params)
        links = [(marked(text, each.range), Path(str(each.target)).name) for each in found or []]
        assert links == [("new.jsonl", "new.jsonl"), ("old", "old.jsonl")]


async def test_its_entries_are_symbols(home: Home, store: Path) -> None:
    async with running(home) as editor:
        editor.open(str(store))
        await editor.until(lambda: editor.codes(str(store)))
        text = store.read_text(encoding="utf-8")
        params = lsp.DocumentSymbolParams(lsp.TextDocumentIdentifier(store.as_uri()))
        found: Any = await editor.client.text_document_document_symbol_async(params)
        assert [each.name for each in found] == ["agent:main:new", "agent:main:lost", "agent:main:old"]
        assert found[0].detail.startswith("Daily 报告 🚀 · ")
        assert "81,000" in found[0].detail
        assert [marked(text, each.selection_range) for each in found] == [f'"{each.name}"' for each in found]
        assert json.loads("{" + marked(text, found[0].range) + "}")["agent:main:new"]["compactionCount"] == 3


async def test_the_configuration_is_judged_as_the_editor_has_it(home: Home, store: Path) -> None:
    config = home.home / ".openclaw" / "openclaw.json"
    config.write_text("{}\n", encoding="utf-8")
    async with running(home) as editor:
        editor.open(str(config))
        editor.change(str(config), BAD_CONFIG, 2)
        await editor.until(lambda: "openclaw-setting-invalid" in editor.codes(str(config)))
        [found] = editor.client.diagnostics[config.as_uri()]
        assert found.range.start.line == 2
        editor.change(str(config), "{}\n", 3)
        await editor.until(lambda: not editor.codes(str(config)))


async def test_a_store_that_lies_elsewhere_is_not_looked_at(home: Home, store: Path) -> None:
    folder = home.workspace / "fixtures" / "agents" / "main" / "sessions"
    folder.mkdir(parents=True)
    (folder / "sessions.json").write_text('{"agent:main:a": {"sessionId": "a"}}', encoding="utf-8")
    async with running(home) as editor:
        editor.open(str(folder / "sessions.json"))
        editor.open(str(store))
        await editor.until(lambda: editor.codes(str(store)))
        assert editor.codes(str(folder / "sessions.json")) == set()
        assert await editor.hover(str(folder / "sessions.json"), 0, 4) is None


async def test_sessions_of_the_home_that_may_not_be_read(home: Home, store: Path) -> None:
    options = {"readHomeSessions": False}
    async with running(home, options=options) as editor:
        editor.open(str(store))
        for _ in range(10):
            await editor.run("workspace.refresh")
            assert await editor.hover(str(store), line_with(store, '"agent:main:new"'), 6) is None
        assert editor.codes(str(store)) == set()


def _close(editor: Editor, path: Path) -> None:
    about = lsp.TextDocumentIdentifier(path.as_uri())
    editor.client.text_document_did_close(lsp.DidCloseTextDocumentParams(about))
