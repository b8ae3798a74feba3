"""How long may one tool result be, and what is left of a longer one?

Source: openclaw.md 8.9; openclaw/openclaw ``src/agents/pi-embedded-runner/tool-result-truncation.ts``.
Lengths are UTF-16 units.
"""

from __future__ import annotations

from agentbrief.profiles.openclaw_data import ToolResultData
from agentbrief.text import utf16

NOTICE = (
    "\n\n⚠️ [The rest of this tool result was left out: as a whole, it does not fit into the context window of"
    " the model. If you need what is missing, ask again for a smaller part of it, by offset and"
    " limit, or by a search.]"
)
"""What stands behind a result that was cut."""


def limit_chars(window_tokens: int, data: ToolResultData) -> int:
    """The longest tool result for a window, in UTF-16 units."""
    return min(int(window_tokens * data.window_share) * data.chars_per_token, data.max_chars)


def cut_end(text: str, limit: int, data: ToolResultData) -> int | None:
    """Where ``text`` is cut to hold ``limit`` UTF-16 units with the notice, in code points.

    None = not at all.

    The last line end is taken if it lies in the last part of what would stay.
    """
    if utf16.length(text) <= limit:
        return None
    kept = max(data.least_kept_chars, limit - data.notice_chars)
    end = utf16.offset(text, kept)
    line_end = text.rfind("\n", 0, end + 1)
    near = line_end >= 0 and utf16.length(text[:line_end]) > kept * (1 - data.line_end_share)
    return line_end if near else end


def cut(text: str, limit: int, data: ToolResultData) -> str:
    """``text``, or its start and the notice."""
    end = cut_end(text, limit, data)
    return text if end is None else text[:end] + NOTICE
