"""What are the last words of a session, in short?

Source: openclaw.md 16; openclaw/openclaw ``src/gateway/session-utils.fs.ts``. Lengths are UTF-16 units.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agentbrief.sessions.model import Message, Role
from agentbrief.text import utf16

MOST_ITEMS = 50
LEAST_CHARS, MOST_CHARS = 20, 2000
_DOTS = "..."


@dataclass(frozen=True, slots=True)
class PreviewItem:
    """Who said it, and the start of what was said."""

    role: Role
    text: str


def preview(messages: Iterable[Message], limit: int, max_chars: int) -> tuple[PreviewItem, ...]:
    """The last ``limit`` messages that have words, oldest first, each cut to ``max_chars``.

    The limit is held between 1 and 50, the length between 20 and 2000.
    """
    limit = min(max(limit, 1), MOST_ITEMS)
    max_chars = min(max(max_chars, LEAST_CHARS), MOST_CHARS)
    said = ((message, utf16.trim(message.text)) for message in messages)
    items = [PreviewItem(message.role, _short(text, max_chars)) for message, text in said if text]
    return tuple(items[-limit:])


def _short(text: str, max_chars: int) -> str:
    if utf16.length(text) <= max_chars:
        return text
    return utf16.head(text, max_chars - len(_DOTS)) + _DOTS
