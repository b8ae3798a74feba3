"""``textDocument/diagnostic``: a client that pulls asks for the findings of one file."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from agentbrief.disk.look import Same
from agentbrief_server.findings import result_id, told_of
from agentbrief_server.state import Snapshot
from agentbrief_server.store.documents import is_store_document, store_report
from agentbrief_server.uris import path_of


async def handle(snapshot: Snapshot, params: lsp.DocumentDiagnosticParams) -> dict[str, Any]:
    """The full report of the file, or that nothing changed. A file that is not ours has none."""
    path = path_of(params.text_document.uri)
    if path is None or not snapshot.names.has(path):
        if path is not None and is_store_document(path):
            return store_report(snapshot, path, params.previous_result_id)
        return {"kind": "full", "items": []}
    told = told_of(snapshot, path)
    result = result_id(Same(told))
    if params.previous_result_id == result:
        return {"kind": "unchanged", "resultId": result}
    return {"kind": "full", "resultId": result, "items": told}
