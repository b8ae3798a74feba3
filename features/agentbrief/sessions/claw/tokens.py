"""How many tokens does a message of the Claw family count for?

UTF-8 bytes / 4, rounded down, and 1 a block; thoughts count without the 1. Identifiers, marks of failure and
what a call cost do not count.

Source: claw.md 6.1; ultraworkers/claw-code rust/crates/runtime/src/compact.rs.
"""

from __future__ import annotations

from collections.abc import Iterable

from agentbrief.sessions.model import ContentBlock, Message, Text, Thinking, ToolResult, ToolUse
from agentbrief.tokens.parity import utf8_bytes_4_plus_1


def message_tokens(message: Message) -> int:
    """The tokens of one message; one without blocks has none."""
    return sum(block_tokens(block) for block in message.blocks)


def session_tokens(messages: Iterable[Message]) -> int:
    """The tokens of all ``messages``."""
    return sum(message_tokens(message) for message in messages)


def block_tokens(block: ContentBlock) -> int:
    """The tokens of one block; a block of an unknown kind counts as an empty one."""
    match block:
        case Text(text):
            return utf8_bytes_4_plus_1(text)
        case ToolUse(name=name, stored=stored):
            return utf8_bytes_4_plus_1(name + stored)
        case ToolResult(tool_name=name, output=output):
            return utf8_bytes_4_plus_1(name + output)
        case Thinking(text, signature):
            signed = 0 if signature is None else utf8_bytes_4_plus_1(signature)
            return utf8_bytes_4_plus_1(text) - 1 + signed
        case _:
            return utf8_bytes_4_plus_1("")
