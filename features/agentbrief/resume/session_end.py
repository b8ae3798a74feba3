"""What do the commands ``reset`` and ``delete`` change, and when are they refused?

Source: openclaw.md 6.6; openclaw/openclaw ``src/gateway/server-methods/sessions.ts``. Plans only; undo gives
back the entry and its transcript.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agentbrief.jsonio import JsonValue
from agentbrief.resume.new_entry import fresh_entry
from agentbrief.resume.peer_keys import main_session_key, store_key
from agentbrief.resume.session_start import PutAway, changed_store, put_away
from agentbrief.sessions.agent_config import text_at
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.sessions.store.folder import StoreFolder
from agentbrief.sessions.store.keys import DEFAULT_AGENT, canonical_key
from agentbrief.sessions.store.text import REMOVED, Removed

EndRefusal = Literal["main-session", "no-session"]


@dataclass(frozen=True, slots=True)
class SessionEnd:
    """What a command does. ``refused`` None = it may be carried out; ``changes`` are those of the store.

    ``done`` is false where there is nothing to do. ``entry`` is the session's entry afterwards, if it has
    one.
    """

    key: str
    done: bool
    changes: Mapping[str, JsonValue | Removed] = field(hash=False)
    put_away: tuple[PutAway, ...] = ()
    entry: Mapping[str, JsonValue] | None = field(default=None, hash=False)
    refused: EndRefusal | None = None


def reset_session(
    folder: StoreFolder,
    key: str,
    *,
    now_ms: int,
    new_id: str,
    config: Mapping[str, JsonValue] | None = None,
    agent: str = DEFAULT_AGENT,
) -> SessionEnd:
    """A new session under the same key, as if the user had asked for it in the conversation."""
    wanted, entry = _named(folder, key, config or {}, agent)
    if entry is None:
        return SessionEnd(wanted, False, {}, refused="no-session")
    file = os.path.join(folder.folder, f"{new_id}.jsonl")
    made = fresh_entry(entry, new_id, file, now_ms, on_request=True)
    files = put_away(folder, entry, "reset", now_ms)
    return SessionEnd(wanted, True, changed_store(entry, wanted, made), files, made)


def delete_session(
    folder: StoreFolder,
    key: str,
    *,
    now_ms: int,
    config: Mapping[str, JsonValue] | None = None,
    agent: str = DEFAULT_AGENT,
    keep_transcript: bool = False,
) -> SessionEnd:
    """The session taken out of the store, its transcript put away. The agent's main session is refused."""
    config = config or {}
    wanted, entry = _named(folder, key, config, agent)
    is_global = text_at(config, "session", "scope") == "global"
    main = "global" if is_global else main_session_key(agent, text_at(config, "session", "mainKey"))
    if canonical_key(wanted) == main:
        return SessionEnd(wanted, False, {}, refused="main-session")
    if entry is None:
        return SessionEnd(wanted, False, {})
    files = () if keep_transcript else put_away(folder, entry, "deleted", now_ms)
    return SessionEnd(wanted, True, dict.fromkeys(entry.stored, REMOVED), files)


def _named(
    folder: StoreFolder, key: str, config: Mapping[str, JsonValue], agent: str
) -> tuple[str, StoreEntry | None]:
    found = folder.store.get(key)
    if found is not None:
        return canonical_key(found.key), found
    wanted = store_key(key, agent, text_at(config, "session", "mainKey"))
    return wanted, folder.store.get(wanted)
