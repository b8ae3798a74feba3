"""What is a message without its words: how large is it, what does it call, and what does it answer?"""

from __future__ import annotations

from typing import NamedTuple

from agentbrief.sessions.claw.tokens import message_tokens
from agentbrief.sessions.model import Message, ToolResult, ToolUse


class Shape(NamedTuple):
    """A message without its words: its tokens, the identifiers of its calls and of the calls it answers.

    ``opens_with_result``: its first block is a result.
    """

    tokens: int
    calls: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    opens_with_result: bool = False


def shape_of(message: Message) -> Shape:
    """The shape of ``message``."""
    blocks = message.blocks
    return Shape(
        message_tokens(message),
        tuple(block.id for block in blocks if isinstance(block, ToolUse)),
        tuple(block.tool_use_id for block in blocks if isinstance(block, ToolResult)),
        bool(blocks) and isinstance(blocks[0], ToolResult),
    )
