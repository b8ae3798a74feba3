"""``textDocument/hover``: the first line, a heading, text that is not sent."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from lsprotocol import types as lsp

from agentbrief.disk.look import Same
from agentbrief.report.hover import HoverFacts, HoverText, hover_text
from agentbrief_server.seen import reference_of, seen
from agentbrief_server.state import Snapshot
from agentbrief_server.to_lsp import range_of, shifted
from agentbrief_server.uris import uri_of


async def handle(snapshot: Snapshot, params: lsp.HoverParams) -> dict[str, Any] | None:
    """The hover as Markdown, None where there is nothing to say."""
    found = seen(snapshot, params.text_document.uri)
    if found is None:
        return _on_session(snapshot, params)
    client, settings = snapshot.client, found.settings
    offset = found.index.offset(params.position.line, params.position.character, client.encoding)
    reference = reference_of(found)
    text = _hover_text(
        Same(found.agent),
        Same(found.brief),
        found.path,
        offset + found.hidden,
        Same(reference and reference[0]),
        Same(reference and reference[1]),
        client.locale,
        client.pictures and settings.text("pictures") != "text",
        settings.text("tokens.reference"),
    )
    if text is None:
        return None
    contents = {"kind": "markdown", "value": text.markdown}
    return {
        "contents": contents,
        "range": range_of(found.index, shifted(text.span, found.hidden), client.encoding),
    }


@lru_cache(maxsize=32)
def _hover_text(
    agent: Same[Any],
    brief: Same[Any],
    path: str,
    offset: int,
    other_agent: Same[Any],
    other_brief: Same[Any],
    locale: str,
    pictures: bool,
    tokens: str,
) -> HoverText | None:
    """The hover at a place; made once as long as nothing changed, since then the same brief comes back."""
    reference = (other_agent.value, other_brief.value) if other_agent.value is not None else None
    facts = HoverFacts(agent.value, brief.value, path, reference, locale, pictures, uri_of, tokens)
    return hover_text(facts, offset)


def _on_session(snapshot: Snapshot, params: lsp.HoverParams) -> dict[str, Any] | None:
    """The hover on an identifier in a store of sessions, or on a page about sessions; None anywhere else."""
    uri = params.text_document.uri
    if not uri.endswith("/sessions.json") and not uri.startswith("agentbrief:/session"):
        return None
    from agentbrief_server.session_hover import hover

    return hover(snapshot, params)
