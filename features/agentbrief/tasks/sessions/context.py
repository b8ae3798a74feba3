"""How full is the context of a session, and what did sessions cost?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agentbrief.disk.seam import FS
from agentbrief.disk.stream import Stream, streamed
from agentbrief.jsonio import JsonValue
from agentbrief.profiles.windows import compaction_point, window_of
from agentbrief.sessions.context_used import ContextUsed, SessionStatus, status
from agentbrief.sessions.formats import claude_code, codex
from agentbrief.sessions.formats.codex_transcript import look as look_at_rollout
from agentbrief.sessions.formats.codex_view import model_view
from agentbrief.sessions.jsonl.index import TranscriptIndex
from agentbrief.sessions.listing import ListedSession
from agentbrief.sessions.locations import subagents
from agentbrief.sessions.model import Usage
from agentbrief.sessions.usage import Call, distinct, session_usage, summed
from agentbrief.tasks.sessions.agent import AgentStore, parent_totals


@dataclass(frozen=True, slots=True)
class Costs:
    """What sessions cost: each call once over all of them, and by session what it spent itself.

    ``by_session`` is ordered as the sessions were given; calls of subagents are in ``total`` only.
    """

    total: Usage
    by_session: tuple[tuple[str, Usage], ...]


def status_of(
    fs: FS,
    store: AgentStore,
    session: ListedSession,
    now_ms: int,
    *,
    index: TranscriptIndex[object] | None = None,
    settings: Mapping[str, JsonValue] | None = None,
    env: Mapping[str, str] | None = None,
    model: str | None = None,
    provider: str | None = None,
) -> SessionStatus | None:
    """How ``session`` stands; None if nothing tells how full it is.

    ``index`` is that of its file: only what follows the last compaction is read then. ``settings`` and
    ``env`` are the agent's; ``model`` and ``provider`` those in use, where they are known.

    Raises:
        Refused: the disk reports an error.
    """
    used = _used(fs, store, session, index)
    if used is None:
        return None
    windows = store.profile.windows
    stated = used.window or session.sketch.window_tokens
    window = window_of(
        windows, model or used.model or session.sketch.model, stated=stated, provider=provider, env=env
    )
    point = compaction_point(windows, window, settings or {}, env or {})
    return status(
        session.path,
        session.session_id,
        used,
        window,
        point,
        baseline=windows.baseline if windows else 0,
        mtime_ms=session.mtime_ms,
        now_ms=now_ms,
    )


def costs(fs: FS, store: AgentStore, sessions: Iterable[ListedSession]) -> Costs:
    """What ``sessions`` and the agents that worked for them cost.

    Raises:
        Refused: the disk reports an error.
    """
    sessions = tuple(sessions)
    every: list[Call] = []
    by_session: list[tuple[str, Usage]] = []
    for session in sessions:
        calls = _calls(fs, store, session.path)
        every += calls
        by_session.append((session.session_id, session_usage(calls)))
    data = store.profile.sessions
    folders = tuple(each.path.removesuffix(".jsonl") + os.sep for each in sessions)
    for path in subagents(fs, store.folders, data) if data else ():
        if path.startswith(folders):
            every += _calls(fs, store, path)
    return Costs(summed(distinct(every)), tuple(by_session))


def _used(
    fs: FS, store: AgentStore, session: ListedSession, index: TranscriptIndex[object] | None
) -> ContextUsed | None:
    adapter = session.format
    if adapter not in ("claude-code", "codex"):
        tokens = session.sketch.used_tokens
        return ContextUsed(tokens, True, (), session.sketch.model) if tokens is not None else None
    boundaries = index.marked("boundary") if index is not None else ()
    start = index.slice_of(boundaries[-1])[0] if index is not None and boundaries else 0
    with streamed(fs, session.path, store.readable) as stream:
        if not isinstance(stream, Stream):
            return None
        chunks = stream.chunks(start)
        if adapter == "claude-code":
            return claude_code.context_of(claude_code.look(chunks, session.path).chain)
        rollout = look_at_rollout(chunks, session.path)
        after = store.profile.after_compaction
        keeps = after.keeps_user_messages_tokens if after else None
        return codex.context_of(rollout, model_view(rollout.steps, keeps or 0))


def _calls(fs: FS, store: AgentStore, path: str) -> tuple[Call, ...]:
    data = store.profile.sessions
    with streamed(fs, path, store.readable) as stream:
        if not isinstance(stream, Stream) or data is None:
            return ()
        if data.adapter == "claude-code":
            return claude_code.look(stream.chunks(), path).calls
        if data.adapter == "codex":
            rollout = look_at_rollout(stream.chunks(), path)
            parent = parent_totals(fs, store, rollout.origin.parent_id) if rollout.origin.is_fork else None
            return rollout.calls(parent)
    return ()
