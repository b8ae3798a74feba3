"""Where are the OpenClaw stores of this machine, and what do their settings say?

A store is looked for in the state folders of the settings, else in OpenClaw's own; one that is named by its
path is taken where it is (openclaw.md 3.1).
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from agentbrief.disk.files import Files
from agentbrief.disk.read import read_text, real_roots
from agentbrief.disk.seam import FS, is_folder
from agentbrief.disk.values import FileText
from agentbrief.jsonio import JsonValue
from agentbrief.profiles.load import profile
from agentbrief.sessions.agent_config import text_at, value_at
from agentbrief.sessions.config_text import ConfigText, read_config
from agentbrief.sessions.store.keys import DEFAULT_AGENT, normal_id
from agentbrief.sessions.store.names import STORE_NAME
from agentbrief.sessions.store.transcript_place import store_path
from agentbrief.tasks.sessions.setup import SessionsSetup, agent_folders

CONFIG_NAME = "openclaw.json"
_MAX_CONFIG_BYTES = 4 << 20
_NOTHING = ConfigText({}, {})


@dataclass(frozen=True, slots=True)
class StoreConfig:
    """OpenClaw's configuration. ``problem``: it is there and could not be read, in one word.

    ``text`` is the file's text, empty where there is none.
    """

    path: str
    found: ConfigText = _NOTHING
    problem: str | None = None
    text: str = ""

    @property
    def value(self) -> Mapping[str, JsonValue]:
        """The configuration itself; an empty one where it is not known."""
        return self.found.value

    @property
    def is_remote(self) -> bool:
        """Whether the Gateway, which holds the live store, runs on another machine."""
        return text_at(self.value, "gateway", "mode") == "remote"


@dataclass(frozen=True, slots=True)
class StorePlace:
    """A store: its agent, the path of its ``sessions.json``, and the state folder it belongs to, if known.

    ``is_configured``: the configuration names the agent, or names none.
    """

    agent_id: str
    path: str
    state: str | None
    config: StoreConfig = field(hash=False)
    is_configured: bool = True

    @property
    def folder(self) -> str:
        """The sessions folder."""
        return os.path.dirname(self.path)


def state_folders(setup: SessionsSetup) -> tuple[str, ...]:
    """The state folders that are looked in, whether they exist or not."""
    return agent_folders(setup, profile("openclaw"))


def stores(setup: SessionsSetup) -> tuple[StorePlace, ...]:
    """The stores whose folder exists, agents of the configuration first, then by agent."""
    found: dict[str, StorePlace] = {}
    for state in state_folders(setup):
        config = config_of(setup.fs, state)
        for place in _in_state(setup, state, config):
            found.setdefault(place.path, place)
    return tuple(found.values())


def store_at(setup: SessionsSetup, path: str) -> StorePlace:
    """The store at ``path``: a ``sessions.json`` by any name, its folder, or the state folder of one agent.

    The agent and the state folder follow from ``…/agents/<agent>/sessions``.
    """
    if _is_folder(setup.fs, path):
        inner = os.path.join(path, "agents", DEFAULT_AGENT, "sessions")
        path = os.path.join(inner if _is_folder(setup.fs, inner) else path, STORE_NAME)
    state, agent = state_and_agent(os.path.dirname(path))
    config = config_of(setup.fs, state) if state is not None else StoreConfig("")
    return StorePlace(agent, path, state, config)


def state_and_agent(folder: str) -> tuple[str | None, str]:
    """The state folder and the agent of a sessions folder; None and the default agent for another folder."""
    above, name = os.path.split(folder)
    agents, agent = os.path.split(above)
    state, word = os.path.split(agents)
    if name == "sessions" and word == "agents" and agent:
        return state, normal_id(agent)
    return None, DEFAULT_AGENT


def is_store_path(path: str) -> bool:
    """Whether ``path`` is spelled like that of a store, so that a file there is taken for one."""
    folder, name = os.path.split(path)
    if name != STORE_NAME:
        return False
    return state_and_agent(folder)[0] is not None or os.path.basename(os.path.dirname(folder)) == ".openclaw"


def config_of(fs: FS, state: str) -> StoreConfig:
    """The configuration in the folder ``state``."""
    path = os.path.join(state, CONFIG_NAME)
    return _parsed(path, read_text(fs, path, real_roots(fs, (state,)), _MAX_CONFIG_BYTES))


def open_config(files: Files, path: str) -> StoreConfig:
    """The configuration at ``path`` as an editor has it."""
    return _parsed(path, files.read(path, files.roots((os.path.dirname(path),))))


def _parsed(path: str, read: object) -> StoreConfig:
    if read is None:
        return StoreConfig(path)
    if not isinstance(read, FileText):
        return StoreConfig(path, problem=str(getattr(read, "kind", "unreadable")))
    try:
        return StoreConfig(path, read_config(read.text), text=read.text)
    except ValueError:
        return StoreConfig(path, problem="not-json", text=read.text)


def _in_state(setup: SessionsSetup, state: str, config: StoreConfig) -> Iterable[StorePlace]:
    template = text_at(config.value, "session", "store")
    configured = _configured(config)
    for agent in configured or (DEFAULT_AGENT,):
        path = store_path(template, agent, state, setup.home)
        if _is_folder(setup.fs, os.path.dirname(path)):
            yield StorePlace(agent, path, state, config)
    for agent in _agent_folders(setup.fs, os.path.join(state, "agents")):
        path = os.path.join(state, "agents", agent, "sessions", STORE_NAME)
        if _is_folder(setup.fs, os.path.dirname(path)):
            yield StorePlace(normal_id(agent), path, state, config, not configured)
    old = os.path.join(state, "sessions")
    if _is_folder(setup.fs, old):
        yield StorePlace(DEFAULT_AGENT, os.path.join(old, STORE_NAME), state, config, False)


def _configured(config: StoreConfig) -> tuple[str, ...]:
    listed = value_at(config.value, "agents", "list")
    names = [each.get("id") for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    return tuple(dict.fromkeys(normal_id(name) for name in names if isinstance(name, str)))


def _agent_folders(fs: FS, folder: str) -> list[str]:
    try:
        return sorted(fs.names(folder))
    except OSError:
        return []


def _is_folder(fs: FS, path: str) -> bool:
    try:
        return is_folder(fs.stat(path))
    except (OSError, ValueError):
        return False
