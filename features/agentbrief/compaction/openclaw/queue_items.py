"""Which messages wait, which give way in a full queue, and as what text are they handed over?

Source: openclaw.md 14; openclaw/openclaw ``src/utils/queue-helpers.ts``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from agentbrief.compaction.openclaw.queue_settings import DropPolicy
from agentbrief.text import utf16

COLLECT_TITLE = "[Queued messages while agent was busy]"


@dataclass(frozen=True, slots=True)
class QueuedMessage:
    """A message that waits; ``summary_line`` stands for it in a summary, blank = its text."""

    prompt: str
    summary_line: str = ""


@dataclass(frozen=True, slots=True)
class Queue:
    """The messages that wait, oldest first; how many gave way, and a line for each of the last of those."""

    items: tuple[QueuedMessage, ...] = ()
    dropped: int = 0
    summary_lines: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Offer:
    """Whether a message is taken into the queue, and the queue that it finds."""

    accepted: bool
    queue: Queue


def make_room(queue: Queue, cap: int, drop: DropPolicy, line_chars: int) -> Offer:
    """What a full queue does with one more message; lines of the summary hold ``line_chars`` UTF-16 units."""
    if len(queue.items) < cap:
        return Offer(True, queue)
    if drop == "new":
        return Offer(False, queue)
    count = len(queue.items) - cap + 1
    gone, kept = queue.items[:count], queue.items[count:]
    if drop == "old":
        return Offer(True, Queue(kept, queue.dropped, queue.summary_lines))
    lines = (*queue.summary_lines, *(_line(item, line_chars) for item in gone))
    return Offer(True, Queue(kept, queue.dropped + len(gone), lines[-cap:]))


def overflow_text(queue: Queue) -> str | None:
    """What is said of the messages that gave way; None where none did."""
    if not queue.dropped:
        return None
    noun = "message" if queue.dropped == 1 else "messages"
    lines = [f"[Queue overflow] Dropped {queue.dropped} {noun} due to cap."]
    if queue.summary_lines:
        lines += ["Summary:", *(f"- {line}" for line in queue.summary_lines)]
    return "\n".join(lines)


def collected_text(items: Sequence[QueuedMessage], overflow: str | None = None) -> str:
    """All messages that waited, as one turn."""
    parts = [COLLECT_TITLE]
    if overflow is not None:
        parts.append(overflow)
    parts += [
        utf16.trim(f"---\nQueued #{number}\n{item.prompt}") for number, item in enumerate(items, start=1)
    ]
    return "\n\n".join(parts)


def _line(item: QueuedMessage, line_chars: int) -> str:
    source = utf16.trim(item.summary_line) or utf16.trim(item.prompt)
    line = utf16.trim(utf16.WHITE_SPACE_RUN.sub(" ", source))
    if utf16.length(line) <= line_chars:
        return line
    return utf16.trim_end(utf16.head(line, line_chars - 1)) + "\u2026"
