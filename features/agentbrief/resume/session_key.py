"""What does a session key say of the conversation: its shape, its chat type, how deep its sub-agents are?

Which agent and which kind of session it names is told by ``sessions.store_keys``. Source: openclaw.md 5;
openclaw/openclaw src/sessions/session-key-utils.ts, src/routing/session-key.ts at 2026.3.2.
"""

from __future__ import annotations

import re
from typing import Literal

from agentbrief.sessions.store.keys import agent_and_rest, canonical_key

KeyShape = Literal["missing", "agent", "malformed_agent", "legacy_or_alias"]
ChatType = Literal["group", "channel", "direct", "unknown"]

_DISCORD_CHANNEL = re.compile(r"discord:(?:[^:]+:)?guild-[^:]+:channel-[^:]+")


def key_shape(key: str | None) -> KeyShape:
    """Of which form ``key`` is; one that begins with ``agent:`` and is no agent's is malformed."""
    name = canonical_key(key or "")
    if not name:
        return "missing"
    if agent_and_rest(name) is not None:
        return "agent"
    return "malformed_agent" if name.startswith("agent:") else "legacy_or_alias"


def chat_type(key: str | None) -> ChatType:
    """Which type of chat ``key`` names; a room is a channel."""
    rest = _rest(key)
    parts = set(rest.split(":"))
    if "group" in parts:
        return "group"
    if parts & {"channel", "room"}:
        return "channel"
    if parts & {"direct", "dm"}:
        return "direct"
    return "channel" if _DISCORD_CHANNEL.fullmatch(rest) else "unknown"


def subagent_depth(key: str | None) -> int:
    """How many sub-agents stand one in another in ``key``."""
    return canonical_key(key or "").count(":subagent:")


def is_acp(key: str | None) -> bool:
    """Whether ``key`` is that of a session of the Agent Client Protocol."""
    return _rest(key).startswith("acp:")


def _rest(key: str | None) -> str:
    """What follows the agent; the whole key where none is named."""
    name = canonical_key(key or "")
    found = agent_and_rest(name)
    return found[1] if found else name
