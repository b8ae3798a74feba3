"""What is a person shown of a compaction, of checkpoints and of a restore that were planned?"""

from __future__ import annotations

from collections.abc import Sequence

from agentbrief.compaction.openclaw.reinjection import reinjection, section_names
from agentbrief.compaction.openclaw.settings import choices
from agentbrief.compaction.pi.seen import SeenMessages
from agentbrief.compaction.plan import NotPlanned
from agentbrief.disk.read import FileBytes
from agentbrief.disk.values import Stamp
from agentbrief.profiles.load import profile
from agentbrief.report.checkpoint_page import CheckpointShown, RestoreShown
from agentbrief.report.compaction_view import CompactionView, ShownAgain
from agentbrief.sessions.model import Message
from agentbrief.sessions.pi.context import MessageValues, context_messages
from agentbrief.sessions.pi.quick import transcript_at_leaf
from agentbrief.sessions.pi.tree import NoTranscript
from agentbrief.sessions.readers import reader
from agentbrief.sessions.sniff import openclaw
from agentbrief.tasks.compaction.asked import Means
from agentbrief.tasks.compaction.bounds import claw_config
from agentbrief.tasks.compaction.checkpoint_list import CheckpointRow
from agentbrief.tasks.compaction.checkpoint_restore import PlannedRestore
from agentbrief.tasks.compaction.files import compactable
from agentbrief.tasks.compaction.plan import PlannedCompaction
from agentbrief.tasks.compaction.tree import TREES
from agentbrief.tasks.openclaw_agent import openclaw_agent, rules_text
from agentbrief.tasks.sessions.read import SessionFile
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.store.look import openclaw_data
from agentbrief.text.section_near_misses import near_misses


def compaction_view(
    setup: SessionsSetup, planned: PlannedCompaction, means: Means, title: str | None = None
) -> CompactionView:
    """``planned`` with what stands beside it; ``title`` is the session's, else its identifier."""
    file, plan = planned.file, planned.plan
    kept: tuple[Message, ...] = ()
    if plan is not None and planned.changes:
        seen = seen_messages(file, planned.data_after)
        kept = tuple(seen[len(seen) - len(plan.kept) :]) if len(plan.kept) else ()
    rules = file.agent
    if file.format not in TREES:
        rules = profile(claw_config(setup.settings, planned.asked).profile)
    return CompactionView(
        file.path,
        title or file.session_id,
        file.agent,
        rules,
        planned.outcome,
        planned.now_ms,
        kept,
        planned.is_copy,
        planned.dropped,
        planned.notes,
        planned.notes.state if planned.notes is not None else None,
        _shown_again(setup, file, means),
    )


def seen_messages(file: SessionFile, data: bytes) -> Sequence[Message]:
    """The messages of ``data``, a state of ``file``, that its agent would be sent; all of them where that is
    not known.
    """
    if file.format in TREES:
        transcript = transcript_at_leaf(data)
        if not isinstance(transcript, NoTranscript):
            return SeenMessages(MessageValues(context_messages(transcript.tree.path)))
    else:
        read = FileBytes(file.path, file.path, data, Stamp(0, 0, len(data), 0))
        found = compactable(file, read, lambda: "")
        if not isinstance(found, NotPlanned):
            return found.messages
    return reader(file.format)(data, file.path, None).messages


def checkpoint_shown(row: CheckpointRow) -> CheckpointShown:
    """``row`` as a list shows it."""
    return CheckpointShown(
        row.id, row.created_ms, row.cause, row.messages, row.tokens, row.size, row.path, row.state
    )


def restore_shown(planned: PlannedRestore, title: str | None = None) -> RestoreShown:
    """``planned`` as it is previewed."""
    return RestoreShown(
        title or planned.file.session_id,
        checkpoint_shown(planned.checkpoint),
        planned.effect,
        planned.path,
        planned.kept,
        planned.new_session_id is not None,
        planned.key,
    )


def _shown_again(setup: SessionsSetup, file: SessionFile, means: Means) -> ShownAgain | None:
    """What OpenClaw shows of the agent's file again; None for another agent, or where there is no file."""
    if file.format != openclaw.FORMAT:
        return None
    agent = openclaw_agent(setup, file.path)
    data = agent.reinjected
    sections = choices(agent.settings, openclaw_data().compaction).sections
    asked = section_names(data, sections)
    text = rules_text(setup, agent)
    if not asked or text is None:
        return None
    found = reinjection(
        text,
        data,
        now_ms=means.clock.now_ms(),
        host_zone=means.host_zone,
        config=agent.settings,
        sections=sections,
    )
    return ShownAgain(data.file, asked, found, near_misses(text, asked))
