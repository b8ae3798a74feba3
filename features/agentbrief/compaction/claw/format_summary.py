"""How is a stored summary shown, to a model and to a person?

Source: claw.md 6.5; ultraworkers/claw-code rust/crates/runtime/src/compact.rs@08106b0c.
"""

from __future__ import annotations

from agentbrief.compaction.claw.grammar import ANALYSIS_END, ANALYSIS_START, END, LABEL, START
from agentbrief.sessions.formats.claw_session import Profile
from agentbrief.text.whitespace import is_blank, lines, trim


def format_summary_text(summary: str, profile: Profile = "claw") -> str:
    """``summary`` without its first analysis block, and with a label in place of its tags.

    Tags are taken as they are spelled; one that is not closed stays. Profile ``claw-code`` looks for the end
    of the analysis from the start of the text, and doubles what stands between an end and a later start.
    """
    start = summary.find(ANALYSIS_START)
    if start >= 0:
        end = summary.find(ANALYSIS_END, 0 if profile == "claw-code" else start + len(ANALYSIS_START))
        if end >= 0:
            summary = summary[:start] + summary[end + len(ANALYSIS_END) :]
    start = summary.find(START)
    end = summary.find(END, start + len(START)) if start >= 0 else -1
    if end >= 0:
        inner = summary[start + len(START) : end]
        summary = summary.replace(f"{START}{inner}{END}", f"{LABEL}\n{trim(inner)}")
    return trim("\n".join(_without_blank_runs(summary)))


def _without_blank_runs(text: str) -> list[str]:
    found: list[str] = []
    was_blank = False
    for line in lines(text):
        blank = is_blank(line)
        if not (blank and was_blank):
            found.append(line)
        was_blank = blank
    return found
