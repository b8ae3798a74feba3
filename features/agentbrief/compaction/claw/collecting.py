"""What of some messages goes into a summary?

One pass over the messages, which may be made one at a time: only the words that a line can hold are kept.

Source: claw.md 6.4, 6.11.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Sequence

from agentbrief.compaction.claw import grammar
from agentbrief.compaction.claw.cleaning import clean, clean_start, cut, defused, without_analysis
from agentbrief.compaction.claw.key_files import files_in
from agentbrief.compaction.claw.summary import Scope, SummaryParts, Timeline
from agentbrief.sessions.model import ContentBlock, Message, Opaque, Text, Thinking, ToolResult, ToolUse
from agentbrief.text.whitespace import LINE_BREAKS, WHITE_SPACE, is_blank

# "follow up" may be written over a line end, which clean makes one space
_WORDS = tuple(word for word in grammar.PENDING_WORDS if " " not in word)
_PHRASES = tuple(
    (
        word.split(" ")[0],
        re.compile(word.replace(" ", f"(?: |[{WHITE_SPACE}]*[{LINE_BREAKS}][{WHITE_SPACE}]*)")),
    )
    for word in grammar.PENDING_WORDS
    if " " in word
)


def parts_of(messages: Iterable[Message], extra_extensions: Sequence[str] = ()) -> SummaryParts:
    """The summary of ``messages``. ``extra_extensions`` are those of files that are listed too."""
    roles: dict[str, int] = {}
    count = 0
    tools: set[str] = set()
    files: set[str] = set()
    requests: deque[str] = deque(maxlen=grammar.NEW_ITEMS)
    pending: deque[str] = deque(maxlen=grammar.NEW_ITEMS)
    current: str | None = None
    first: list[str] = []
    last: deque[Message] = deque(maxlen=grammar.LAST_LISTED)
    for message in messages:
        count += 1
        roles[message.role] = roles.get(message.role, 0) + 1
        if len(first) < grammar.FIRST_LISTED:
            first.append(_timeline_item(message))
        else:
            last.append(message)
        text: str | None = None
        for block in message.blocks:
            match block:
                case Text(words):
                    searched = without_analysis(words)
                    if text is None and not is_blank(searched):
                        text = searched
                case ToolUse(name=name, stored=searched) | ToolResult(tool_name=name, output=searched):
                    tools.add(name)
                case Thinking(searched):
                    pass
                case Opaque():
                    continue
            files.update(files_in(searched, extra_extensions))
        if text is not None:
            current = text
            if message.role == "user":
                requests.append(text)
            if _is_pending(text):
                pending.append(text)
    hidden = max(count - grammar.LISTED_MESSAGES, 0)
    listed = tuple(map(_timeline_item, last))
    timeline = Timeline(tuple(first), hidden, listed) if hidden else Timeline((*first, *listed))
    return SummaryParts(
        scope=Scope(count, roles.get("user", 0), roles.get("assistant", 0), roles.get("tool", 0)),
        tools=tuple(sorted(set(map(clean, tools)))),
        requests=tuple(_item(text) for text in requests),
        pending=tuple(_item(text) for text in pending),
        files=tuple(sorted(set(map(defused, files)))[: grammar.NEW_FILES]),
        current=None if current is None else _cut(current, grammar.WORK_CHARS),
        timeline=timeline,
    )


def _is_pending(text: str) -> bool:
    lowered = text.lower()
    return any(word in lowered for word in _WORDS) or any(
        start in lowered and phrase.search(lowered) for start, phrase in _PHRASES
    )


def _item(text: str) -> str:
    return _cut(text, grammar.ITEM_CHARS)


def _cut(text: str, chars: int) -> str:
    return cut(clean_start(text, chars), chars)


def _timeline_item(message: Message) -> str:
    blocks = [_block_item(block) for block in message.blocks[: grammar.LISTED_BLOCKS]]
    if len(message.blocks) > len(blocks):
        blocks.append(grammar.hidden_blocks(len(message.blocks) - len(blocks)))
    return f"{message.role}: {' | '.join(blocks)}"


def _block_item(block: ContentBlock) -> str:
    match block:
        case Text(text):
            return _item(without_analysis(text))
        case ToolUse(name=name, stored=stored):
            whole = f"tool_use {_start(name)}({_start(stored)})"
        case ToolResult(tool_name=name, output=output, is_error=is_error):
            whole = f"tool_result {_start(name)}: {'error ' if is_error else ''}{_start(output)}"
        case Thinking(text):
            whole = f"thinking ({len(text)} chars)"
        case Opaque(kind):
            whole = f"[{_start(kind)}]"
    return cut(whole, grammar.ITEM_CHARS)


def _start(text: str) -> str:
    return clean_start(text, grammar.ITEM_CHARS)
