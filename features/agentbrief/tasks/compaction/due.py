"""Is a session due for compaction, by whose numbers, and what would a compaction leave of it?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping

from agentbrief.compaction.claw.engine import extractive_summary
from agentbrief.compaction.claw.job import FileJob
from agentbrief.compaction.pi.due import compaction_due
from agentbrief.compaction.plan import CompactionPlan, NotPlanned, Written
from agentbrief.compaction.providers.extractive import EXTRACTIVE
from agentbrief.disk.read import FileBytes
from agentbrief.disk.refusal import Refused
from agentbrief.rules.finding import Finding
from agentbrief.rules.registry import rule
from agentbrief.rules.transcript_scene import SessionBudget, TranscriptScene
from agentbrief.sessions.pi.context import facts_of
from agentbrief.sessions.pi.quick import transcript_at_leaf
from agentbrief.sessions.pi.tree import NoTranscript
from agentbrief.sessions.sniff import openclaw
from agentbrief.tasks.compaction.asked import CompactionAsked
from agentbrief.tasks.compaction.files import FOREIGN, file_job
from agentbrief.tasks.compaction.plan import read_session
from agentbrief.tasks.compaction.tree import TREES, tree_bounds
from agentbrief.tasks.judge import with_severity
from agentbrief.tasks.openclaw_names import StoreNames, store_names
from agentbrief.tasks.sessions.read import SessionFile
from agentbrief.tasks.sessions.setup import SessionsSetup

SUMMARISED_BYTES = 4 << 20
"""Up to this size the summary is made to tell what would be left."""


def due_of(
    setup: SessionsSetup, file: SessionFile, stores: Mapping[str, StoreNames] | None = None
) -> SessionBudget | None:
    """Where ``file`` stands; None for a session whose bounds are not known, or that is too long to be held.

    ``stores`` are OpenClaw's by folder, where they were read before.

    Raises:
        Refused: a file cannot be read.
    """
    if file.format in FOREIGN or not file.is_whole:
        return None
    read = read_session(setup, file)
    if file.format in TREES:
        return _of_tree(setup, file, read, stores)
    job = file_job(setup.settings, file, read, CompactionAsked(), setup.now_ms, lambda: "")
    if isinstance(job, NotPlanned):
        return None
    prefix = 0 if job.previous_summary is None else 1
    cut = job.cuts()[0]
    return SessionBudget(
        file.path,
        "messages",
        cut.is_due,
        sum(shape.tokens for shape in job.file.shapes[prefix:]),
        job.config.max_estimated_tokens,
        len(job.file.shapes) - prefix,
        job.config.preserve_recent_messages,
        _left_by(job, len(read.data)),
    )


def budget_findings(setup: SessionsSetup, files: Iterable[SessionFile]) -> tuple[Finding, ...]:
    """The finding ``session-over-budget`` on each of ``files`` that is due, at the severity of the settings.

    A file that cannot be read has none.
    """
    files = tuple(files)
    stores = _stores(setup, files)
    over_budget = rule("session-over-budget")
    found: list[Finding] = []
    for file in files:
        try:
            budget = due_of(setup, file, stores)
        except Refused:
            continue
        if budget is None or not over_budget.holds_for(file.agent):
            continue
        for finding in over_budget.check(TranscriptScene(file.agent, setup.now_ms, budgets=(budget,))):
            adjusted = with_severity(finding, setup.settings)
            if adjusted is not None:
                found.append(adjusted)
    return tuple(found)


def _stores(setup: SessionsSetup, files: Iterable[SessionFile]) -> dict[str, StoreNames]:
    own = [file for file in files if file.format == openclaw.FORMAT]
    roots = frozenset(root for file in own for root in file.readable)
    return store_names(setup.fs, [file.path for file in own], roots)


def _left_by(job: FileJob, size: int) -> int | None:
    """What a compaction would leave, in tokens; None where nothing is due or that would take long to tell."""
    cut = job.cuts()[0]
    if not cut.changes or size > SUMMARISED_BYTES:
        return None
    config = job.config
    text = extractive_summary(job.removed(cut), job.previous_summary, config.profile, config.extra_extensions)
    plan = job.plan(cut, Written(text, EXTRACTIVE))
    return plan.tokens_after if isinstance(plan, CompactionPlan) else None


def _of_tree(
    setup: SessionsSetup, file: SessionFile, read: FileBytes, stores: Mapping[str, StoreNames] | None
) -> SessionBudget | None:
    transcript = transcript_at_leaf(read.data)
    if isinstance(transcript, NoTranscript):
        return None
    folder, name = os.path.split(file.path)
    store = (_stores(setup, (file,)) if stores is None else stores).get(folder)
    entry = store.entries.get(name) if store is not None else None
    settings, compacts = tree_bounds(setup, file, transcript, entry)
    if settings.window_tokens is None:
        return None
    due = compaction_due(
        transcript.tree, settings.window_tokens, settings.reserve_tokens, settings.data, enabled=compacts
    )
    return SessionBudget(
        file.path,
        "window",
        due.due,
        due.context.tokens,
        max(0, due.threshold_tokens),
        sum(kind == "message" for kind in facts_of(transcript.tree.path).types),
    )
