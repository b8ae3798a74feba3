"""``agentbrief.memory.flush``: memory notes of an OpenClaw session, written now."""

from __future__ import annotations

from typing import Any

from agentbrief.compaction.providers.provider import Cancelled, CancelToken
from agentbrief.messages import say
from agentbrief.redact import mask
from agentbrief.report.compaction_words import trouble_text, warning_text
from agentbrief.tasks.compaction.memory_flush import PlannedFlush, apply_flush, plan_flush
from agentbrief.tasks.sessions.read import SessionFile
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.compaction.desk import Change, FlushPreview, Working
from agentbrief_server.compaction.undoing import offer_undo
from agentbrief_server.compaction.work import asked_of
from agentbrief_server.sessions.commands import desk_of, file_of, folder_of, require_trust, words_of
from agentbrief_server.sessions.place import sessions_setup
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.uris import uri_of

_NOT_DONE: dict[str, Any] = {"written": False, "ended": "cancelled"}
_NOTHING_TO_DO = ("nothing", "done")


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Write ``notes``, else those of a provider, to the day's file in the agent's workspace.

    ``dryRun: true`` only says what would be written, and gives a token; with ``token`` exactly that is
    written without a question. Else the user is asked first.
    """
    dry_run = arguments.flag("dryRun", False)
    if not dry_run:
        require_trust(snapshot, arguments)
    flushes = desk_of(snapshot).compactions.flushes
    if (token := arguments.text("token")) is not None:
        kept = flushes.at(token)
        if kept is None:
            raise arguments.missing("preview.gone")
        return _record(snapshot, kept.planned, await _written(snapshot, arguments, kept, token))
    folder = folder_of(snapshot, arguments)
    file = await file_of(snapshot, surface, arguments)
    preview = await _planned(snapshot, arguments, folder, file) if file is not None else None
    if preview is None:
        return _NOT_DONE
    if not preview.planned.steps:
        return _record(snapshot, preview.planned, None)
    made = flushes.keep(preview)
    if dry_run:
        return {**_record(snapshot, preview.planned, None), "token": made}
    if not await _agreed(snapshot, surface, preview.planned):
        flushes.forget(made)
        return _NOT_DONE
    change = await _written(snapshot, arguments, preview, made)
    reply = _record(snapshot, preview.planned, change)
    if change is not None:
        offer_undo(snapshot, surface, arguments, change, str(reply["message"]))
    return reply


async def _planned(
    snapshot: Snapshot, arguments: Arguments, folder: str, file: SessionFile
) -> FlushPreview | None:
    """What would be written; None if it was called off."""
    given = words_of(arguments, "notes") if arguments.values.get("notes") is not None else None
    asked, setup = asked_of(snapshot, arguments, folder), sessions_setup(snapshot, folder)
    compactions, locale = desk_of(snapshot).compactions, snapshot.client.locale

    on = Working()

    def plan(cancel: CancelToken) -> PlannedFlush | None:
        try:
            return plan_flush(setup, file, compactions.means(snapshot, folder, cancel, on), given, asked)
        except Cancelled:
            return None

    planned = await compactions.work(arguments, snapshot, say(locale, "progress.notes"), plan, lambda: on.on)
    if planned is None:
        return None
    if planned.trouble is not None:
        raise arguments.failed(mask(trouble_text(locale, planned.trouble)))
    if planned.refused is not None and planned.refused not in _NOTHING_TO_DO:
        raise arguments.missing(f"compaction.flush.{planned.refused}", path=mask(file.path))
    return FlushPreview(planned, folder)


async def _agreed(snapshot: Snapshot, surface: Surface, planned: PlannedFlush) -> bool:
    """Whether the user wants it; nobody is asked where only the store notes that nothing is to be said."""
    if planned.notes is None or planned.notes.step is None:
        return True
    locale = snapshot.client.locale
    yes, no = say(locale, "action.write"), say(locale, "action.cancel")
    words = say(locale, "compaction.flush.would", path=planned.notes.path)
    return await surface.choose(mask(f"{words}\n{planned.notes.text}"), (yes, no)) == yes


async def _written(snapshot: Snapshot, arguments: Arguments, preview: FlushPreview, token: str) -> str | None:
    """The token of the change; None if it was called off before."""
    desk, planned = desk_of(snapshot), preview.planned
    setup = sessions_setup(snapshot, preview.folder)

    def carry_out(cancel: CancelToken) -> str | None:
        if cancel.is_cancelled:
            return None
        desk.require_trust()
        receipt = apply_flush(setup.fs, planned, desk.caller())
        desk.compactions.flushes.forget(token)
        path = planned.notes.path if planned.notes is not None else planned.file.path
        return desk.compactions.changes.keep(
            Change(receipt, planned.where, planned.file, path, preview.folder)
        )

    title = say(snapshot.client.locale, "progress.notes")
    change = await desk.compactions.work(arguments, snapshot, title, carry_out)
    desk.changed()
    return change


def _record(snapshot: Snapshot, planned: PlannedFlush, change: str | None) -> dict[str, Any]:
    locale, notes, state = snapshot.client.locale, planned.notes, planned.state
    has_notes = notes is not None and notes.step is not None
    if planned.refused == "done":
        sentence = say(locale, "compaction.flush.done-before")
    elif notes is None or not has_notes:
        sentence = say(locale, "compaction.flush.nothing")
    else:
        key = "compaction.flush.done" if change is not None else "compaction.flush.would"
        sentence = say(locale, key, path=mask(notes.path))
    return {
        "written": change is not None,
        "change": change,
        "message": sentence,
        "uri": uri_of(notes.path) if notes is not None and has_notes else None,
        "text": mask(notes.text) if notes is not None else "",
        "source": notes.source if notes is not None else None,
        "due": state.due if state is not None else None,
        "thresholdTokens": state.threshold_tokens if state is not None else None,
        "refused": planned.refused,
        "warnings": [mask(warning_text(locale, each)) for each in planned.warnings],
    }
