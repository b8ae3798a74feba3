"""Bring a transcript of an old version of pi's format to the current one: planned, then written.

pi does so itself when it opens the file, and loses the lines it cannot read; here they keep their bytes, and
a checkpoint comes first. Source: openclaw.md 4.6.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from agentbrief.changes.receipt import Receipt
from agentbrief.changes.steps import Forward, ReplaceFile
from agentbrief.checkpoints.capture import Moment, capture
from agentbrief.checkpoints.listing import checkpoints_in
from agentbrief.compaction.plan import NotPlanned
from agentbrief.disk.lock import Caller
from agentbrief.disk.read import real_roots
from agentbrief.disk.seam import FS
from agentbrief.sessions.pi.append import NewUuid
from agentbrief.sessions.pi.fork import migrated_text
from agentbrief.sessions.pi.versions import VERSION
from agentbrief.tasks.compaction.apply import carried_out
from agentbrief.tasks.compaction.asked import CompactionAsked
from agentbrief.tasks.compaction.keeping import Where
from agentbrief.tasks.compaction.plan import read_session
from agentbrief.tasks.compaction.tree import TREES, tree_session
from agentbrief.tasks.sessions.read import SessionFile
from agentbrief.tasks.sessions.setup import SessionsSetup


@dataclass(frozen=True, slots=True)
class PlannedMigration:
    """What a migration does: no steps where the file has the current version, or a newer one.

    ``version`` is that of the file, ``checkpoint`` the identifier of the copy that comes first.
    """

    file: SessionFile
    version: int
    checkpoint: str | None = None
    steps: tuple[Forward, ...] = ()
    data_after: bytes = field(default=b"", repr=False)
    where: Where = field(default_factory=lambda: Where(""))


def plan_migration(
    setup: SessionsSetup, file: SessionFile, new_uuid: NewUuid
) -> PlannedMigration | NotPlanned:
    """The migration of ``file``, or why it is not written now.

    Raises:
        Refused: the file, the store beside it, or the index of checkpoints cannot be read.
        ValueError: ``file`` is no transcript of pi or OpenClaw.
    """
    if file.format not in TREES:
        raise ValueError(file.format)
    read = read_session(setup, file)
    session = tree_session(setup, file, read, CompactionAsked())
    if isinstance(session, NotPlanned):
        return session
    version = session.transcript.version
    if version >= VERSION:
        return PlannedMigration(file, version)
    data = migrated_text(read.data)
    folder, path = session.folder, read.real_path
    known = checkpoints_in(setup.fs, folder, real_roots(setup.fs, (folder,)))
    messages = session.transcript.tree.count_of("message")
    moment = Moment(new_uuid(), "asked", setup.now_ms, messages, 0)
    kept = capture(known, path, read.stamp, session.ref.session_id or file.session_id, moment)
    steps = (*kept.steps, ReplaceFile(path, data, read.stamp), *kept.later)
    beside = (path,) if session.agent is not None else ()
    return PlannedMigration(file, version, moment.id, steps, data, Where(folder, beside=beside))


def apply_migration(fs: FS, planned: PlannedMigration, caller: Caller) -> Receipt:
    """The receipt of ``planned``: the copy of the file is written and read back before all else.

    Raises:
        Refused: nothing was changed. ``Conflict`` if the file changed since the plan was made.
        ValueError: there is nothing to carry out.
    """
    if not planned.steps:
        raise ValueError(os.path.basename(planned.file.path))
    return carried_out(fs, planned.where, planned.steps, planned.file.path, caller)
