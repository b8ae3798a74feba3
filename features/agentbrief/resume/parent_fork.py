"""Does a new thread begin with a copy of the conversation it hangs on?

Source: openclaw.md 6.5; openclaw/openclaw ``src/auto-reply/reply/session-fork.ts``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import ResetData
from agentbrief.sessions.agent_config import whole_number
from agentbrief.sessions.store.entries import StoreEntry

ForkDecision = Literal["fork", "too-large", "no-parent-file", "none"]


def parent_fork_max_tokens(session: Mapping[str, JsonValue], data: ResetData) -> int:
    """The largest parent that is copied, in tokens; 0 = any. ``session`` is a part of the configuration."""
    found = whole_number(session.get("parentForkMaxTokens"), 0)
    return data.parent_fork_max_tokens if found is None else found


def fork_decision(
    parent: StoreEntry | None, is_marked: bool, parent_file_exists: bool, max_tokens: int
) -> ForkDecision:
    """What happens to the first message of a thread.

    ``is_marked`` says that the thread has been decided on before. ``too-large`` starts empty and is marked,
    ``no-parent-file`` starts empty and may be tried again.
    """
    if parent is None or is_marked:
        return "none"
    if max_tokens > 0 and parent.count("totalTokens") > max_tokens:
        return "too-large"
    return "fork" if parent_file_exists else "no-parent-file"
