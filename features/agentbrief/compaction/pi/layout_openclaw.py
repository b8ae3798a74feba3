"""How is a summary written into a transcript of OpenClaw, so that what matters most survives a long one?

A body that a provider wrote, and a suffix of sections made from the messages; the body gives way. Source:
openclaw.md 8.7; openclaw/openclaw src/agents/pi-hooks/compaction-safeguard.ts. Lengths are UTF-16 units.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from agentbrief.compaction.pi.file_lists import FileOperations
from agentbrief.compaction.pi.layout_pi import TURN_HEADING
from agentbrief.compaction.pi.preserved_turns import preserved_turns, turn_lines
from agentbrief.compaction.pi.tool_failures import failure_lines
from agentbrief.profiles.openclaw_data import StoreSummaryData
from agentbrief.sessions.pi.context import RawMessage
from agentbrief.text import utf16

CUT_MARKER = "\n\n[Compaction summary truncated to fit budget]"
RULES_CUT = "\n...[truncated]..."
TURNS_HEADING = "## Recent turns preserved verbatim"
FAILURES_HEADING = "## Tool Failures"
RULES_TAG = "workspace-critical-rules"
READ_TAG = "read-files"
MODIFIED_TAG = "modified-files"


def suffix_of(
    history: Sequence[RawMessage],
    turn_prefix: Sequence[RawMessage],
    files: FileOperations,
    rules: str,
    turns: int,
    data: StoreSummaryData,
) -> str:
    """What stands behind the body, each part with a blank line before it; empty if there is no part.

    ``rules`` are the sections of the workspace's file that must not be forgotten, joined; ``turns`` how many
    of the last turns of ``history`` are kept word for word.
    """
    parts = (
        _section(TURN_HEADING + "\n", turn_lines(turn_prefix, data)),
        _section(TURNS_HEADING, turn_lines(preserved_turns(history, turns, data), data)),
        _section(FAILURES_HEADING, failure_lines((*history, *turn_prefix), data)),
        _lists(files, data),
        _rules(rules, data),
    )
    return "".join(f"\n\n{part}" for part in parts if part)


def openclaw_summary(body: str, suffix: str, data: StoreSummaryData) -> str:
    """The text of the entry, no longer than it may be; a suffix that alone is longer keeps its end."""
    room = data.max_chars - utf16.length(suffix)
    if room <= 0:
        return _last(suffix, data.max_chars)
    return shortened(body, room) + suffix


def shortened(text: str, most: int) -> str:
    """``text``, or its start and the marker, together at most ``most`` units."""
    if utf16.length(text) <= most:
        return text
    kept = most - len(CUT_MARKER)
    return utf16.head(text, kept) + CUT_MARKER if kept > 0 else utf16.head(text, most)


def _last(text: str, units: int) -> str:
    """The end of ``text``, one unit less where it would begin inside a character."""
    found = utf16.tail(text, units)
    return found if utf16.length(found) <= units else found[1:]


def _section(heading: str, lines: Iterable[str]) -> str:
    written = "\n".join(lines)
    return f"{heading}\n{written}" if written else ""


def _lists(files: FileOperations, data: StoreSummaryData) -> str:
    lists = (
        _bounded(READ_TAG, files.read_files, data.list_chars),
        _bounded(MODIFIED_TAG, files.modified_files, data.list_chars),
    )
    joined = "\n\n".join(written for written in lists if written)
    # The blank line before the lists counts: upstream measures them with it.
    return shortened(f"\n\n{joined}", data.lists_chars).removeprefix("\n\n") if joined else ""


def _bounded(tag: str, paths: Sequence[str], most: int) -> str:
    """A list of files of at most ``most`` units; the rest is a number."""
    lines: list[str] = []
    used = len(f"<{tag}>\n\n</{tag}>")
    for index, path in enumerate(paths):
        left = len(paths) - index
        line = f"{path}\n"
        notice = _more(left - 1) if left > 1 else ""
        if used + utf16.length(line) + len(notice) > most:
            if used + len(_more(left)) <= most:
                lines.append(_more(left))
            break
        lines.append(line)
        used += utf16.length(line)
    return f"<{tag}>\n{''.join(lines)}\n</{tag}>" if lines else ""


def _more(count: int) -> str:
    return f"...and {count} more\n"


def _rules(rules: str, data: StoreSummaryData) -> str:
    if not rules:
        return ""
    kept = rules
    if utf16.length(rules) > data.rules_chars:
        kept = utf16.head(rules, data.rules_chars) + RULES_CUT
    return f"<{RULES_TAG}>\n{kept}\n</{RULES_TAG}>"
