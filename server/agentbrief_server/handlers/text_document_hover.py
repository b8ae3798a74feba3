"""``textDocument/hover``: the first line, a heading, text that is not sent."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from agentbrief.report.hover import HoverFacts, hover_text
from agentbrief_server.seen import reference_of, seen
from agentbrief_server.state import Snapshot
from agentbrief_server.to_lsp import range_of, shifted
from agentbrief_server.uris import uri_of


async def handle(snapshot: Snapshot, params: lsp.HoverParams) -> dict[str, Any] | None:
    """The hover as Markdown, None where there is nothing to say."""
    found = seen(snapshot, params.text_document.uri)
    if found is None:
        return None
    encoding = snapshot.client.encoding
    offset = found.index.offset(params.position.line, params.position.character, encoding) + found.hidden
    facts = HoverFacts(
        found.agent,
        found.brief,
        found.path,
        reference_of(snapshot, found),
        snapshot.client.locale,
        _pictures(snapshot, found.settings.text("pictures")),
        uri_of,
        found.settings.text("tokens.reference"),
    )
    text = hover_text(facts, offset)
    if text is None:
        return None
    span = shifted(text.span, found.hidden)
    contents = {"kind": "markdown", "value": text.markdown}
    return {"contents": contents, "range": range_of(found.index, span, encoding)}


def _pictures(snapshot: Snapshot, setting: str) -> bool:
    return setting != "text" and snapshot.client.pictures
