"""Which workspace does an agent of OpenClaw work in, how is it set up, and how large is its window?"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from agentbrief.compaction.openclaw.windows import context_window
from agentbrief.compaction.pi.workspace_rules import WorkspaceRules, workspace_rules
from agentbrief.disk.read import Roots, read_text, real_roots
from agentbrief.disk.seam import FS
from agentbrief.disk.values import FileText
from agentbrief.jsonio import JsonValue, loads
from agentbrief.profiles.load import profile
from agentbrief.profiles.openclaw_data import ReinjectionData, for_version, is_since
from agentbrief.sessions.agent_config import object_at, text_at, value_at
from agentbrief.sessions.pi.context import model_at
from agentbrief.sessions.pi.leaf_path import TranscriptAtLeaf
from agentbrief.sessions.store.entries import Store, StoreEntry
from agentbrief.sessions.store.keys import DEFAULT_AGENT, normal_id
from agentbrief.tasks.sessions.setup import SessionsSetup, agent_folders
from agentbrief.tasks.store.look import openclaw_data
from agentbrief.tasks.store.place import StorePlace, store_at
from agentbrief.tasks.store.scene import version_of

_LOWERS_FLOOR_SINCE = "2026.4.15"
_MAX_SETTINGS_BYTES = 1 << 20
_MAX_RULES_BYTES = 2 << 20


@dataclass(frozen=True, slots=True)
class OpenClawAgent:
    """An agent of OpenClaw. ``workspace`` is its folder, whether that exists or not.

    ``config`` is OpenClaw's configuration, None where it cannot be read; ``pi`` are the agent's settings of
    pi, None where there are none. ``version`` None = the newest that is known.
    """

    place: StorePlace = field(hash=False)
    workspace: str
    config: Mapping[str, JsonValue] | None = field(hash=False)
    pi: Mapping[str, JsonValue] | None = field(hash=False)
    version: str | None = None

    @property
    def settings(self) -> Mapping[str, JsonValue]:
        """The configuration; an empty one where it is not known."""
        return self.config or {}

    @property
    def lowers_floor(self) -> bool:
        """Whether the version leaves room for a prompt in a small window."""
        return self.version is None or is_since(self.version, _LOWERS_FLOOR_SINCE)

    @property
    def reinjected(self) -> ReinjectionData:
        """What the version shows again after a compaction."""
        return for_version(openclaw_data().reinjection, self.version)


def openclaw_agent(setup: SessionsSetup, path: str, store: Store | None = None) -> OpenClawAgent:
    """The agent whose transcript lies at ``path``; ``store`` tells the version where nothing else does."""
    place = store_at(setup, os.path.join(os.path.dirname(path), "sessions.json"))
    found = place.config
    is_known = found.problem is None and found.text != ""
    folder = os.path.dirname(place.folder)
    pi = _json(setup.fs, os.path.join(folder, "agent", "settings.json"), real_roots(setup.fs, (folder,)))
    version = version_of(found, store or Store(), setup.settings).version
    return OpenClawAgent(place, _workspace(place, setup.home), found.value if is_known else None, pi, version)


def pi_agent_settings(setup: SessionsSetup, cwd: str | None) -> dict[str, JsonValue] | None:
    """Pi's own settings, with those of the project ``cwd`` over them; None where there are none.

    A project's settings are read in the workspace only, and only if it is trusted.
    """
    found: dict[str, JsonValue] | None = None
    for folder in agent_folders(setup, profile("pi")):
        read = _json(setup.fs, os.path.join(folder, "settings.json"), real_roots(setup.fs, (folder,)))
        found = read if found is None else found
    if setup.trusted and cwd is not None and cwd in setup.folders:
        own = _json(setup.fs, os.path.join(cwd, ".pi", "settings.json"), real_roots(setup.fs, (cwd,)))
        if own is not None:
            found = _merged(found or {}, own)
    return found


def rules_in_workspace(setup: SessionsSetup, agent: OpenClawAgent) -> WorkspaceRules:
    """The sections of the agent's ``AGENTS.md`` that stand in every summary."""
    return workspace_rules(rules_text(setup, agent), agent.reinjected)


def rules_text(setup: SessionsSetup, agent: OpenClawAgent) -> str | None:
    """The agent's ``AGENTS.md``; None where it is missing or leads out of the workspace."""
    roots = real_roots(setup.fs, (agent.workspace,))
    path = os.path.join(agent.workspace, agent.reinjected.file)
    found = read_text(setup.fs, path, roots, _MAX_RULES_BYTES) if roots else None
    return found.text if isinstance(found, FileText) else None


def openclaw_window(
    setup: SessionsSetup, agent: OpenClawAgent, entry: StoreEntry | None, transcript: TranscriptAtLeaf
) -> int:
    """The tokens that the session's model takes; the user's setting ``contextWindow`` wins."""
    given = setup.settings.number("contextWindow")
    if given:
        return given
    model = model_at(transcript.tree.path)
    stated = (entry.count("contextTokens") if entry is not None else 0) or None
    window = context_window(
        agent.settings,
        (model.provider if model else None) or "",
        (model.model_id if model else None) or "",
        stated,
        openclaw_data().window.default_tokens,
    )
    return window.tokens


def is_read_only(agent: OpenClawAgent) -> bool:
    """Whether the agent runs in a sandbox that may not write to its workspace."""
    sandbox = object_at(agent.settings, "agents", "defaults", "sandbox")
    if sandbox.get("mode") in (None, "off"):
        return False
    return sandbox.get("workspaceAccess", "none") in ("ro", "none")


def _workspace(place: StorePlace, home: str) -> str:
    listed = value_at(place.config.value, "agents", "list")
    for each in listed if isinstance(listed, list) else ():
        named = each.get("id") if isinstance(each, dict) else None
        if isinstance(each, dict) and isinstance(named, str) and normal_id(named) == place.agent_id:
            given = each.get("workspace")
            if isinstance(given, str) and given.strip():
                return _at_home(given.strip(), home)
    state = place.state or os.path.join(home, ".openclaw")
    if place.agent_id == DEFAULT_AGENT:
        given = text_at(place.config.value, "agents", "defaults", "workspace")
        return _at_home(given.strip(), home) if given and given.strip() else os.path.join(state, "workspace")
    return os.path.join(state, f"workspace-{place.agent_id}")


def _at_home(path: str, home: str) -> str:
    return os.path.normpath(home + path[1:] if path == "~" or path.startswith("~/") else path)


def _json(fs: FS, path: str, roots: Roots) -> dict[str, JsonValue] | None:
    read = read_text(fs, path, roots, _MAX_SETTINGS_BYTES) if roots else None
    try:
        value = loads(read.text) if isinstance(read, FileText) else None
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def _merged(below: Mapping[str, JsonValue], above: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    found = dict(below)
    for key, value in above.items():
        old = found.get(key)
        found[key] = _merged(old, value) if isinstance(old, dict) and isinstance(value, dict) else value
    return found
