"""How do the commands that compact preview it and carry it out?"""

from __future__ import annotations

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any, Literal

from agentbrief.compaction.copies.names import copy_name
from agentbrief.compaction.providers.extractive import EXTRACTIVE
from agentbrief.compaction.providers.provider import CancelToken
from agentbrief.disk.folder import stamp_of
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.messages import say
from agentbrief.redact import mask
from agentbrief.report.compaction_page import compaction_lines
from agentbrief.report.compaction_record import compaction_record
from agentbrief.report.compaction_words import outcome_text
from agentbrief.report.session_record import masked_json
from agentbrief.tasks.compaction.apply import apply_compaction, where_of
from agentbrief.tasks.compaction.asked import CompactionAsked
from agentbrief.tasks.compaction.files import FOREIGN
from agentbrief.tasks.compaction.plan import PlannedCompaction, plan_compaction
from agentbrief.tasks.compaction.shown import compaction_view
from agentbrief.tasks.compaction.steer import WRITTEN, append_texts, own_file_of, real_path_of
from agentbrief.tasks.sessions.read import SessionFile
from agentbrief.tasks.sessions.titles import title_of
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.compaction.desk import Change, Preview, Working
from agentbrief_server.compaction.summarize import EDITOR
from agentbrief_server.log import LOG
from agentbrief_server.sessions.commands import desk_of, in_worker, target_of
from agentbrief_server.sessions.desk import SessionDesk
from agentbrief_server.sessions.own import OwnSessions
from agentbrief_server.sessions.place import listed, sessions_setup
from agentbrief_server.state import Snapshot
from agentbrief_server.uris import uri_of

IntoCopy = Literal["never", "if-needed", "always"]


def asked_of(snapshot: Snapshot, arguments: Arguments, folder: str) -> CompactionAsked:
    """What the arguments ask for.

    Raises:
        JsonRpcException: one of them is wrong, or names a provider that the user's settings do not.
    """
    names = arguments.strings("providers")
    allowed = {*snapshot.settings_of(folder).strings("compaction.providers"), EXTRACTIVE, EDITOR}
    if not allowed >= set(names):
        raise arguments.wrong("providers")
    return CompactionAsked(
        providers=names or None,
        preserve=arguments.whole("preserve"),
        max_tokens=arguments.whole("maxTokens"),
        until_fits=arguments.flag("untilFits", False),
        output=target_of(snapshot, arguments, folder),
        with_notes=arguments.flag("withNotes", True),
        replace_transcript=arguments.flag("replaceTranscript", False)
        if "replaceTranscript" in arguments.values
        else None,
    )


async def previewed(
    snapshot: Snapshot,
    arguments: Arguments,
    folder: str,
    file: SessionFile,
    asked: CompactionAsked,
    into_copy: IntoCopy,
) -> tuple[Preview, str | None]:
    """The compaction of ``file`` as it would be, and its token; no token where nothing would change.

    Raises:
        JsonRpcException: it cannot be compacted; the sentence says why.
    """
    desk, setup = desk_of(snapshot), sessions_setup(snapshot, folder)
    compactions = desk.compactions
    must = file.format in FOREIGN or file.is_live_foreign
    if into_copy == "never" or (into_copy == "if-needed" and not must and asked.output is None):
        asked = replace(asked, output=None)
    elif asked.output is None:
        beside = os.path.dirname(file.path) if snapshot.folder_of(file.path) else folder
        asked = replace(asked, output=free_copy(setup.fs, file, beside))

    on = Working()

    def plan(cancel: CancelToken) -> Preview:
        means = compactions.means(snapshot, folder, cancel, on)
        planned = plan_compaction(setup, file, asked, means)
        title = title_of(setup, file)
        _take_waiting(desk, setup.fs, planned)
        return Preview(planned, compaction_view(setup, planned, means, title), folder)

    title = say(snapshot.client.locale, "progress.summarizing")
    preview = await compactions.work(arguments, snapshot, title, plan, lambda: on.on)
    planned = preview.planned
    if planned.outcome.trouble is not None:
        raise arguments.failed(sentence_of(preview, snapshot.client.locale))
    if not planned.changes:
        return preview, None
    return preview, compactions.previews.keep(preview, len(planned.data) + len(planned.data_after))


def kept_preview(snapshot: Snapshot, arguments: Arguments, *, copy: bool) -> tuple[Preview, str] | None:
    """The preview of the argument ``token``, of a copy or of none; None where no token is given.

    Raises:
        JsonRpcException: it is not known, or no more.
    """
    token = arguments.text("token")
    if token is None:
        return None
    preview = desk_of(snapshot).compactions.previews.at(token)
    if preview is None:
        raise arguments.missing("preview.gone")
    if preview.planned.is_copy != copy:
        raise arguments.wrong("token")
    return preview, token


async def compacted(snapshot: Snapshot, arguments: Arguments, preview: Preview, token: str) -> str | None:
    """The token of the change, when the preview is carried out; None if it was called off before.

    Raises:
        JsonRpcException: nothing was changed.
    """
    desk, planned = desk_of(snapshot), preview.planned
    setup, compactions = sessions_setup(snapshot, preview.folder), desk_of(snapshot).compactions
    plan = planned.plan
    assert plan is not None

    def carry_out(cancel: CancelToken) -> str | None:
        if cancel.is_cancelled:
            return None
        desk.require_trust()
        with _lock_of(desk, planned) as lock:
            receipt = apply_compaction(setup.fs, planned, desk.caller(), lock)
            where = where_of(setup.fs, planned, lock)
        checkpoint = os.path.splitext(os.path.basename(plan.checkpoint))[0] if plan.checkpoint else None
        change = Change(
            receipt, where, planned.file, plan.target, preview.folder, checkpoint, planned.is_copy
        )
        compactions.previews.forget(token)
        change_token = compactions.changes.keep(change)
        if not planned.is_copy:
            append_waiting(desk, setup.fs, planned.file)
        with suppress(Refused):
            listed(snapshot, preview.folder)
        return change_token

    working = say(snapshot.client.locale, "progress.compacting")
    change = await compactions.work(arguments, snapshot, working, carry_out)
    desk.changed()
    desk.listed(snapshot, preview.folder)
    return change


async def declined(snapshot: Snapshot, arguments: Arguments, preview: Preview, token: str) -> None:
    """Forget the preview: the user does not want it. Texts that waited for it are added to the session now.

    Raises:
        JsonRpcException: trust was withdrawn meanwhile.
    """
    desk, file = desk_of(snapshot), preview.planned.file
    desk.compactions.previews.forget(token)
    if preview.planned.outcome.waiting:
        fs = sessions_setup(snapshot, preview.folder).fs

        def add() -> None:
            desk.require_trust()
            append_waiting(desk, fs, file)

        await in_worker(arguments, add)


def require_saved(snapshot: Snapshot, arguments: Arguments, file: SessionFile) -> None:
    """Nothing, unless messages of the session are in memory only.

    Raises:
        JsonRpcException: they are.
    """
    if unsaved_in(snapshot, file) is not None:
        raise arguments.missing("session.unsaved")


def unsaved_in(snapshot: Snapshot, file: SessionFile) -> tuple[OwnSessions, str] | None:
    """Where messages of the session are in memory only, and its identifier there; None: they are saved."""
    folder = snapshot.folder_of(file.path)
    own = desk_of(snapshot).own(folder) if folder is not None else None
    if own is None:
        return None
    return next(((own, each.file.session_id) for each in own.unsaved() if each.file.path == file.path), None)


def sentence_of(preview: Preview, locale: str) -> str:
    """How the planning ended."""
    view = preview.view
    return mask(outcome_text(locale, view.outcome, view.path, view.rules))


def question_of(preview: Preview, locale: str) -> str:
    """What a person is asked before it is carried out: one line a fact."""
    facts = [line.strip() for line in compaction_lines(preview.view, locale) if not line.startswith("  - ")]
    # What comes of it first; why it may be done is read by whoever wonders.
    why, *others = facts
    title = say(locale, "compaction.question", title=mask(preview.view.title))
    return "\n".join((title, *map(mask, (*others, why))))


def reply_of(preview: Preview, token: str | None, locale: str) -> dict[str, Any]:
    """What a client is told of a preview. ``plan`` is the record that the command line prints too."""
    planned, plan = preview.planned, preview.planned.plan
    return {
        "ended": planned.outcome.ended,
        "token": token,
        "message": sentence_of(preview, locale),
        "question": question_of(preview, locale) if token else None,
        "session": uri_of(planned.file.path),
        "isCopy": planned.is_copy,
        "target": uri_of(plan.target) if plan is not None else None,
        "plan": masked_json(compaction_record(preview.view, applied=False)) if plan else None,
        "dropped": planned.dropped,
        "waiting": list(planned.outcome.waiting),
    }


def free_copy(fs: FS, file: SessionFile, folder: str) -> str:
    """A name in ``folder`` for a compacted copy that is free."""
    stem, extension = os.path.splitext(copy_name(file.path))
    number = 1
    while True:
        tail = "" if number == 1 else f"-{number}"
        path = os.path.join(folder, f"{stem}{tail}{extension}")
        if stamp_of(fs, path) is None:
            return path
        number += 1


def append_waiting(desk: SessionDesk, fs: FS, file: SessionFile) -> None:
    """Add the texts that wait for ``file`` to it; where that is refused they wait on. In a worker."""
    path = real_path_of(fs, file)
    texts = desk.compactions.waited(path)
    added = 0
    try:
        for text in texts:
            added += len(append_texts(fs, own_file_of(fs, file), (text,), desk.caller()))
    except Refused:
        LOG.warning("texts for a session wait on: it cannot be written")
    desk.compactions.wait(path, texts[added:])


def _take_waiting(desk: SessionDesk, fs: FS, planned: PlannedCompaction) -> None:
    """Texts that no call took wait for the compaction; where none is going to be, they are added now.

    Those that the session cannot hold are only in the reply.
    """
    file, texts = planned.file, planned.outcome.waiting
    if not texts or file.format not in WRITTEN or file.is_live_foreign:
        return
    desk.compactions.wait(real_path_of(fs, file), texts)
    if not planned.changes or planned.is_copy:
        desk.require_trust()
        append_waiting(desk, fs, file)


@contextmanager
def _lock_of(desk: SessionDesk, planned: PlannedCompaction) -> Generator[str | None]:
    if not planned.is_copy:
        yield None
        return
    with desk.lock_folder() as folder:
        yield folder
