"""How is a change taken back, and how is that offered once it was made?"""

from __future__ import annotations

from dataclasses import replace

from agentbrief.compaction.providers.provider import CancelToken
from agentbrief.disk.refusal import Conflict
from agentbrief.messages import say
from agentbrief.redact import mask
from agentbrief.tasks.change_undo import undo_change
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.compaction.desk import Change
from agentbrief_server.sessions.commands import desk_of, show_session_page
from agentbrief_server.sessions.place import sessions_setup
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def undone(snapshot: Snapshot, arguments: Arguments, token: str) -> Change:
    """The change of ``token``, which is taken back now.

    Raises:
        JsonRpcException: it is not known, or not any more; or nothing was changed, as its file is another one
            since.
    """
    desk = desk_of(snapshot)
    change = desk.compactions.changes.at(token)
    if change is None:
        raise arguments.missing("change.none")
    fs = sessions_setup(snapshot, change.folder).fs

    def take_back(cancel: CancelToken) -> bool:
        if cancel.is_cancelled:
            return False
        desk.require_trust()
        try:
            if change.leaves_nothing_else:
                with desk.lock_folder() as lock:
                    undo_change(fs, change.receipt, replace(change.where, store=lock), desk.caller())
            else:
                undo_change(fs, change.receipt, change.where, desk.caller())
        except Conflict:
            return False
        return True

    title = say(snapshot.client.locale, "progress.undoing")
    if not await desk.compactions.work(arguments, snapshot, title, take_back):
        raise arguments.missing("change.changed-since", path=mask(change.path))
    desk.compactions.changes.forget(token)
    desk.changed()
    desk.listed(snapshot, change.folder)
    return change


def undone_text(change: Change, locale: str) -> str:
    """What is said when it is taken back."""
    key = "change.copy-removed" if change.leaves_nothing_else else "checkpoint.undone"
    return say(locale, key, path=mask(change.path))


def offer_undo(snapshot: Snapshot, surface: Surface, arguments: Arguments, token: str, sentence: str) -> None:
    """Say that it is done, with Undo and the checkpoint beside it; nobody waits for the answer."""
    desk_of(snapshot).compactions.later(_offered(snapshot, surface, arguments, token, sentence))


async def _offered(
    snapshot: Snapshot, surface: Surface, arguments: Arguments, token: str, sentence: str
) -> None:
    change = desk_of(snapshot).compactions.changes.at(token)
    if change is None:
        return
    locale = snapshot.client.locale
    undo, show = say(locale, "action.undo"), say(locale, "action.show-checkpoint")
    chosen = await surface.choose(sentence, (undo, show) if change.checkpoint else (undo,))
    if chosen == undo:
        surface.say(undone_text(await undone(snapshot, arguments, token), locale))
    elif chosen == show:
        await show_session_page(snapshot, surface, arguments, "checkpoints", path=change.file.path)
