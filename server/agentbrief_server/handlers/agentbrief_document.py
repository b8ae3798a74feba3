"""``agentbrief/document``: the text of a generated page, for clients that show virtual documents their own
way.
"""

from __future__ import annotations

import asyncio
from typing import Any

from agentbrief_server.loose import as_object, as_text
from agentbrief_server.pages import page_at
from agentbrief_server.state import Snapshot


async def handle(snapshot: Snapshot, params: Any) -> dict[str, Any] | None:
    """The text and its language; None when there is no such page."""
    uri = as_text(as_object(params).get("uri"))
    if uri is None:
        return None
    page = await asyncio.to_thread(page_at, snapshot, uri)
    return {"text": page.text, "languageId": page.language} if page is not None else None
