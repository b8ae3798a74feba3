"""``textDocument/codeLens``: one line above an instruction file, a session, or a page about one."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

from agentbrief.report.lens import lens_entries
from agentbrief_server.seen import seen
from agentbrief_server.sessions.offers import session_offers
from agentbrief_server.state import Snapshot
from agentbrief_server.to_lsp import command

_FIRST_LINE = {"start": {"line": 0, "character": 0}, "end": {"line": 0, "character": 0}}


async def handle(snapshot: Snapshot, params: lsp.CodeLensParams) -> list[dict[str, Any]]:
    """At most three entries, all on line 1, always in the same order."""
    found = seen(snapshot, params.text_document.uri)
    if found is None:
        return _of_session(snapshot, params.text_document.uri)
    if not found.settings.flag("codeLens.enable"):
        return []
    arguments = {"uri": params.text_document.uri}
    return [
        {"range": _FIRST_LINE, "command": command(entry.title, entry.command, arguments)}
        for entry in lens_entries(found.agent, found.brief, found.path, snapshot.client.locale)
    ]


def _of_session(snapshot: Snapshot, uri: str) -> list[dict[str, Any]]:
    if not snapshot.settings_of(None).flag("codeLens.enable"):
        return []
    return [
        {"range": _FIRST_LINE, "command": command(offer.title, offer.command, {"uri": uri})}
        for offer in session_offers(snapshot, uri)
    ]
