"""``textDocument/documentLink``: links in an instruction file to files that exist beside it; in a store of
sessions the transcripts.
"""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from agentbrief.text.links import beside, links
from agentbrief_server.seen import seen
from agentbrief_server.state import Snapshot
from agentbrief_server.store.documents import is_store_document
from agentbrief_server.to_lsp import range_of, shifted
from agentbrief_server.uris import uri_of


async def handle(snapshot: Snapshot, params: lsp.DocumentLinkParams) -> list[dict[str, Any]]:
    """Relative Markdown links whose target is there; a link to nowhere is no link."""
    found = seen(snapshot, params.text_document.uri)
    if found is None:
        return _in_store(snapshot, params.text_document.uri)
    if found.placed.file.problem is not None:
        return []
    answered: list[dict[str, Any]] = []
    for link in links(found.placed.file.text):
        path = beside(found.path, link.target)
        if snapshot.folder_of(path) is not None and snapshot.files.exists(path):
            span = shifted(link.span, found.hidden)
            answered.append(
                {"range": range_of(found.index, span, snapshot.client.encoding), "target": uri_of(path)}
            )
    return answered


def _in_store(snapshot: Snapshot, uri: str) -> list[dict[str, Any]]:
    if not is_store_document(uri):
        return []
    from agentbrief_server.store.hover import store_links

    return store_links(snapshot, uri)
