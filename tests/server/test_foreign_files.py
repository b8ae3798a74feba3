"""Sent any document, the server answers null unless it is an instruction file."""

from __future__ import annotations

import pytest
from lsprotocol import types as lsp

from tests.server.conftest import Start


@pytest.mark.parametrize("name", ["README.md", "src/shop.py"])
async def test_other_files_are_nobody_s_business(editor: Start, name: str) -> None:
    client = await editor("emacs")
    uri = client.open(name)
    document = lsp.TextDocumentIdentifier(uri)
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(9, 0))
    assert await client.hover(name, 0) is None
    assert not await client.client.text_document_code_lens_async(lsp.CodeLensParams(document))
    assert not await client.client.text_document_inlay_hint_async(lsp.InlayHintParams(document, whole))
    assert not await client.client.text_document_document_link_async(lsp.DocumentLinkParams(document))
    assert not await client.client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
    assert not await client.client.text_document_folding_range_async(lsp.FoldingRangeParams(document))
    assert not await client.actions(name, 0)
    await client.until(lambda: "hidden-text" in client.codes("web/CLAUDE.md"))
    assert uri not in client.client.diagnostics


async def test_switched_off_it_says_nothing(editor: Start) -> None:
    client = await editor("none", {"enable": False})
    client.open("api/CLAUDE.md")
    assert await client.hover("api/CLAUDE.md", 0) is None
    assert client.codes("api/CLAUDE.md") == set()
