"""Save memory notes of an OpenClaw session now, without a compaction: planned, then written.

The notes go to the end of the day's file in the agent's workspace, and the store notes that it was done.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from agentbrief.changes.entry_edits import entry_edits
from agentbrief.changes.receipt import Receipt
from agentbrief.changes.steps import EditStore, Forward
from agentbrief.compaction.openclaw.entry_after import after_flush
from agentbrief.compaction.openclaw.flush import FlushState
from agentbrief.compaction.pi.due import compaction_due
from agentbrief.compaction.pi.memory_notes import MemoryNotes
from agentbrief.compaction.plan import NotPlanned, PlanWarning
from agentbrief.disk.lock import Caller
from agentbrief.disk.read import real_roots
from agentbrief.disk.seam import FS
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.pi.context import MessageValues, context_messages
from agentbrief.sessions.sniff import openclaw
from agentbrief.tasks.compaction.apply import carried_out
from agentbrief.tasks.compaction.asked import CompactionAsked, Means
from agentbrief.tasks.compaction.keeping import Where
from agentbrief.tasks.compaction.notes import notes_of, settings_of, state_of
from agentbrief.tasks.compaction.plan import read_session
from agentbrief.tasks.compaction.providers import listed_providers
from agentbrief.tasks.compaction.tree import TreeSession, tree_session
from agentbrief.tasks.sessions.read import SessionFile
from agentbrief.tasks.sessions.setup import SessionsSetup

WhyNoFlush = Literal["not-openclaw", "off", "no-workspace", "read-only-workspace", "done", "nothing"]
"""Why no notes are saved; the sentences are ``compaction.flush.<why>``."""


@dataclass(frozen=True, slots=True)
class PlannedFlush:
    """What would be saved, and why nothing is (``refused``, ``trouble``).

    ``state`` is where the session stands. ``notes`` without a step: nothing is worth saving, and that is
    noted.
    """

    file: SessionFile
    notes: MemoryNotes | None = None
    state: FlushState | None = None
    refused: WhyNoFlush | None = None
    trouble: NotPlanned | None = None
    warnings: tuple[PlanWarning, ...] = ()
    where: Where = field(default_factory=lambda: Where(""))
    steps: tuple[Forward, ...] = field(default=(), repr=False)


def plan_flush(
    setup: SessionsSetup,
    file: SessionFile,
    means: Means,
    given: str | None = None,
    asked: CompactionAsked | None = None,
) -> PlannedFlush:
    """What saving the notes of ``file`` now would write. ``given`` are the user's own notes.

    ``asked`` names the providers. It is not asked whether notes are due: the user wants them. Only a cycle
    that has had its notes needs the user's own for more.

    Raises:
        Refused: a file cannot be read.
        Cancelled: the user has called it off.
    """
    if file.format != openclaw.FORMAT:
        return PlannedFlush(file, refused="not-openclaw")
    asked = asked or CompactionAsked()
    session = tree_session(setup, file, read_session(setup, file), asked)
    if isinstance(session, NotPlanned):
        return PlannedFlush(file, trouble=session)
    window = session.settings.window_tokens
    due = compaction_due(
        session.transcript.tree, window or 0, session.settings.reserve_tokens, session.settings.data
    )
    state = state_of(session, due.context.tokens)
    refused = _why_not(session, state, given)
    if refused is not None:
        return PlannedFlush(file, state=state, refused=refused)
    messages = list(MessageValues(context_messages(session.transcript.tree.path)))
    providers = listed_providers(setup, asked, means)
    notes, warnings = notes_of(setup, session, messages, state, providers, given, means)
    if notes is None:
        return PlannedFlush(file, state=state, refused="no-workspace", warnings=warnings)
    return _with_steps(setup.fs, file, session, notes, warnings, means.clock.now_ms())


def apply_flush(fs: FS, planned: PlannedFlush, caller: Caller) -> Receipt:
    """The receipt of ``planned``.

    Raises:
        Refused: nothing was changed. ``Conflict`` if the notes or the store's entry changed meanwhile.
        ValueError: nothing is to be saved.
    """
    if not planned.steps:
        raise ValueError(planned.refused or "nothing to save")
    return carried_out(fs, planned.where, planned.steps, planned.file.path, caller)


def _why_not(session: TreeSession, state: FlushState | None, given: str | None) -> WhyNoFlush | None:
    if settings_of(session) is None:
        return "off"
    if state is not None and state.skipped is not None:
        return "read-only-workspace"
    return "done" if state is not None and state.done and not (given and given.strip()) else None


def _with_steps(
    fs: FS,
    file: SessionFile,
    session: TreeSession,
    notes: MemoryNotes,
    warnings: tuple[PlanWarning, ...],
    now_ms: int,
) -> PlannedFlush:
    assert session.agent is not None
    steps: list[Forward] = [notes.step] if notes.step is not None else []
    beside: list[str] = []
    store, entry = session.store, session.entry
    if store is not None and entry is not None and store.folder.store_stamp is not None:
        values: dict[str, JsonValue] = dict.fromkeys(entry.stored, None)
        values[entry.key] = after_flush(entry, now_ms)
        path = store.folder.store_path
        steps.append(EditStore(path, entry_edits(store.data, values), store.folder.store_stamp))
        beside.append(path)
    where = Where(session.folder, real_roots(fs, (session.agent.workspace,)), tuple(beside))
    refused: WhyNoFlush | None = None if steps else "nothing"
    return PlannedFlush(file, notes, notes.state, refused, None, warnings, where, tuple(steps))
