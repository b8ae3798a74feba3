"""``agentbrief.secret.showRotation``: what is to be done about a secret in an instruction file."""

from __future__ import annotations

from typing import Any

from agentbrief.report.rotation_page import as_shown
from agentbrief.rules.secrets_told import VARIABLES
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.commands.showing import show_page
from agentbrief_server.findings import findings_of
from agentbrief_server.seen import seen
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Show the list for a secret of the argument ``kind``; without it for the first one in the file.

    ``shown`` is what of the secret may be shown.
    """
    kind, shown = arguments.text("kind"), arguments.text("shown")
    found = seen(snapshot, arguments.text("uri") or "")
    if kind is None:
        if found is None:
            raise arguments.missing("no-instruction-file")
        first = [each for each in findings_of(snapshot, found.path) if each.code == "secret-in-instructions"]
        if not first:
            raise arguments.missing("no-page")
        kind, shown = str(dict(first[0].data)["kind"]), str(dict(first[0].arguments)["shown"])
    if kind not in VARIABLES:
        raise arguments.wrong("kind")
    path = found.path if found is not None else ""
    about = {"secret": kind, "shown": as_shown(shown or ""), "path": path}
    return await show_page(snapshot, surface, arguments, "rotation", **about)
