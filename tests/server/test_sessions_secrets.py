"""Every outlet masks: whatever a session says, no secret reaches a screen, a file or the log."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from tests.redact.secret_cases import SecretCase, cases, leaks
from tests.server.editor import Editor, plain
from tests.server.session_editor import page, rows, running, shop, written
from tests.sessions.claude_code.written import assistant, call, file_of, result, user
from tests.tasks.homes import Home, put

pytestmark = pytest.mark.e2e

FOUND = cases()


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return shop(tmp_path)


def told(home: Home) -> bytes:
    """A session that says each secret in each place a person, a model or a tool can say it."""
    records: list[dict[str, Any]] = [
        user("u0", None, FOUND[0].text, cwd=str(home.workspace), gitBranch=FOUND[1].text[:200])
    ]
    before = "u0"
    for number, case in enumerate(FOUND):
        names = f"u{number}x", f"a{number}", f"r{number}"
        records += [
            user(names[0], before, case.text, cwd=str(home.workspace)),
            assistant(names[1], names[0], call(f"c{number}", "Edit", file_path=case.text, k=[case.text])),
            result(names[2], names[1], f"c{number}", case.text),
        ]
        before = names[2]
    return file_of(*records)


def leaking(texts: dict[str, str]) -> list[tuple[str, str]]:
    return [(case.name, name) for name, text in texts.items() for case in FOUND if leaks(case.secret, text)]


async def test_pages_replies_and_exports(home: Home) -> None:
    home.claude.write_bytes(told(home))
    uri = home.claude.as_uri()
    said: dict[str, str] = {}

    def take(name: str, value: Any) -> None:
        said[name] = value if isinstance(value, str) else json.dumps(plain(value), ensure_ascii=False)

    async with running(home, writes=True) as editor:
        take("list", await editor.run("session.list", show=True))
        take("find", await editor.run("session.list", find=FOUND[0].text[:30]))
        take("status", await editor.run("session.status", uri=uri))
        for level in ("messages", "tools", "everything"):
            take(level, await editor.run("session.open", uri=uri, level=level, show=False))
            exported = await editor.run("history.export", uri=uri, level=level)
            take(f"export {level}", Path(exported["path"]).read_text(encoding="utf-8"))
        take("preview", await editor.run("history.export", uri=uri, preview=True))
        take("check", await editor.run("session.check", uri=uri, show=False))
        take("repair", await editor.run("session.repair", uri=uri, dryRun=True))
        take("rows", await rows(editor, home))
        take("budget rows", await rows(editor, home, "budget"))
        take("budget", await editor.run("budget.show", uri=editor.open("CLAUDE.md"), show=False))
        take("report", await editor.run("diagnostics.report"))
        take("page", await page(editor, f"agentbrief:/sessions/x.md?folder={home.workspace}"))
        take("diagnostics", str(editor.client.diagnostics))
        take("log", str(editor.client.log_messages))
        take("status line", str(editor.status))
        written(home)
    assert leaking(said) == []


TITLED = [case for case in FOUND if case.mask is not None][::9]


def titles(home: Home) -> list[SecretCase]:
    """A session for each secret, which is its first prompt, cut or whole."""
    home.claude.unlink()
    for number, case in enumerate(TITLED):
        before = (
            "" if number % 3 else ("Please look at what this line of the log says " * 11)[: 30 + number % 50]
        )
        path = home.claude.with_name(f"{number:08d}-1111-4111-8111-111111111111.jsonl")
        put(path, file_of(user("u", None, f"{before} {case.text}", cwd=str(home.workspace))))
    return TITLED


async def test_titles(home: Home) -> None:
    """In the tree, the tooltips, the list to choose from, hovers, pages and in what is said aloud."""
    found = titles(home)
    async with running(home) as editor:
        said = {
            "rows": json.dumps(await rows(editor, home)),
            "list": json.dumps(await editor.run("session.list", show=True)),
            "page": str(await page(editor, f"agentbrief:/sessions/x.md?folder={home.workspace}")),
        }
        for group in await rows(editor, home):
            said[group["id"]] = json.dumps(await rows(editor, home, parent=group["id"]))
        await editor.run("session.open")
        said["choice"] = str(editor.asked)
        await editor.run("history.export")
        said["choice to export"] = str(editor.asked)
        store = home.openclaw.with_name("sessions.json")
        for number, case in enumerate(found):
            name = f"{number:08d}-1111-4111-8111-111111111111"
            shown = await editor.run("session.open", id=name, show=False)
            said[f"page {number}"] = shown["text"]
            said[f"status {number}"] = str(await editor.run("session.status", id=name))
            said[f"hover {number}"] = str(await hover(editor, store, name))
            assert case.secret
        assert written(home) == []
    assert leaking(said) == []


async def hover(editor: Editor, store: Path, session_id: str) -> str | None:
    """The hover on an identifier in a store."""
    text = json.dumps({"agent:main:main": {"sessionId": session_id}})
    item = lsp.TextDocumentItem(store.as_uri(), "json", 1, text)
    editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
    place = lsp.Position(0, text.index(session_id) + 1)
    found = await editor.client.text_document_hover_async(
        lsp.HoverParams(lsp.TextDocumentIdentifier(store.as_uri()), place)
    )
    editor.client.text_document_did_close(
        lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(store.as_uri()))
    )
    assert found is not None
    return found.contents.value  # type: ignore[union-attr]


async def test_errors_and_names(home: Home) -> None:
    """A file name, a folder or an identifier that is itself a secret."""
    secret = "ghp_" + "FAKE" * 9
    put(home.port.with_name(f"{secret}.json"), b"{broken")
    put(home.claude.with_name(f"{secret}.jsonl"), b"{broken")
    async with running(home) as editor:
        said = [
            json.dumps(await rows(editor, home)),
            json.dumps(await editor.run("session.check", show=False)),
            str(await page(editor, f"agentbrief:/sessions/x.md?folder={home.workspace}")),
        ]
        for command in ("session.open", "session.status", "session.append", "session.save", "session.trash"):
            try:
                # What names a file for the editor is no text that is shown.
                said.append(str((await editor.run(command, id=secret, text="x", show=False)).get("text")))
            except JsonRpcException as error:
                said.append(str(error))
        said.append(str(editor.client.log_messages))
        written(home)
    shown = [text for text in said if secret in text.replace(f"{secret}.json", "")]
    assert shown == []
