"""How is a summary spelled, so that claw-code and a later compaction can read it again?

Fixed words and bounds of the format; none of them is a setting. Source: claw.md 6.4, 6.6;
ultraworkers/claw-code rust/crates/runtime/src/compact.rs.
"""

from __future__ import annotations

import re

PREAMBLE = (
    "This session is being continued from a previous conversation that ran out of context. "
    "The summary below covers the earlier portion of the conversation.\n\n"
)
NOTE = "Recent messages are preserved verbatim."
RESUME = (
    "Continue the conversation from where it left off without asking the user any further questions. "
    "Resume directly — do not acknowledge the summary, do not recap what was happening, and do not preface "
    "with continuation text."
)

START, END = "<summary>", "</summary>"
ANALYSIS_START, ANALYSIS_END = "<analysis>", "</analysis>"
LABEL = "Summary:"
TITLE = "Conversation summary:"

REQUESTS = "Recent user requests:"
PENDING = "Pending work:"
NOTES = "Earlier notes:"
TIMELINE = "Key timeline:"
CURRENT = "Current work: "
TOOLS = "Tools mentioned: "
FILES = "Key files referenced: "
NEW_PART = "Newly compacted context:"
OLD_PART = "Previously compacted context:"

HEADER = "- "
ITEM = "  - "

SCOPE = re.compile(
    r"Scope: ([0-9]{1,15}) earlier messages compacted "
    r"\(user=([0-9]{1,15}), assistant=([0-9]{1,15}), tool=([0-9]{1,15})\)\."
)
HIDDEN_MESSAGES = re.compile(r"… \(([0-9]{1,15}) messages not listed\)")

PENDING_WORDS = ("todo", "next", "pending", "follow up", "remaining")
EXTENSIONS = ("rs", "ts", "tsx", "js", "json", "md")

ITEM_CHARS = 160
"""The longest item, in code points."""

WORK_CHARS = 200
"""The longest line of current work, and the longest note."""

NEW_ITEMS = 3
"""How many requests and pending items one round adds."""

MERGED_ITEMS = 6
NEW_FILES = 8
MERGED_FILES = 16
MERGED_NOTES = 40
LISTED_BLOCKS = 4
LISTED_MESSAGES = 50
FIRST_LISTED = 5
LAST_LISTED = LISTED_MESSAGES - FIRST_LISTED


def scope_line(messages: int, user: int, assistant: int, tool: int) -> str:
    """The line that counts what was compacted; messages of the system are in the first number only."""
    return f"Scope: {messages} earlier messages compacted (user={user}, assistant={assistant}, tool={tool})."


def hidden_messages(count: int) -> str:
    """The item that stands for ``count`` messages of the timeline."""
    return f"… ({count} messages not listed)"


def hidden_blocks(count: int) -> str:
    """What stands for ``count`` blocks of one message."""
    return f"… ({count} blocks not listed)"
