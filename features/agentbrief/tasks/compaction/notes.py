"""Which memory notes are saved before a session of OpenClaw is compacted, if any are due?"""

from __future__ import annotations

import os
from collections.abc import Sequence
from datetime import datetime

from agentbrief.compaction.openclaw.clock_text import user_zone
from agentbrief.compaction.openclaw.flush import (
    FlushSettings,
    FlushState,
    Skipped,
    flush_settings,
    flush_state,
    note_path,
)
from agentbrief.compaction.pi.job import PiJob
from agentbrief.compaction.pi.memory_notes import MemoryNotes, NotesFile, memory_notes
from agentbrief.compaction.pi.notes_answer import asked_for_notes
from agentbrief.compaction.pi.pi_plan import PiPlan
from agentbrief.compaction.pi.seen import SeenMessages
from agentbrief.compaction.plan import PlanWarning
from agentbrief.compaction.providers.provider import CancelToken, Deadline
from agentbrief.compaction.providers.registry import Listed
from agentbrief.disk.read import FileBytes, read_bytes, real_roots
from agentbrief.sessions.pi.context import RawMessage
from agentbrief.tasks.compaction.asked import CompactionAsked, Means
from agentbrief.tasks.compaction.tree import TreeSession
from agentbrief.tasks.openclaw_agent import is_read_only
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.store.look import openclaw_data

MAX_NOTES_BYTES = 16 << 20
"""The largest file of notes that gets longer."""

Noted = tuple[MemoryNotes | None, tuple[PlanWarning, ...]]
"""Notes, None where none are saved, and what went wrong when providers were asked for them."""


def notes_before(
    setup: SessionsSetup,
    session: TreeSession,
    job: PiJob,
    plan: PiPlan,
    providers: Sequence[Listed],
    asked: CompactionAsked,
    means: Means,
) -> Noted:
    """The notes that are saved before ``plan``: they are due, or the user gave some.

    Raises:
        Cancelled: the user has called it off.
    """
    state = state_of(session, plan.tokens_before)
    is_given = bool(asked.notes and asked.notes.strip())
    if not asked.with_notes or state is None or (state.due is None and not is_given) or state.skipped:
        return None, ()
    messages = [message.value for message in job.preparation_of(len(plan.removed)).removed]
    return notes_of(setup, session, messages, state, providers, asked.notes, means)


def notes_of(
    setup: SessionsSetup,
    session: TreeSession,
    messages: Sequence[RawMessage],
    state: FlushState | None,
    providers: Sequence[Listed],
    given: str | None,
    means: Means,
) -> Noted:
    """The notes of ``messages`` for the file of the day in the agent's workspace.

    None where that workspace does not exist, or the file of the day cannot be read.

    Raises:
        Cancelled: the user has called it off.
    """
    agent, settings = session.agent, settings_of(session)
    file = _file_of_the_day(setup, session, means)
    if agent is None or settings is None or file is None:
        return None, ()
    now_ms = means.clock.now_ms()
    answer: str | None = None
    warnings: tuple[PlanWarning, ...] = ()
    if not (given and given.strip()):
        found = asked_for_notes(
            providers,
            SeenMessages(tuple(messages)),
            settings,
            Deadline(now_ms + means.clock.timeout_ms, means.clock.now_ms),
            means.cancel or CancelToken(),
            config=dict(agent.settings),
            now_ms=now_ms,
            host_zone=means.host_zone,
        )
        answer, warnings = found.text, found.warnings
    moment = datetime.fromtimestamp(now_ms / 1000, user_zone(agent.settings, means.host_zone))
    title = f"Notes before compaction, {moment:%H:%M}"
    return memory_notes(file, messages, title=title, given=given, answer=answer, state=state), warnings


def state_of(session: TreeSession, context_tokens: int | None) -> FlushState | None:
    """Whether notes are due; None where the agent has none.

    ``context_tokens`` is the estimate that counts where the store says nothing.
    """
    settings, entry = settings_of(session), session.entry
    window = session.settings.window_tokens
    if session.agent is None or settings is None or entry is None or window is None:
        return None
    skipped: Skipped | None = "read-only-workspace" if is_read_only(session.agent) else None
    return flush_state(
        entry,
        settings,
        window,
        token_count=context_tokens if entry.total_tokens is None else None,
        transcript_bytes=session.read.stamp.size,
        skipped=skipped,
    )


def settings_of(session: TreeSession) -> FlushSettings | None:
    """The settings of the flush; None where it is off, or the agent has none."""
    return flush_settings(session.agent.settings, openclaw_data()) if session.agent is not None else None


def _file_of_the_day(setup: SessionsSetup, session: TreeSession, means: Means) -> NotesFile | None:
    agent = session.agent
    roots = real_roots(setup.fs, (agent.workspace,)) if agent is not None else frozenset[str]()
    if agent is None or not roots:
        return None
    (real,) = roots
    path = os.path.join(real, note_path(means.clock.now_ms(), agent.settings, means.host_zone))
    found = read_bytes(setup.fs, path, roots, MAX_NOTES_BYTES)
    if found is None:
        return NotesFile(path)
    return NotesFile(path, found.data, found.stamp) if isinstance(found, FileBytes) else None
