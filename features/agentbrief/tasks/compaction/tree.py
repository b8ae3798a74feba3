"""How is a transcript of pi or OpenClaw made ready to be compacted: its bounds, its store, its window?"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from agentbrief.checkpoints.openclaw_store import StoreAsRead
from agentbrief.compaction.openclaw.settings import choices, pi_compaction
from agentbrief.compaction.pi.bounds import openclaw_settings, pi_settings
from agentbrief.compaction.pi.briefed import Briefing
from agentbrief.compaction.pi.in_parts import Room
from agentbrief.compaction.pi.job import PiJob, pi_job
from agentbrief.compaction.pi.pi_source import PiSettings, PiSource
from agentbrief.compaction.pi.workspace_rules import WorkspaceRules
from agentbrief.compaction.plan import NotPlanned, PlanWarning
from agentbrief.disk.read import FileBytes
from agentbrief.disk.values import ReadProblem
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.model import SessionRef
from agentbrief.sessions.pi.leaf_path import TranscriptAtLeaf
from agentbrief.sessions.pi.quick import transcript_at_leaf
from agentbrief.sessions.pi.tree import NoTranscript
from agentbrief.sessions.sniff import openclaw, pi
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.tasks.compaction.asked import CompactionAsked, Means
from agentbrief.tasks.compaction.bounds import own_bounds
from agentbrief.tasks.openclaw_agent import (
    OpenClawAgent,
    openclaw_agent,
    openclaw_window,
    pi_agent_settings,
    rules_in_workspace,
)
from agentbrief.tasks.sessions.read import SessionFile
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.store.look import (
    NOTHING_IN_USE,
    StoreLook,
    is_locked,
    look_at,
    openclaw_data,
    with_data,
)

TREES = frozenset((pi.FORMAT, openclaw.FORMAT))
"""The formats whose transcripts are trees."""


@dataclass(frozen=True, slots=True)
class TreeSession:
    """A transcript with what stands around it.

    ``entry`` is that of OpenClaw's store and ``store`` the store; both None where none names the transcript.
    ``agent`` is None for a session of pi.
    """

    read: FileBytes = field(repr=False)
    transcript: TranscriptAtLeaf = field(repr=False)
    ref: SessionRef
    settings: PiSettings
    agent: OpenClawAgent | None = None
    store: StoreAsRead | None = field(default=None, repr=False)
    entry: StoreEntry | None = field(default=None, repr=False)
    warnings: tuple[PlanWarning, ...] = ()

    @property
    def folder(self) -> str:
        """The folder of the transcript."""
        return os.path.dirname(self.read.real_path)


def tree_session(
    setup: SessionsSetup, file: SessionFile, read: FileBytes, asked: CompactionAsked
) -> TreeSession | NotPlanned:
    """The transcript ``read`` of ``file``, its bounds decided; or why it is not compacted.

    Raises:
        Refused: the store beside it cannot be read.
    """
    path = read.real_path
    transcript = transcript_at_leaf(read.data)
    if isinstance(transcript, NoTranscript):
        return NotPlanned("unreadable", path, transcript.code)
    ref = SessionRef(path, file.format, transcript.session_id or file.session_id, True)
    warnings = () if asked.preserve is None else (PlanWarning("preserve-unused"),)
    if file.format == pi.FORMAT:
        window = setup.settings.number("contextWindow") or None
        own = own_bounds(setup.settings, asked)
        settings = pi_settings(pi_agent_settings(setup, transcript.cwd), own, openclaw_data(), window)
        return TreeSession(read, transcript, ref, _kept(settings, asked), warnings=warnings)
    agent = openclaw_agent(setup, path)
    look = look_at(setup.fs, agent.place, setup.now_ms)
    if isinstance(look, ReadProblem):
        return _of_openclaw(setup, asked, TreeSession(read, transcript, ref, _NO_SETTINGS, agent), warnings)
    if asked.output is None and (why := _why_not(setup, look, path)) is not None:
        return NotPlanned("in-place-refused", path, why)
    look, data = with_data(setup.fs, look, setup.now_ms, NOTHING_IN_USE)
    store = StoreAsRead(look.folder, data)
    entry = entry_of_file(look, path)
    agent = openclaw_agent(setup, path, look.folder.store)
    if look.folder.store.problem is not None:
        warnings = (*warnings, PlanWarning("store-not-read", look.folder.store_name))
    found = TreeSession(read, transcript, ref, _NO_SETTINGS, agent, store if entry else None, entry)
    return _of_openclaw(setup, asked, found, warnings)


def tree_bounds(
    setup: SessionsSetup, file: SessionFile, transcript: TranscriptAtLeaf, entry: StoreEntry | None
) -> tuple[PiSettings, bool]:
    """The bounds that hold for ``transcript``, and whether its agent compacts by itself.

    Nothing else is read.

    ``entry`` is that of OpenClaw's store.
    """
    asked = CompactionAsked()
    given: Mapping[str, JsonValue] | None
    if file.format == pi.FORMAT:
        given = pi_agent_settings(setup, transcript.cwd)
        window = setup.settings.number("contextWindow") or None
        settings = pi_settings(given, own_bounds(setup.settings, asked), openclaw_data(), window)
    else:
        agent = openclaw_agent(setup, file.path)
        given = agent.pi
        settings = _openclaw_bounds(setup, asked, agent, transcript, entry, WorkspaceRules())
    return settings, pi_compaction(given or {}, openclaw_data().compaction).enabled


def tree_job(session: TreeSession, asked: CompactionAsked, means: Means) -> PiJob | NotPlanned:
    """The compaction of ``session``, or why its file is not compacted."""
    source = PiSource(session.ref, session.read.data, session.read.stamp, session.transcript)
    return pi_job(
        source,
        session.settings,
        now_ms=means.clock.now_ms(),
        new_uuid=means.new_uuid,
        until_fits=asked.until_fits,
        only_if_due=asked.trigger == "near-window",
    )


def briefing_of(session: TreeSession, means: Means) -> Briefing:
    """How providers are asked for the summary of ``session``."""
    if session.agent is None:
        return Briefing(pause=means.pause)
    data = openclaw_data()
    chosen = choices(session.agent.settings, data.compaction)
    window = session.settings.window_tokens
    room = Room(window, data.chunks, data.summary, chosen.max_history_share) if window else None
    return Briefing(chosen.identifier_policy, chosen.identifier_words, room, means.pause)


def replaces_transcript(session: TreeSession, asked: CompactionAsked) -> bool:
    """Whether the summarised messages go from the transcript: as asked, else as OpenClaw is set up to do."""
    if asked.replace_transcript is not None:
        return asked.replace_transcript
    agent = session.agent
    return agent is not None and choices(agent.settings, openclaw_data().compaction).truncate_after


def entry_of_file(look: StoreLook, path: str) -> StoreEntry | None:
    """The entry of the store that names the transcript ``path``."""
    name = os.path.basename(path)
    return next((entry for entry in look.folder.store.entries if name in look.folder.files_of(entry)), None)


def _why_not(setup: SessionsSetup, look: StoreLook, path: str) -> str | None:
    """Why the transcript may not be written now, in one word."""
    if look.database is not None:
        return "database"
    entry = entry_of_file(look, path)
    if entry is not None and entry.text("status") == "running":
        return "running"
    return "locked" if is_locked(setup.fs, look.folder, os.path.basename(path)) else None


def _of_openclaw(
    setup: SessionsSetup, asked: CompactionAsked, found: TreeSession, warnings: tuple[PlanWarning, ...]
) -> TreeSession:
    agent = found.agent
    assert agent is not None
    rules = rules_in_workspace(setup, agent)
    settings = _openclaw_bounds(setup, asked, agent, found.transcript, found.entry, rules)
    ref = replace(found.ref, key=found.entry.key if found.entry else None)
    return replace(found, ref=ref, settings=_kept(settings, asked), warnings=warnings)


def _openclaw_bounds(
    setup: SessionsSetup,
    asked: CompactionAsked,
    agent: OpenClawAgent,
    transcript: TranscriptAtLeaf,
    entry: StoreEntry | None,
    rules: WorkspaceRules,
) -> PiSettings:
    return openclaw_settings(
        agent.config,
        agent.pi,
        own_bounds(setup.settings, asked),
        rules,
        openclaw_data(),
        openclaw_window(setup, agent, entry, transcript),
        lowers_floor=agent.lowers_floor,
    )


def _kept(settings: PiSettings, asked: CompactionAsked) -> PiSettings:
    """``settings`` with the tokens that the user wants to stay."""
    return settings if asked.max_tokens is None else replace(settings, keep_recent_tokens=asked.max_tokens)


_NO_SETTINGS = PiSettings(0, 0, "openclaw", openclaw_data().summary)
