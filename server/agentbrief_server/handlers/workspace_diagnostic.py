"""``workspace/diagnostic``: a client that pulls asks for the findings of all files."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from agentbrief.disk.look import Same
from agentbrief_server.findings import result_id, told_of
from agentbrief_server.state import Snapshot
from agentbrief_server.store.documents import is_store_document, store_report
from agentbrief_server.uris import path_of, uri_of


async def handle(snapshot: Snapshot, params: lsp.WorkspaceDiagnosticParams) -> dict[str, Any]:
    """A report of each file that has findings, had some, or is open; unchanged ones are said to be so."""
    before = {
        path: each.value for each in params.previous_result_ids if (path := path_of(each.uri)) is not None
    }
    opened = {path for path in snapshot.documents if snapshot.names.has(path)}
    items: list[dict[str, Any]] = []
    for path in sorted({*snapshot.findings, *before, *opened}):
        if path.endswith((".jsonl", ".json")):
            continue
        document = snapshot.documents.get(path)
        told = told_of(snapshot, path, None if path in opened else snapshot.findings.get(path, ()))
        result = result_id(Same(told))
        report: dict[str, Any] = {
            "uri": document.uri if document else uri_of(path),
            "version": document.version if document else None,
            "resultId": result,
        }
        if before.get(path) == result:
            items.append({**report, "kind": "unchanged"})
        else:
            items.append({**report, "kind": "full", "items": told})
    return {"items": [*items, *_transcripts(snapshot, before), *_stores(snapshot, before)]}


def _stores(snapshot: Snapshot, before: dict[str, str]) -> list[dict[str, Any]]:
    """The reports of open stores of sessions, and of those that were open."""
    items: list[dict[str, Any]] = []
    for path in sorted({*snapshot.sessions.stores, *filter(is_store_document, before)}):
        document = snapshot.documents.get(path)
        about = {
            "uri": document.uri if document else uri_of(path),
            "version": document.version if document else None,
        }
        items.append({**about, **store_report(snapshot, path, before.get(path))})
    return items


def _transcripts(snapshot: Snapshot, before: dict[str, str]) -> list[dict[str, Any]]:
    """The reports of transcripts that were listed or checked, and of those that have no findings any more."""
    found = snapshot.sessions.findings
    gone = [path for path in before if path.endswith(".jsonl") and path not in found]
    if not found and not gone:
        return []
    from agentbrief_server.sessions.findings import transcript_report

    return [transcript_report(snapshot, path, before.get(path)) for path in sorted({*found, *gone})]
