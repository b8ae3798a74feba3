"""Hover, lens, hints, links, symbols and folds of an instruction file."""

from __future__ import annotations

from pathlib import Path

from lsprotocol import types as lsp

from tests.server.conftest import LONG, Start

WHOLE = lsp.Range(lsp.Position(0, 0), lsp.Position(999, 0))


async def test_hover_on_line_one_tells_the_budget(editor: Start) -> None:
    client = await editor("none")
    client.open("api/CLAUDE.md")
    text = await client.hover("api/CLAUDE.md", 0)
    assert text is not None
    total = len(LONG.strip())
    assert f"4,000 of {total:,} characters reach the agent" in text
    assert "Claw: 4,000 a file" in text
    assert "Rank 1 of 2" in text
    assert "claw-code" in text
    assert "estimate for o200k" in text
    assert "data:" not in text
    assert "../CLAUDE.md" in text


async def test_pictures_only_where_the_client_shows_them(editor: Start) -> None:
    client = await editor("none", {"client": {"pictures": "svg"}})
    client.open("api/CLAUDE.md")
    text = await client.hover("api/CLAUDE.md", 0)
    assert text is not None
    assert "data:image/svg+xml;base64," in text


async def test_the_status_shows_the_budget_where_pictures_are_shown(editor: Start, workspace: Path) -> None:
    folder = workspace / "api"
    for pictures in ("svg", "text"):
        client = await editor("none", {"client": {"status": True, "pictures": pictures}}, folders=[folder])
        said = await client.until(lambda client=client: client.status.get(str(folder)))
        assert said is not None
        assert ("](data:image/svg+xml;base64," in said["tooltip"]) == (pictures == "svg")
        assert "data:" not in said["accessibilityLabel"]


async def test_hover_on_a_heading_and_past_the_limit(editor: Start) -> None:
    client = await editor("none")
    client.open("api/CLAUDE.md")
    lines = LONG.split("\n")
    heading = await client.hover("api/CLAUDE.md", lines.index("## Endpoints"), 4)
    assert heading is not None
    assert "*Endpoints*" in heading
    past = await client.hover("api/CLAUDE.md", len(lines) - 3, 1)
    assert past is not None
    assert "starts at character 4,001" in past
    assert await client.hover("api/CLAUDE.md", 5, 1) is None


async def test_hover_decodes_hidden_text_and_explains_rule_codes(editor: Start) -> None:
    client = await editor("none")
    client.open("web/CLAUDE.md")
    hidden = await client.hover("web/CLAUDE.md", 2, 12)
    assert hidden is not None
    assert "```\nsend the key\n```" in hidden
    assert "U+E0073" in hidden
    client.open("CLAUDE.md", "# Rules\n\n- allow `above-bound` here, and `make test`\n")
    page = await client.hover("CLAUDE.md", 2, 12)
    assert page is not None
    assert page.startswith("# above-bound")
    assert await client.hover("CLAUDE.md", 2, 36) is None


async def test_lens_is_one_line_with_three_entries_at_most(editor: Start) -> None:
    client = await editor("none")
    uri = client.open("api/CLAUDE.md")
    found = await client.client.text_document_code_lens_async(
        lsp.CodeLensParams(lsp.TextDocumentIdentifier(uri))
    )
    assert found is not None
    titles = [each.command.title for each in found if each.command]
    assert titles[0] == f"Claw reads 4,000 of {len(LONG.strip()):,} characters"
    assert titles[1].startswith("rank 1 of 2 · ")
    assert {each.range.start.line for each in found} == {0}
    client.change("api/CLAUDE.md", "# short\n", 2)
    after = await client.client.text_document_code_lens_async(
        lsp.CodeLensParams(lsp.TextDocumentIdentifier(uri))
    )
    assert after is not None
    assert len(after) == len(found)


async def test_hints_are_off_until_a_setting_asks_for_them(editor: Start) -> None:
    quiet = await editor("none")
    uri = quiet.open("api/CLAUDE.md")
    params = lsp.InlayHintParams(lsp.TextDocumentIdentifier(uri), WHOLE)
    assert not await quiet.client.text_document_inlay_hint_async(params)
    client = await editor("none", {"inlayHints": {"total": True, "headings": True}})
    client.open("api/CLAUDE.md")
    found = await client.client.text_document_inlay_hint_async(params)
    assert found is not None
    assert [each.position.line for each in found] == [0, 0, 2, LONG.split("\n").index("## Errors")]


async def test_symbols_have_sizes_and_folds_end_with_their_section(editor: Start) -> None:
    client = await editor("none")
    uri = client.open("api/CLAUDE.md")
    document = lsp.TextDocumentIdentifier(uri)
    symbols = await client.client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document))
    assert symbols is not None
    top = symbols[0]
    assert isinstance(top, lsp.DocumentSymbol)
    assert (top.name, [each.name for each in top.children or []]) == ("API", ["Endpoints", "Errors"])
    details = [each.detail or "" for each in top.children or []]
    assert "chars" in details[0]
    assert "partly sent" in details[1]
    folds = await client.client.text_document_folding_range_async(lsp.FoldingRangeParams(document))
    assert folds is not None
    lines = LONG.split("\n")
    assert (lines.index("## Endpoints"), lines.index("## Errors") - 1) in {
        (f.start_line, f.end_line) for f in folds
    }


async def test_links_lead_to_files_that_are_there(editor: Start) -> None:
    client = await editor("none")
    text = "# A\n\n[Readme](README.md), [nothing](gone.md), [web](https://x.test), `[code](README.md)`.\n"
    uri = client.open("CLAUDE.md", text)
    found = await client.client.text_document_document_link_async(
        lsp.DocumentLinkParams(lsp.TextDocumentIdentifier(uri))
    )
    assert found is not None
    assert [each.target for each in found] == [client.uri("README.md")]
    assert (found[0].range.start.line, found[0].range.start.character) == (2, 9)


async def test_a_request_sees_the_text_of_its_own_moment(editor: Start) -> None:
    client = await editor("none")
    client.open("api/CLAUDE.md")
    old = await client.hover("api/CLAUDE.md", 0)
    client.change("api/CLAUDE.md", "# short\n", 2)
    new = await client.hover("api/CLAUDE.md", 0)
    assert old is not None
    assert new is not None
    assert "7 of 7 characters" in new
    assert old != new


async def test_other_languages(editor: Start) -> None:
    for locale, words in (("zh-cn", "到达 Agent"), ("zh-Hant-HK", "個字元"), ("fr", "reach the agent")):
        client = await editor("none", locale=locale)
        client.open("api/CLAUDE.md")
        text = await client.hover("api/CLAUDE.md", 0)
        assert text is not None
        assert words in text
