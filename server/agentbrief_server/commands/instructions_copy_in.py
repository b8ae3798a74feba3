"""``agentbrief.instructions.copyIn``: the text that a link to elsewhere leads to, in place of the link.

The client makes the change, so its own undo knows of it. The link is removed before the file is made: what
it leads to is never written.
"""

from __future__ import annotations

import asyncio
import os
from typing import Any

from agentbrief.disk.read import read_text, real_roots
from agentbrief.disk.seam import FS
from agentbrief.disk.values import FileText
from agentbrief.messages import say
from agentbrief.text.span import Span
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.documents import line_index
from agentbrief_server.seen import seen
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.to_lsp import text_edit
from agentbrief_server.uris import uri_of


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Ask, naming the place that is read, then have the client make the change; the reply says whether it
    did.
    """
    client = snapshot.client
    found = seen(snapshot, arguments.text("uri") or "")
    if found is None:
        raise arguments.missing("no-instruction-file")
    if found.target_outside is None:
        raise arguments.missing("no-link-outside")
    if not snapshot.trusted:
        raise arguments.missing("copy-needs-trust")
    if not (client.document_changes and client.creates_files and client.deletes_files):
        raise arguments.missing("fix.not-here", title=say(client.locale, "fix.copy-in"))
    text = await asyncio.to_thread(_text_at, found.target_outside)
    name, target = found.placed.file.name, found.target_shown
    if text is None:
        raise arguments.missing("target-unreadable", target=target)
    yes = say(client.locale, "fix.yes")
    question = say(client.locale, "copy-in.ask", name=name, target=target, chars=len(text))
    if await surface.choose(question, (yes, say(client.locale, "fix.no"))) != yes:
        return {"applied": False}
    uri = uri_of(found.path)
    steps: list[dict[str, Any]] = [{"kind": "delete", "uri": uri}, {"kind": "create", "uri": uri}]
    if text:
        insert = text_edit(line_index(""), Span(0, 0), text, client.encoding)
        steps.append({"textDocument": {"uri": uri, "version": None}, "edits": [insert]})
    applied = await surface.apply(say(client.locale, "fix.copy-in"), {"documentChanges": steps})
    surface.say(say(client.locale, "copy-in.done" if applied else "fix.refused", name=name, target=target))
    return {"applied": applied}


def _text_at(path: str) -> str | None:
    """The text of the one file that the user was shown; None if it is no text that may be read."""
    fs = FS()
    read = read_text(fs, path, real_roots(fs, (os.path.dirname(path),)))
    return read.text if isinstance(read, FileText) else None
