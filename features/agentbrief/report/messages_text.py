"""How do the messages of a session read as plain text, so that two states of it can be compared?"""

from __future__ import annotations

from collections.abc import Iterable

from agentbrief import jsonio
from agentbrief.redact import mask
from agentbrief.sessions.model import ContentBlock, Message, Opaque, Text, Thinking, ToolResult, ToolUse
from agentbrief.sessions.titles import one_line

_WORDS = 160


def messages_text(messages: Iterable[Message]) -> str:
    """``messages`` one after another, each under its role; secrets and control characters masked."""
    return "".join(f"## {message.role}\n\n{_blocks(message)}\n\n" for message in messages)


def first_words(message: Message) -> str:
    """The first words of ``message`` on one line."""
    for block in message.blocks:
        words = one_line(_block(block))
        if words:
            return words if len(words) <= _WORDS else words[: _WORDS - 1] + "…"
    return "–"


def _blocks(message: Message) -> str:
    return "\n\n".join(mask(_block(block)) for block in message.blocks)


def _block(block: ContentBlock) -> str:
    match block:
        case Text():
            return block.text
        case ToolUse():
            return f"→ {block.name}({block.stored})"
        case ToolResult():
            sign = "✗" if block.is_error else "←"
            return f"{sign} {block.tool_name}: {block.output}"
        case Thinking():
            return f"({block.text})" if block.text else "(…)"
        case Opaque():
            return f"[{block.type}] {jsonio.dumps(block.raw).decode('utf-8', 'replace')}"
