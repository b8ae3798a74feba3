"""What summary would claw-code itself write?

Exact, with what it loses: raw line breaks, no cap on the timeline, an old summary that moves two signs to the
right each time. Source: claw.md 6.10; ultraworkers/claw-code rust/crates/runtime/src/compact.rs@08106b0c.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from agentbrief.compaction.claw import grammar
from agentbrief.compaction.claw.cleaning import cut
from agentbrief.compaction.claw.format_summary import format_summary_text
from agentbrief.compaction.claw.key_files import files_in
from agentbrief.compaction.claw.summary import Scope, SummaryParts, Timeline, summary_text
from agentbrief.sessions.model import ContentBlock, Message, Opaque, Text, Thinking, ToolResult, ToolUse
from agentbrief.text.whitespace import is_blank, lines, trim_end

_TIMELINE_HEADER = grammar.HEADER + grammar.TIMELINE


def upstream_summary(messages: Sequence[Message], old: str | None) -> str:
    """The summary of ``messages`` after the summary ``old``, as claw-code stores it."""
    new = summary_text(_parts(messages))
    if old is None:
        return new
    formatted = format_summary_text(new, "claw-code")
    previous, fresh = list(_highlights(old)), list(_highlights(formatted))
    timeline = list(_timeline(formatted))
    found = [grammar.START, grammar.TITLE, *(grammar.HEADER + line for line in previous)]
    if fresh:
        found += [grammar.HEADER + grammar.NEW_PART, *(f"  {line}" for line in fresh)]
    if timeline:
        found += [_TIMELINE_HEADER, *(f"  {line}" for line in timeline)]
    return "\n".join((*found, grammar.END))


def _highlights(summary: str) -> Iterator[str]:
    """The lines of ``summary`` up to its timeline, without blank ones and the two titles."""
    for line in _lines(summary):
        if line == _TIMELINE_HEADER:
            return
        if line and line not in (grammar.LABEL, grammar.TITLE):
            yield line


def _timeline(summary: str) -> Iterator[str]:
    """The lines of the timeline, up to a blank one."""
    inside = False
    for line in _lines(summary):
        if line == _TIMELINE_HEADER:
            inside = True
        elif inside and not line:
            return
        elif inside:
            yield line


def _lines(summary: str) -> Iterator[str]:
    return (trim_end(line) for line in lines(format_summary_text(summary, "claw-code")))


def _parts(messages: Sequence[Message]) -> SummaryParts:
    roles = [message.role for message in messages]
    texts = [(message.role, text) for message in messages if (text := _text(message)) is not None]
    pending = [text for _, text in texts if _is_pending(text)]
    blocks = [block for message in messages for block in message.blocks]
    names = {name for block in blocks if (name := _tool(block)) is not None}
    files = {file for block in blocks for file in files_in(_searched(block))}
    return SummaryParts(
        scope=Scope(len(messages), roles.count("user"), roles.count("assistant"), roles.count("tool")),
        tools=tuple(sorted(names)),
        requests=_last(text for role, text in texts if role == "user"),
        pending=_last(pending),
        files=tuple(sorted(files)[: grammar.NEW_FILES]),
        current=cut(texts[-1][1], grammar.WORK_CHARS) if texts else None,
        timeline=Timeline(tuple(f"{message.role}: {_joined(message)}" for message in messages)),
    )


def _last(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(cut(text, grammar.ITEM_CHARS) for text in [*texts][-grammar.NEW_ITEMS :])


def _text(message: Message) -> str | None:
    found = (block.text for block in message.blocks if isinstance(block, Text))
    return next((text for text in found if not is_blank(text)), None)


def _is_pending(text: str) -> bool:
    lowered = text.lower()
    return any(word in lowered for word in grammar.PENDING_WORDS)


def _tool(block: ContentBlock) -> str | None:
    if isinstance(block, ToolUse):
        return block.name
    return block.tool_name if isinstance(block, ToolResult) else None


def _searched(block: ContentBlock) -> str:
    match block:
        case Text(text) | Thinking(text):
            return text
        case ToolUse(stored=text) | ToolResult(output=text):
            return text
        case Opaque():
            return ""


def _joined(message: Message) -> str:
    return " | ".join(cut(_block(block), grammar.ITEM_CHARS) for block in message.blocks)


def _block(block: ContentBlock) -> str:
    match block:
        case Text(text):
            return text
        case ToolUse(name=name, stored=stored):
            return f"tool_use {name}({stored})"
        case ToolResult(tool_name=name, output=output, is_error=is_error):
            return f"tool_result {name}: {'error ' if is_error else ''}{output}"
        case Thinking(text):
            return f"thinking ({len(text)} chars)"
        case Opaque(kind):
            return f"[{kind}]"
