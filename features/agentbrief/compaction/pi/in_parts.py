"""How is a conversation summarised by a model that cannot take all of it at once?

In parts that are told one after another, each with what was told before; two halves are merged at the end. A
call is never parted from its results. Source: openclaw.md 8.8; openclaw/openclaw src/agents/compaction.ts.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from agentbrief.compaction.openclaw import chunks
from agentbrief.compaction.pi.summary_calls import SummaryCall
from agentbrief.compaction.providers.provider import Cancelled
from agentbrief.profiles.openclaw_data import ChunkData, StoreSummaryData
from agentbrief.sessions.model import Message, Opaque, Text, Thinking, ToolResult, ToolUse
from agentbrief.text import utf16

Ask = Callable[[SummaryCall], str]
"""Makes one call and gives the answer; raises what the provider raises."""


@dataclass(frozen=True, slots=True)
class Room:
    """What a model can take: its window in tokens, and the numbers by which messages are split.

    What is not summarised may take ``max_history_share`` of the window.
    """

    window_tokens: int
    chunks: ChunkData
    summary: StoreSummaryData
    max_history_share: float


def told_in_parts(call: SummaryCall, room: Room, staying_tokens: int, ask: Ask) -> str:
    """The answer to ``call``, in as many calls as its messages need.

    ``staying_tokens`` is the size of what is not summarised: where it is large, the oldest messages are told
    first.

    Raises:
        Cancelled: it was called off.
        Exception: a call failed, also without the largest messages.
    """
    messages, data = call.messages, room.chunks
    sizes, tied = _sizes(messages, room), _tied(messages)
    most = room.window_tokens * room.max_history_share * data.safety_margin
    first = 0
    if staying_tokens > most:
        first = chunks.summarised_first(sizes, room.window_tokens, room.max_history_share, data, tied)
    if first:
        earlier = _rolled(replace(call, messages=messages[:first]), room, ask)
        call = replace(call, messages=messages[first:], previous_summary=earlier)
        sizes, tied = sizes[first:], tied[first:]
    parts = chunks.parts_needed(sizes, room.window_tokens, data)
    if parts < 2:
        return _rolled(call, room, ask)
    halves = chunks.split_by_share(sizes, parts, tied)
    told = [
        _rolled(
            replace(
                call,
                messages=call.messages[half.start : half.stop],
                previous_summary=call.previous_summary if half.start == 0 else None,
            ),
            room,
            ask,
        )
        for half in halves
    ]
    if len(told) == 1:
        return told[0]
    merged = tuple(Message("user", (Text(text),)) for text in told)
    return ask(replace(call, template="merge", messages=merged, previous_summary=None))


def value_tokens(message: Message, data: StoreSummaryData) -> int:
    """The tokens of a message as a provider gets it."""
    chars = 0
    for block in message.blocks:
        match block:
            case Text(text) | Thinking(text):
                chars += utf16.length(text)
            case ToolUse(name=name, stored=stored):
                chars += utf16.length(name) + utf16.length(stored)
            case ToolResult(output=output):
                chars += utf16.length(output)
            case Opaque(kind):
                chars += data.image_chars if kind == "image" else 0
    return -(-chars // data.chars_per_token)


def _rolled(call: SummaryCall, room: Room, ask: Ask) -> str:
    """The answer to ``call``, chunk after chunk, each continuing the summary of those before it."""
    sizes = _sizes(call.messages, room)
    most = chunks.chunk_tokens(sizes, room.window_tokens, room.chunks)
    told = call.previous_summary or ""
    for chunk in chunks.split_by_size(sizes, most, room.chunks, _tied(call.messages)):
        part = replace(call, messages=call.messages[chunk.start : chunk.stop], previous_summary=told or None)
        told = _without_the_largest(part, room, ask)
    return told


def _without_the_largest(call: SummaryCall, room: Room, ask: Ask) -> str:
    """The answer to ``call``; after a failure without the messages that no window would hold."""
    try:
        return ask(call)
    except Cancelled:
        raise
    except Exception:
        small = tuple(_or_note(message, room) for message in call.messages)
        if small == tuple(call.messages):
            raise
        return ask(replace(call, messages=small))


def _or_note(message: Message, room: Room) -> Message:
    tokens = value_tokens(message, room.summary)
    if not chunks.too_large_to_summarise(tokens, room.window_tokens, room.chunks):
        return message
    thousands = round(tokens / 1000)
    note = f"[Large {message.role} (~{thousands}K tokens) omitted from summary]"
    return replace(message, blocks=(Text(note),))


def _sizes(messages: Sequence[Message], room: Room) -> list[int]:
    return [value_tokens(message, room.summary) for message in messages]


def _tied(messages: Sequence[Message]) -> list[bool]:
    return [any(isinstance(block, ToolResult) for block in message.blocks) for message in messages]
