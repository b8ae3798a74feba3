"""How does a person get from the wish to compact to the deed, and back again?"""

from __future__ import annotations

from typing import Any

from agentbrief.messages import say
from agentbrief.redact import mask
from agentbrief.report.numbers import short
from agentbrief.tasks.compaction.plan import without_notes
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.compaction.desk import Preview
from agentbrief_server.compaction.pages import show_preview
from agentbrief_server.compaction.undoing import offer_undo
from agentbrief_server.compaction.work import (
    asked_of,
    compacted,
    declined,
    kept_preview,
    previewed,
    question_of,
    reply_of,
    require_saved,
    sentence_of,
)
from agentbrief_server.sessions.commands import file_of, folder_of, require_trust
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.uris import uri_of

Reply = dict[str, Any]


async def run_compaction(
    snapshot: Snapshot, surface: Surface, arguments: Arguments, *, into_copy: bool
) -> Reply:
    """Compact a session, in its place or into a copy, by the preview of ``token`` or by one made now.

    Raises:
        JsonRpcException: nothing was changed.
    """
    require_trust(snapshot, arguments)
    kept = kept_preview(snapshot, arguments, copy=into_copy)
    if kept is not None:
        preview, token = kept
        if not arguments.flag("withNotes", True):
            preview = _without_notes(preview)
        require_saved(snapshot, arguments, preview.planned.file)
        return _reply(preview, await compacted(snapshot, arguments, preview, token), snapshot)
    folder = folder_of(snapshot, arguments)
    asked = asked_of(snapshot, arguments, folder)
    file = await file_of(snapshot, surface, arguments)
    if file is None:
        return {"compacted": False, "ended": "cancelled"}
    require_saved(snapshot, arguments, file)
    planned, made = await previewed(
        snapshot, arguments, folder, file, asked, "always" if into_copy else "never"
    )
    if made is None:
        surface.say(sentence_of(planned, snapshot.client.locale))
        return {"compacted": False, **reply_of(planned, None, snapshot.client.locale)}
    agreed = await _agreed(snapshot, surface, arguments, planned, made)
    if agreed is None:
        await declined(snapshot, arguments, planned, made)
        return {"compacted": False, "ended": "cancelled"}
    reply = _reply(agreed, change := await compacted(snapshot, arguments, agreed, made), snapshot)
    if change is not None:
        offer_undo(snapshot, surface, arguments, change, str(reply["message"]))
    return reply


async def _agreed(
    snapshot: Snapshot, surface: Surface, arguments: Arguments, preview: Preview, token: str
) -> Preview | None:
    """What the user agrees to: the preview, or it without its notes; None: to nothing."""
    locale = snapshot.client.locale
    yes, bare, show, no = (
        say(locale, f"action.{name}") for name in ("compact", "compact-without-notes", "preview", "cancel")
    )
    choices = (yes, bare, show, no) if preview.planned.notes is not None else (yes, show, no)
    while True:
        chosen = await surface.choose(question_of(preview, locale), choices)
        if chosen == yes:
            return preview
        if chosen == bare:
            return _without_notes(preview)
        if chosen != show:
            return None
        await show_preview(snapshot, surface, arguments, "compaction", token)


def _without_notes(preview: Preview) -> Preview:
    return Preview(without_notes(preview.planned), preview.view, preview.folder)


def _reply(preview: Preview, change: str | None, snapshot: Snapshot) -> Reply:
    locale, plan = snapshot.client.locale, preview.planned.plan
    assert plan is not None
    if change is None:
        return {
            "compacted": False,
            "ended": "cancelled",
            "message": say(locale, "compaction.ended.cancelled"),
        }
    if preview.planned.is_copy:
        sentence = say(locale, "compaction.done-copy", path=mask(plan.target))
    else:
        before, after = short(plan.tokens_before), short(plan.tokens_after)
        sentence = say(locale, "compaction.done", before=before, after=after)
    return {
        "compacted": True,
        "ended": "planned",
        "change": change,
        "message": sentence,
        "uri": uri_of(plan.target),
        "isCopy": preview.planned.is_copy,
        "checkpoint": plan.checkpoint,
        "tokensBefore": plan.tokens_before,
        "tokensAfter": plan.tokens_after,
        "bytesBefore": plan.bytes_before,
        "bytesAfter": plan.bytes_after,
    }
