"""What does a session key say by itself: which agent, which kind of session, a run of a cron job?

Keys that differ in case or in outer blanks name one session (openclaw.md 2.1, 5).
"""

from __future__ import annotations

import re
from typing import Literal

from agentbrief.text import utf16

SessionKind = Literal["direct", "group", "global", "unknown"]

DEFAULT_AGENT = "main"
DEFAULT_ACCOUNT = "default"
DEFAULT_MAIN_KEY = "main"

_GROUP_MARKS = (":group:", ":channel:", ":room:")
_CRON_RUN = re.compile(r"cron:[^:]+:run:[^:]+")
_IDENTIFIER = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_NO_IDENTIFIER = re.compile(r"[^a-z0-9_-]+")
_THREAD_MARK = re.compile(r":(?:thread|topic):", re.IGNORECASE)


def canonical_key(key: str) -> str:
    """``key`` as the one spelling of its session: trimmed, in lower case."""
    return utf16.trim(key).lower()


def normal_id(text: str | None, default: str = DEFAULT_AGENT) -> str:
    """``text`` as the identifier of an agent or an account; ``default`` where nothing is left of it."""
    found = canonical_key(text or "")
    if _IDENTIFIER.fullmatch(found):
        return found
    return _NO_IDENTIFIER.sub("-", found).strip("-")[:64] or default


def main_key(text: str | None) -> str:
    """What ``session.mainKey`` says, or its default."""
    return canonical_key(text or "") or DEFAULT_MAIN_KEY


def agent_and_rest(key: str) -> tuple[str, str] | None:
    """The agent and what follows it in ``agent:<agent>:<rest>``; None for a key of another form."""
    parts = [part for part in canonical_key(key).split(":") if part]
    if len(parts) < 3 or parts[0] != "agent":
        return None
    return parts[1], ":".join(parts[2:])


def is_cron_run(key: str) -> bool:
    """Whether ``key`` is exactly ``agent:<agent>:cron:<job>:run:<run>``."""
    found = agent_and_rest(key)
    return found is not None and _CRON_RUN.fullmatch(found[1]) is not None


def is_cron(key: str) -> bool:
    """Whether ``key`` is that of a scheduled job or of one of its runs."""
    found = agent_and_rest(key)
    return found is not None and found[1].startswith("cron:")


def is_subagent(key: str) -> bool:
    """Whether ``key`` is that of a sub-agent."""
    found = agent_and_rest(key)
    return (found[1] if found else canonical_key(key)).startswith("subagent:")


def session_kind(key: str, chat_type: str | None) -> SessionKind:
    """The kind that OpenClaw lists for the session. Source: openclaw.md 2.4."""
    name = canonical_key(key)
    if name in ("global", "unknown"):
        return "global" if name == "global" else "unknown"
    if chat_type in ("group", "channel", "room") or any(mark in name for mark in _GROUP_MARKS):
        return "group"
    return "direct"


def thread_parent(key: str) -> str | None:
    """The key before the last ``:thread:`` or ``:topic:``; None where neither stands in ``key``."""
    marks = list(_THREAD_MARK.finditer(key))
    return utf16.trim(key[: marks[-1].start()]) or None if marks else None
