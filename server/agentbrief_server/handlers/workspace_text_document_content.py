"""``workspace/textDocumentContent``: the text of a generated page, for clients with LSP 3.18."""

from __future__ import annotations

import asyncio
from typing import Any

from lsprotocol import types as lsp

from agentbrief_server.pages import page_at
from agentbrief_server.state import Snapshot


async def handle(snapshot: Snapshot, params: lsp.TextDocumentContentParams) -> dict[str, Any] | None:
    """The text at an ``agentbrief:`` address; None when there is no such page."""
    page = await asyncio.to_thread(page_at, snapshot, params.uri)
    return {"text": page.text} if page is not None else None
