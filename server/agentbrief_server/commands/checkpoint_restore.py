"""``agentbrief.checkpoint.restore``: an earlier state of a session comes back; the present is kept first."""

from __future__ import annotations

from typing import Any

from agentbrief.messages import say
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.compaction.desk import RestorePreview
from agentbrief_server.compaction.pages import show_preview
from agentbrief_server.compaction.restoring import (
    checkpoints_of,
    chosen_checkpoint,
    restore_previewed,
    restore_question,
    restored,
)
from agentbrief_server.compaction.undoing import offer_undo
from agentbrief_server.compaction.work import require_saved
from agentbrief_server.sessions.commands import desk_of, file_of, folder_of, require_trust
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.uris import uri_of

_NOT_RESTORED: dict[str, Any] = {"restored": False}


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Carry out the preview that ``token`` names, without a question.

    Without a token ``checkpoint`` of the session of ``uri`` or ``id`` is planned, the user is asked, and then
    offered the way back.
    """
    require_trust(snapshot, arguments)
    if (token := arguments.text("token")) is not None:
        preview = desk_of(snapshot).compactions.restores.at(token)
        if preview is None:
            raise arguments.missing("preview.gone")
        require_saved(snapshot, arguments, preview.planned.file)
        return _reply(snapshot, preview, await restored(snapshot, arguments, preview, token))
    folder = folder_of(snapshot, arguments)
    file = await file_of(snapshot, surface, arguments)
    if file is None:
        return _NOT_RESTORED
    require_saved(snapshot, arguments, file)
    found = await checkpoints_of(snapshot, arguments, folder, file)
    checkpoint = await chosen_checkpoint(snapshot, surface, arguments, found)
    if checkpoint is None:
        return _NOT_RESTORED
    preview, made = await restore_previewed(snapshot, arguments, folder, found, checkpoint)
    if not await _agreed(snapshot, surface, arguments, preview, made):
        desk_of(snapshot).compactions.restores.forget(made)
        return _NOT_RESTORED
    reply = _reply(snapshot, preview, change := await restored(snapshot, arguments, preview, made))
    if change is not None:
        offer_undo(snapshot, surface, arguments, change, str(reply["message"]))
    return reply


async def _agreed(
    snapshot: Snapshot, surface: Surface, arguments: Arguments, preview: RestorePreview, token: str
) -> bool:
    locale = snapshot.client.locale
    yes, show, no = (say(locale, f"action.{name}") for name in ("restore", "preview", "cancel"))
    while True:
        chosen = await surface.choose(restore_question(preview, locale), (yes, show, no))
        if chosen != show:
            return chosen == yes
        await show_preview(snapshot, surface, arguments, "restore", token)


def _reply(snapshot: Snapshot, preview: RestorePreview, change: str | None) -> dict[str, Any]:
    if change is None:
        return _NOT_RESTORED
    planned = preview.planned
    return {
        "restored": True,
        "change": change,
        "message": say(snapshot.client.locale, "compaction.restored"),
        "uri": uri_of(planned.path),
        "sessionId": planned.new_session_id,
        "removed": planned.effect.removed,
        "added": planned.effect.added,
        "checkpoint": planned.kept,
    }
