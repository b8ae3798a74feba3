"""``agentbrief.fix.apply``: a fix that must be asked about, for clients that cannot ask inside an edit."""

from __future__ import annotations

from typing import Any

from agentbrief.messages import say
from agentbrief.rules.finding import Fix
from agentbrief.rules.registry import rule
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.edits import plain_edit
from agentbrief_server.findings import findings_of
from agentbrief_server.seen import Seen, seen
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.to_lsp import fix_title


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Ask the user, then have the client make the edit; the reply says whether it did.

    The edit is made for the text as it is after the answer: not every client compares versions.
    """
    locale = snapshot.client.locale
    fix, _ = _planned(snapshot, arguments)
    title = fix_title(fix, locale)
    yes = say(locale, "fix.yes")
    if await surface.choose(say(locale, "fix.ask", title=title), (yes, say(locale, "fix.no"))) != yes:
        return {"applied": False}
    fix, edit = _planned(surface.now(), arguments)
    if fix_title(fix, locale) != title:
        raise arguments.missing("fix.gone")
    applied = await surface.apply(title, edit)
    surface.say(say(locale, "fix.done" if applied else "fix.refused", title=title))
    return {"applied": applied}


def _planned(snapshot: Snapshot, arguments: Arguments) -> tuple[Fix, dict[str, Any]]:
    """The fix that the arguments name, and its edit.

    Raises:
        JsonRpcException: the finding is gone, or the client cannot make such an edit.
    """
    found = seen(snapshot, arguments.text("uri") or "")
    if found is None:
        raise arguments.missing("no-instruction-file")
    fix = _fix(snapshot, found, arguments)
    if fix is None:
        raise arguments.missing("fix.gone")
    edit = plain_edit(snapshot, found, fix)
    if edit is None:
        raise arguments.missing("fix.not-here", title=fix_title(fix, snapshot.client.locale))
    return fix, edit


def _fix(snapshot: Snapshot, found: Seen, arguments: Arguments) -> Fix | None:
    """The fix that the arguments name, if its finding is still there."""
    code, name, start = arguments.text("code"), arguments.text("fix"), arguments.text("start")
    for finding in findings_of(snapshot, found.path):
        fix_of = rule(finding.code).fix
        if finding.code == code and str(finding.span.start) == start and fix_of is not None:
            fixes = fix_of(finding, found.placed.file.text)
            return next((fix for fix in fixes if fix.id == name), None)
    return None
