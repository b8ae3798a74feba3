"""What does the provider that needs no model say of messages of pi or OpenClaw?

The engine of the Claw family on what a provider would see: results are tool messages, calls their uses with
compact JSON (openclaw.md 8.7). Facts for a note are taken from the same engine (openclaw.md 9).
"""

from __future__ import annotations

from collections.abc import Iterable

from agentbrief.compaction.claw.collecting import parts_of
from agentbrief.compaction.claw.engine import extractive_summary
from agentbrief.compaction.claw.format_summary import format_summary_text
from agentbrief.compaction.claw.summary import SummaryParts
from agentbrief.compaction.pi import layout_openclaw as store_layout
from agentbrief.compaction.pi.layout_pi import NO_HISTORY, RULE, TURN_HEADING
from agentbrief.compaction.pi.seen import SeenMessages
from agentbrief.sessions.pi.context import RawMessage

_SECTIONS = (
    f"\n\n{store_layout.TURNS_HEADING}\n",
    f"\n\n{store_layout.FAILURES_HEADING}\n",
    f"\n\n<{store_layout.READ_TAG}>\n",
    f"\n\n<{store_layout.MODIFIED_TAG}>\n",
    f"\n\n<{store_layout.RULES_TAG}>\n",
)
_PI_TURN = f"\n\n{RULE}\n\n{TURN_HEADING}\n\n"
_STORE_TURN = f"\n\n{TURN_HEADING}\n\n"


def extractive_text(messages: Iterable[RawMessage], previous_summary: str | None) -> str:
    """The summary of ``messages`` added to an earlier one; the same input gives the same words."""
    old = old_body(previous_summary) if previous_summary else None
    return format_summary_text(extractive_summary(SeenMessages(messages), old))


def facts_of(messages: Iterable[RawMessage]) -> SummaryParts:
    """What ``messages`` ask for, leave open and touch."""
    return parts_of(SeenMessages(messages))


def old_body(summary: str) -> str:
    """What was told in an earlier summary, without the sections that are made anew each time.

    The told part of a split turn stays where pi's layout has it; OpenClaw's has only lines of messages there,
    which the body tells too.
    """
    ends = [place for section in _SECTIONS if (place := summary.find(section)) >= 0]
    body = summary[: min(ends, default=len(summary))]
    body = body.replace(_PI_TURN, "\n\n") if _PI_TURN in body else body.partition(_STORE_TURN)[0]
    return body.removesuffix(store_layout.CUT_MARKER).removeprefix(f"{NO_HISTORY}\n")
