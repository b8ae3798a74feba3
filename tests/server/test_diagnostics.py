"""Findings as an editor gets them: sent or pulled, never both; live; also for files that are not open."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from tests.server.conftest import LONG, Start


@pytest.mark.parametrize("name", ["none", "emacs", "neovim"])
async def test_findings_are_sent_while_typing(editor: Start, name: str) -> None:
    vim = await editor(name)
    pulls = vim.started.capabilities.diagnostic_provider is not None  # type: ignore[union-attr]
    uri = vim.open("api/CLAUDE.md")
    if pulls:
        report = await vim.client.text_document_diagnostic_async(
            lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(uri))
        )
        assert isinstance(report, lsp.RelatedFullDocumentDiagnosticReport)
        assert {each.code for each in report.items} == {"file-over-limit", "text-past-limit"}
        assert vim.client.diagnostics == {}
        return
    await vim.until(lambda: vim.codes("api/CLAUDE.md") == {"file-over-limit", "text-past-limit"})
    vim.change("api/CLAUDE.md", "# short\n", 2)
    await vim.until(lambda: vim.codes("api/CLAUDE.md") == set())
    vim.change("api/CLAUDE.md", LONG, 3)
    await vim.until(lambda: "file-over-limit" in vim.codes("api/CLAUDE.md"))


async def test_the_cut_is_at_the_right_column_in_each_encoding(editor: Start) -> None:
    text = "é🚀" * 2500
    for encoding, width in (("utf-8", 6), ("utf-16", 3), ("utf-32", 2)):
        client = await editor("none", encodings=[encoding])
        client.open("api/CLAUDE.md", text)
        await client.until(lambda client=client: client.codes("api/CLAUDE.md"))  # type: ignore[misc]
        found = client.client.diagnostics[client.uri("api/CLAUDE.md")]
        cut = next(each for each in found if each.code == "file-over-limit")
        assert (cut.range.start.line, cut.range.start.character) == (0, 2000 * width)
        assert cut.range.end.character > cut.range.start.character


async def test_files_that_are_not_open_have_findings_too(editor: Start) -> None:
    client = await editor("none")
    await client.until(lambda: "hidden-text" in client.codes("web/CLAUDE.md"))
    await client.until(lambda: "duplicate-instructions" in client.codes("CLAUDE.md"))
    message = client.client.diagnostics[client.uri("web/CLAUDE.md")][0].message
    assert "send the key" in message


async def test_a_client_that_pulls_is_never_sent_any(editor: Start) -> None:
    client = await editor("vscode")
    client.open("api/CLAUDE.md")
    params = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(client.uri("api/CLAUDE.md")))
    report = await client.client.text_document_diagnostic_async(params)
    assert isinstance(report, lsp.RelatedFullDocumentDiagnosticReport)
    assert "file-over-limit" in {each.code for each in report.items}

    async def whole() -> Any:
        pulled = await client.client.workspace_diagnostic_async(
            lsp.WorkspaceDiagnosticParams(previous_result_ids=[])
        )
        return {each.uri: each for each in pulled.items}

    reports = await whole()
    while client.uri("web/CLAUDE.md") not in reports:
        await asyncio.sleep(0.01)
        reports = await whole()
    hidden = reports[client.uri("web/CLAUDE.md")]
    assert [each.code for each in hidden.items] == ["hidden-text"]
    again = await client.client.workspace_diagnostic_async(
        lsp.WorkspaceDiagnosticParams(
            previous_result_ids=[lsp.PreviousResultId(uri=hidden.uri, value=hidden.result_id or "")]
        )
    )
    kept = next(each for each in again.items if each.uri == hidden.uri)
    assert kept.kind in ("unchanged", "full")
    assert client.client.diagnostics == {}


async def test_a_change_on_disk_is_seen(editor: Start, workspace: Path) -> None:
    client = await editor("none")
    client.changes_files = True  # type: ignore[attr-defined]
    client.open("api/CLAUDE.md")
    await client.until(lambda: "hidden-text" in client.codes("web/CLAUDE.md"))
    (workspace / "web/CLAUDE.md").write_text("# Web\n", encoding="utf-8")
    await client.until(lambda: client.codes("web/CLAUDE.md") == set())
    (workspace / "CLAUDE.local.md").write_text("x" * 5000, encoding="utf-8")
    await client.until(lambda: "file-over-limit" in client.codes("CLAUDE.local.md"))


async def test_closing_brings_the_disk_back(editor: Start) -> None:
    client = await editor("none")
    uri = client.open("api/CLAUDE.md", "# short\n")
    await client.until(lambda: "hidden-text" in client.codes("web/CLAUDE.md"))
    assert client.codes("api/CLAUDE.md") == set()
    client.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))
    await client.until(lambda: "file-over-limit" in client.codes("api/CLAUDE.md"))


async def test_a_diagnostic_says_all_it_needs(editor: Start) -> None:
    client = await editor("none")
    client.open("CLAUDE.md")
    await client.until(lambda: "duplicate-instructions" in client.codes("CLAUDE.md"))
    found = client.client.diagnostics[client.uri("CLAUDE.md")]
    twin = next(each for each in found if each.code == "duplicate-instructions")
    assert twin.source == "agentbrief"
    assert "Claw" in twin.message
    assert twin.code_description is not None
    assert twin.code_description.href.endswith("/duplicate-instructions.md")
    assert [each.location.uri for each in twin.related_information or []] == [client.uri("copy/CLAUDE.md")]
    assert twin.data is not None
