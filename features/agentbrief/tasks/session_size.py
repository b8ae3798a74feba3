"""About how many tokens do the messages of a session have?"""

from __future__ import annotations

from agentbrief.sessions.claw_tokens import session_tokens
from agentbrief.sessions.model import Session


def counted_tokens(session: Session) -> int:
    """The estimate of claw-code over all messages."""
    return session_tokens(session.messages)
