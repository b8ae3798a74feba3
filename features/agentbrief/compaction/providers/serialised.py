"""How is a conversation told to a writer that takes text?

One paragraph a message part, an earlier summary first; thoughts are left out and long results are cut.
Source: openclaw.md 8.6; badlogic/pi-mono packages/coding-agent/src/core/compaction/utils.ts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from agentbrief import jsonio
from agentbrief.sessions.model import Message, Text, ToolResult, ToolUse

RESULT_CHARS = 2000
"""So many code points of a tool result are told."""


def serialised(
    messages: Iterable[Message], previous_summary: str | None = None, instructions: Sequence[str] = ()
) -> str:
    """``messages`` as text, a blank line between the parts."""
    parts: list[str] = []
    if previous_summary:
        parts.append(f"[Earlier summary]: {previous_summary}")
    for message in messages:
        parts += _parts(message)
    parts += [f"[Instruction]: {instruction}" for instruction in instructions]
    return "\n\n".join(parts)


def _parts(message: Message) -> Iterator[str]:
    words = "\n".join(block.text for block in message.blocks if isinstance(block, Text))
    if words:
        yield f"[{message.role.capitalize()}]: {words}"
    calls = "; ".join(_call(block) for block in message.blocks if isinstance(block, ToolUse))
    if calls:
        yield f"[Assistant tool calls]: {calls}"
    for block in message.blocks:
        if isinstance(block, ToolResult):
            yield f"[Tool result]: {_cut(block.output)}"


def _call(block: ToolUse) -> str:
    if not isinstance(block.input, dict):
        return f"{block.name}({block.stored})"
    given = ", ".join(f"{key}={jsonio.dumps(value).decode('utf-8')}" for key, value in block.input.items())
    return f"{block.name}({given})"


def _cut(text: str) -> str:
    if len(text) <= RESULT_CHARS:
        return text
    return f"{text[:RESULT_CHARS]}\n\n[... {len(text) - RESULT_CHARS} more characters truncated]"
