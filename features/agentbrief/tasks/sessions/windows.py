"""How large is the window of a session, and where does its agent compact it?"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from agentbrief.compaction.openclaw.settings import pi_compaction, reserve
from agentbrief.disk.read import real_roots
from agentbrief.jsonio import JsonValue
from agentbrief.profiles.load import profile
from agentbrief.profiles.openclaw_data import OpenClawData
from agentbrief.profiles.profile import AgentProfile
from agentbrief.profiles.windows import CompactionPoint, Window, compaction_point, window_of
from agentbrief.sessions.context_used import ContextUsed
from agentbrief.tasks.sessions.agent import AgentStore
from agentbrief.tasks.sessions.scene import agent_settings
from agentbrief.tasks.sessions.setup import SessionsSetup, agent_folders


@dataclass(frozen=True, slots=True)
class InUse:
    """What the agent's own settings say, as far as its window and its compaction depend on it."""

    values: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue], hash=False)
    env: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)


def in_use(setup: SessionsSetup, agent: AgentProfile) -> InUse:
    """The settings of ``agent`` in its own folders and in the workspace, and its environment."""
    folders = agent_folders(setup, agent)
    if agent.windows is None or not folders:
        return InUse(env=setup.env)
    store = AgentStore(agent, folders, real_roots(setup.fs, folders), ())
    found = agent_settings(setup.fs, store, setup.folders if setup.trusted else ())
    stated = found.get("env")
    named = stated.items() if isinstance(stated, dict) else ()
    env = {key: value for key, value in named if isinstance(value, str)}
    return InUse(found, {**env, **setup.env})


def window_and_point(
    setup: SessionsSetup, agent: AgentProfile, used: ContextUsed, told: int | None, by: InUse
) -> tuple[Window, CompactionPoint]:
    """The window, and the point of compaction.

    ``told`` is what a store says of the window. The user's setting ``contextWindow`` wins over everything.
    """
    given = setup.settings.number("contextWindow") or None
    if agent.compaction is not None:
        return Window(given, None, given is not None), CompactionPoint(agent.compaction.max_estimated_tokens)
    openclaw = profile("openclaw").openclaw
    if agent.windows is None and openclaw is not None:
        return _of_tree_agent(agent, openclaw, given or told or used.window)
    window = window_of(agent.windows, used.model, stated=given or used.window or told, env=by.env)
    data = agent.windows
    if data is not None and given and data.reserve:
        # A window that the user states is compacted like one that the agent knows.
        at = max(given - data.reserve_output_max - data.reserve, 0)
        window = replace(window, compacts_at=at)
    return window, compaction_point(data, window, by.values, by.env)


def _of_tree_agent(
    agent: AgentProfile, data: OpenClawData, tokens: int | None
) -> tuple[Window, CompactionPoint]:
    """Pi and OpenClaw compact when only their reserve is left; OpenClaw's has a floor.

    OpenClaw also takes a window for granted where nothing tells it.
    """
    is_openclaw = agent.id == "openclaw"
    pi = pi_compaction({}, data.compaction)
    kept = reserve(pi, {}, data.compaction) if is_openclaw else pi
    tokens = tokens or (data.window.default_tokens if is_openclaw else None)
    point = None if tokens is None else max(tokens - kept.reserve_tokens, 0)
    return Window(tokens, point, tokens is not None), CompactionPoint(point)
