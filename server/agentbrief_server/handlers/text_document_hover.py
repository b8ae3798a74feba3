"""``textDocument/hover``: the first line, a heading, text that is not sent."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from agentbrief.disk.look import Same
from agentbrief.report.hover import HoverFacts, hover_text
from agentbrief.tasks.setup import Setup
from agentbrief_server.client import Client
from agentbrief_server.seen import reference_of, seen_in
from agentbrief_server.state import Snapshot
from agentbrief_server.to_lsp import range_of, shifted
from agentbrief_server.uris import path_of, uri_of


async def handle(snapshot: Snapshot, params: lsp.HoverParams) -> dict[str, Any] | None:
    """The hover as Markdown, None where there is nothing to say. Asked again, it is made anew only if
    something changed.
    """
    path = path_of(params.text_document.uri)
    if path is None or not snapshot.names.has(path):
        return _on_session(snapshot, params)
    setup, client, place = snapshot.setup(snapshot.folder_of(path)), snapshot.client, params.position
    return setup.files.remembered(
        ("hover", Same(setup.settings), Same(client), path, place.line, place.character),
        lambda files: _hover(Setup(files, setup.folders, setup.settings), client, path, place),
    )


def _hover(setup: Setup, client: Client, path: str, place: lsp.Position) -> dict[str, Any] | None:
    found = seen_in(setup, path)
    if found is None:
        return None
    offset = found.index.offset(place.line, place.character, client.encoding)
    facts = HoverFacts(
        found.agent,
        found.brief,
        path,
        reference_of(found),
        client.locale,
        client.pictures and setup.settings.text("pictures") != "text",
        uri_of,
        setup.settings.text("tokens.reference"),
    )
    text = hover_text(facts, offset + found.hidden)
    if text is None:
        return None
    return {
        "contents": {"kind": "markdown", "value": text.markdown},
        "range": range_of(found.index, shifted(text.span, found.hidden), client.encoding),
    }


def _on_session(snapshot: Snapshot, params: lsp.HoverParams) -> dict[str, Any] | None:
    """The hover on an identifier in a store of sessions, or on a page about sessions; None anywhere else."""
    uri = params.text_document.uri
    if not uri.endswith("/sessions.json") and not uri.startswith("agentbrief:/session"):
        return None
    from agentbrief_server.sessions.hover import hover

    return hover(snapshot, params)
