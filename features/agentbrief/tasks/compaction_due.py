"""Is a session due for compaction, by whose numbers, and what would a compaction leave of it?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentbrief.compaction.claw.engine import extractive_summary
from agentbrief.compaction.claw.job import FileJob
from agentbrief.compaction.openclaw.settings import pi_compaction
from agentbrief.compaction.pi.due import Unchecked, compaction_due
from agentbrief.compaction.plan import CompactionPlan, NotPlanned, Written
from agentbrief.compaction.providers.extractive import EXTRACTIVE
from agentbrief.disk.read import FileBytes
from agentbrief.tasks.compaction_asked import CompactionAsked
from agentbrief.tasks.compaction_files import FOREIGN, file_job
from agentbrief.tasks.compaction_plan import read_session
from agentbrief.tasks.compaction_tree import TREES, tree_session
from agentbrief.tasks.sessions_read import SessionFile
from agentbrief.tasks.sessions_setup import SessionsSetup
from agentbrief.tasks.store_look import openclaw_data

SUMMARISED_BYTES = 4 << 20
"""Up to this size the summary is made to tell what would be left."""

Measure = Literal["messages", "window"]


@dataclass(frozen=True, slots=True)
class SessionDue:
    """Where a session stands. ``measure`` says by what: counted messages, or what the window leaves.

    ``agent`` is the profile whose rule it is. ``tokens`` are compared with ``limit_tokens``; ``messages`` are
    those that count, of which ``preserve`` stay (0 where tokens decide). ``tokens_after`` is what a
    compaction would leave, None where that was not worked out. ``unchecked``: why the agent does not look.
    """

    path: str
    agent: str
    measure: Measure
    is_due: bool
    tokens: int
    limit_tokens: int
    messages: int
    preserve: int = 0
    tokens_after: int | None = None
    unchecked: Unchecked | None = None


def due_of(setup: SessionsSetup, file: SessionFile) -> SessionDue | None:
    """Whether ``file`` is due for compaction; None for a session whose bounds are not known.

    Raises:
        Refused: a file cannot be read.
    """
    if file.format in FOREIGN:
        return None
    read = read_session(setup, file)
    if file.format in TREES:
        return _of_tree(setup, file, read)
    job = file_job(setup.settings, file, read, CompactionAsked(), setup.now_ms, lambda: "")
    if isinstance(job, NotPlanned):
        return None
    prefix = 0 if job.previous_summary is None else 1
    cut = job.cuts()[0]
    counted = sum(shape.tokens for shape in job.file.shapes[prefix:])
    return SessionDue(
        file.path,
        file.agent.id,
        "messages",
        cut.is_due,
        counted,
        job.config.max_estimated_tokens,
        len(job.file.shapes) - prefix,
        job.config.preserve_recent_messages,
        _left_by(job, len(read.data)),
    )


def _left_by(job: FileJob, size: int) -> int | None:
    cut = job.cuts()[0]
    if not cut.changes or size > SUMMARISED_BYTES:
        return None
    config = job.config
    text = extractive_summary(job.removed(cut), job.previous_summary, config.profile, config.extra_extensions)
    plan = job.plan(cut, Written(text, EXTRACTIVE))
    return plan.tokens_after if isinstance(plan, CompactionPlan) else None


def _of_tree(setup: SessionsSetup, file: SessionFile, read: FileBytes) -> SessionDue | None:
    # a copy is asked for, so that a session in use is measured too
    session = tree_session(setup, file, read, CompactionAsked(output=read.real_path))
    if isinstance(session, NotPlanned) or session.settings.window_tokens is None:
        return None
    agent, settings = session.agent, session.settings
    window = session.settings.window_tokens
    pi = agent.pi if agent is not None else None
    enabled = pi_compaction(pi or {}, openclaw_data().compaction).enabled
    found = compaction_due(
        session.transcript.tree, window, settings.reserve_tokens, settings.data, enabled=enabled
    )
    messages = sum(entry.type == "message" for entry in session.transcript.tree.path)
    return SessionDue(
        file.path,
        file.agent.id,
        "window",
        found.due,
        found.context.tokens,
        max(0, found.threshold_tokens),
        messages,
        unchecked=found.unchecked,
    )
