"""Which messages does a Claude Code transcript of any size hold, one after the other?

The lines of one call state its numbers again and again; which of them counts is told by an index of the file,
made before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from agentbrief.sessions.formats.claude_messages import message_of
from agentbrief.sessions.jsonl.index import TranscriptIndex
from agentbrief.sessions.jsonl.lines import Line, Record
from agentbrief.sessions.model import Message, Usage
from agentbrief.sessions.usage import distinct


def messages_in(lines: Iterable[Line], usage_at: Mapping[int, Usage]) -> Iterator[Message]:
    """The messages of ``lines``, in order. ``usage_at`` has what a call cost by the line it is told at."""
    tool_names: dict[str, str] = {}
    for line in lines:
        if not isinstance(line, Record):
            continue
        message = message_of(line, tool_names, usage_at.get(line.line))
        if message is not None:
            yield message


def usage_by_line(index: TranscriptIndex[object]) -> dict[int, Usage]:
    """What each call cost, once, by the line it is told at."""
    return {call.line: call.usage for call in distinct(index.calls())}
