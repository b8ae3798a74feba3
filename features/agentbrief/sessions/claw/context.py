"""How full is the context of a session of the Claw family, and with what?

All of it is in the file, and it is counted by claw-code's own formula, so the number is an estimate.
"""

from __future__ import annotations

from collections.abc import Iterable

from agentbrief.sessions.claw.tokens import block_tokens
from agentbrief.sessions.context_used import KINDS, ContextUsed, Kind
from agentbrief.sessions.model import Message, ToolResult, ToolUse


def claw_context(messages: Iterable[Message]) -> ContextUsed:
    """The context that ``messages`` make. System messages are summaries: nothing else is stored as one."""
    parts: dict[Kind, int] = {}
    for message in messages:
        for block in message.blocks:
            kind: Kind = "summary" if message.role == "system" else "messages"
            if isinstance(block, ToolUse):
                kind = "tool-calls"
            elif isinstance(block, ToolResult):
                kind = "tool-results"
            parts[kind] = parts.get(kind, 0) + block_tokens(block)
    by_kind: tuple[tuple[Kind, int], ...] = tuple((each, parts[each]) for each in KINDS if parts.get(each))
    return ContextUsed(sum(parts.values()), False, by_kind)
