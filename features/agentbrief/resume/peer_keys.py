"""Under which key is a conversation with a person, a group or a thread kept?

Source: openclaw.md 5; openclaw/openclaw ``src/routing/session-key.ts``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from agentbrief.sessions.store.keys import (
    DEFAULT_ACCOUNT,
    DEFAULT_MAIN_KEY,
    agent_and_rest,
    canonical_key,
    main_key,
    normal_id,
)

DirectScope = Literal["main", "per-peer", "per-channel-peer", "per-account-channel-peer"]

UNKNOWN = "unknown"


def main_session_key(agent: str, configured_main_key: str | None = None) -> str:
    """The key of the agent's main conversation."""
    return f"agent:{normal_id(agent)}:{main_key(configured_main_key)}"


def peer_session_key(
    agent: str,
    channel: str,
    peer: str | None,
    *,
    kind: str = "direct",
    scope: DirectScope = "main",
    account: str | None = None,
    configured_main_key: str | None = None,
    identity_links: Mapping[str, Sequence[str]] | None = None,
) -> str:
    """The key of a conversation with ``peer`` on ``channel``. ``scope`` keeps direct ones apart."""
    owner = f"agent:{normal_id(agent)}"
    place = canonical_key(channel) or UNKNOWN
    name = canonical_key(peer or "")
    if kind != "direct":
        return f"{owner}:{place}:{kind}:{name or UNKNOWN}"
    if scope == "main" or not name:
        return main_session_key(agent, configured_main_key)
    name = linked_name(place, name, identity_links or {}) or name
    if scope == "per-peer":
        return f"{owner}:direct:{name}"
    if scope == "per-channel-peer":
        return f"{owner}:{place}:direct:{name}"
    return f"{owner}:{place}:{normal_id(account, DEFAULT_ACCOUNT)}:direct:{name}"


def linked_name(channel: str, peer: str, identity_links: Mapping[str, Sequence[str]]) -> str | None:
    """The name under which ``session.identityLinks`` knows ``peer``, in lower case; None if it does not."""
    wanted = {peer, f"{channel}:{peer}"}
    for name, identifiers in identity_links.items():
        if canonical_key(name) and not wanted.isdisjoint(canonical_key(item) for item in identifiers):
            return canonical_key(name)
    return None


def thread_session_key(base: str, thread: str | None, *, with_suffix: bool = True) -> str:
    """The key of a thread below the conversation ``base``."""
    name = canonical_key(thread or "")
    return f"{base}:thread:{name}" if name and with_suffix else base


def store_key(request: str, agent: str, configured_main_key: str | None = None) -> str:
    """The key in the store for a key as somebody asked for it."""
    wanted = canonical_key(request)
    if wanted in ("", DEFAULT_MAIN_KEY):
        return main_session_key(agent, configured_main_key)
    if (found := agent_and_rest(wanted)) is not None:
        return f"agent:{found[0]}:{found[1]}"
    return wanted if wanted.startswith("agent:") else f"agent:{normal_id(agent)}:{wanted}"
