"""How do the commands on checkpoints list them, preview a restore and carry it out?"""

from __future__ import annotations

import os
import uuid
from contextlib import suppress
from typing import Any

from agentbrief.compaction.providers.provider import CancelToken
from agentbrief.disk.refusal import Refused
from agentbrief.messages import say
from agentbrief.redact import mask
from agentbrief.report.checkpoint_page import not_restored_text, restore_lines, restore_record
from agentbrief.report.compaction_words import second_text, times_text
from agentbrief.report.numbers import short
from agentbrief.report.session_record import masked_json
from agentbrief.report.session_words import UNKNOWN
from agentbrief.rules.transcript_scene import size_text
from agentbrief.tasks.compaction.checkpoint_list import CheckpointRow, SessionCheckpoints, session_checkpoints
from agentbrief.tasks.compaction.checkpoint_restore import NotRestored, apply_restore, plan_checkpoint_restore
from agentbrief.tasks.compaction.shown import restore_shown
from agentbrief.tasks.sessions.read import SessionFile
from agentbrief.tasks.sessions.titles import title_of
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.compaction.desk import Change, RestorePreview
from agentbrief_server.sessions.commands import MOST_CHOICES, desk_of, in_worker
from agentbrief_server.sessions.place import listed, now_ms, sessions_setup
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.uris import uri_of


async def checkpoints_of(
    snapshot: Snapshot, arguments: Arguments, folder: str, file: SessionFile
) -> SessionCheckpoints:
    """The checkpoints of ``file``.

    Raises:
        JsonRpcException: their index cannot be read.
    """
    setup = sessions_setup(snapshot, folder)
    return await in_worker(arguments, lambda: session_checkpoints(setup, file))


async def chosen_checkpoint(
    snapshot: Snapshot, surface: Surface, arguments: Arguments, found: SessionCheckpoints
) -> str | None:
    """The checkpoint that ``checkpoint`` names, else the one that the user chooses; None: none was chosen.

    Raises:
        JsonRpcException: there is none to choose.
    """
    named = arguments.text("checkpoint")
    if named is not None:
        return named
    if not found.rows:
        raise arguments.missing("checkpoint.page.none")
    locale = snapshot.client.locale
    rows = found.rows[:MOST_CHOICES]
    times = [f"{time} UTC" for time in times_text([row.created_ms for row in rows])]
    choices = {_choice(row, time, locale): row.id for row, time in zip(rows, times, strict=True)}
    return choices.get(await surface.choose(say(locale, "checkpoint.ask-which"), list(choices)) or "")


async def restore_previewed(
    snapshot: Snapshot, arguments: Arguments, folder: str, found: SessionCheckpoints, checkpoint: str
) -> tuple[RestorePreview, str]:
    """The return of the checkpoint as it would be, and its token.

    Raises:
        JsonRpcException: it does not come back; the sentence says why.
    """
    setup, branch = sessions_setup(snapshot, folder), arguments.flag("asBranch", False)

    def plan() -> RestorePreview | NotRestored:
        planned = plan_checkpoint_restore(
            setup.fs, found, checkpoint, now_ms(), lambda: str(uuid.uuid4()), as_branch=branch
        )
        if isinstance(planned, NotRestored):
            return planned
        return RestorePreview(planned, title_of(setup, found.file), folder)

    preview = await in_worker(arguments, plan)
    if isinstance(preview, NotRestored):
        raise arguments.failed(mask(not_restored_text(preview.why, preview.path, snapshot.client.locale)))
    size = len(preview.planned.data_before) + len(preview.planned.data_after)
    return preview, desk_of(snapshot).compactions.restores.keep(preview, size)


async def restored(
    snapshot: Snapshot, arguments: Arguments, preview: RestorePreview, token: str
) -> str | None:
    """The token of the change, when the checkpoint is back; None if it was called off before.

    Raises:
        JsonRpcException: nothing was changed.
    """
    desk, planned = desk_of(snapshot), preview.planned
    compactions, setup = desk.compactions, sessions_setup(snapshot, preview.folder)

    def carry_out(cancel: CancelToken) -> str | None:
        if cancel.is_cancelled:
            return None
        desk.require_trust()
        receipt = apply_restore(setup.fs, planned, desk.caller())
        kept = os.path.splitext(os.path.basename(planned.kept))[0] if planned.kept else None
        change = Change(receipt, planned.where, planned.file, planned.path, preview.folder, kept)
        compactions.restores.forget(token)
        found = compactions.changes.keep(change)
        with suppress(Refused):
            listed(snapshot, preview.folder)
        return found

    working = say(snapshot.client.locale, "progress.restoring")
    change = await compactions.work(arguments, snapshot, working, carry_out)
    desk.changed()
    desk.listed(snapshot, preview.folder)
    return change


def restore_question(preview: RestorePreview, locale: str) -> str:
    """What a person is asked before the checkpoint comes back."""
    shown = restore_shown(preview.planned, preview.title)
    time = second_text(shown.checkpoint.created_ms)
    head = say(locale, "checkpoint.restore.title", title=preview.title, time=time)
    return mask("\n".join((head, *restore_lines(shown, locale))))


def restore_reply(preview: RestorePreview, token: str, locale: str) -> dict[str, Any]:
    """What a client is told of the preview. ``plan`` is the record that the command line prints too."""
    planned = preview.planned
    return {
        "token": token,
        "question": restore_question(preview, locale),
        "session": uri_of(planned.file.path),
        "target": uri_of(planned.path),
        "plan": masked_json(restore_record(restore_shown(planned, preview.title), applied=False)),
    }


def _choice(row: CheckpointRow, time: str, locale: str) -> str:
    facts = [
        say(locale, f"compaction.cause.{row.cause}"),
        time,
        say(locale, "checkpoint.messages", count=row.messages) if row.messages is not None else UNKNOWN,
        f"~{short(row.tokens)}" if row.tokens is not None else UNKNOWN,
        size_text(row.size) if row.size is not None else UNKNOWN,
        row.id[:8],
    ]
    return " · ".join(facts)
