"""What of ``AGENTS.md`` is shown to the model again after a compaction?

Source: openclaw.md 12.1; openclaw/openclaw ``src/auto-reply/reply/post-compaction-context.ts``. The sections
and limits are those of the agent's version; lengths are UTF-16 units.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from agentbrief.compaction.openclaw import clock_text
from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import ReinjectionData
from agentbrief.sessions.agent_config import value_at, whole_number
from agentbrief.text.sections import Section, joined, sections_named

TITLE = "[Post-compaction context refresh]"
PARAGRAPH = (
    "This conversation was compacted a moment ago, and its earlier part is now a summary, which does not"
    " stand in for what you do at the start of a session. Do that now: read the files it names, then go on."
)
CUT_NOTICE = "\n...[truncated]..."


@dataclass(frozen=True, slots=True)
class Reinjection:
    """What is shown again: the text as it is sent, the sections of the file, and the names asked for.

    ``cut`` is the place in the file of the first character that was left out, in code points.
    """

    text: str
    sections: tuple[Section, ...]
    asked: tuple[str, ...]
    cut: int | None


def section_names(data: ReinjectionData, configured: Sequence[str] | None) -> tuple[str, ...]:
    """The names that are looked for; empty = nothing is shown again.

    ``configured`` is ``postCompactionSections``, which versions before 2026.4.15 do not know.
    """
    if configured is not None and data.time_line:
        return tuple(configured)
    return data.sections if data.enabled else ()


def max_chars(config: Mapping[str, JsonValue], data: ReinjectionData) -> int:
    """The longest run of sections: ``contextLimits.postCompactionMaxChars`` or the version's own."""
    for place in (("agents", "defaults", "contextLimits"), ("contextLimits",)):
        found = whole_number(value_at(config, *place, "postCompactionMaxChars"), 1)
        if found is not None and data.time_line:
            return found
    return data.max_chars


def reinjection(
    text: str,
    data: ReinjectionData,
    *,
    now_ms: int,
    host_zone: tzinfo,
    config: Mapping[str, JsonValue] | None = None,
    sections: Sequence[str] | None = None,
) -> Reinjection | None:
    """What of ``text``, the content of the file, is shown again; None = nothing."""
    config = config or {}
    asked = section_names(data, sections)
    is_default = {name.lower() for name in asked} == {name.lower() for name in data.sections}
    found = sections_named(text, asked)
    if not found and is_default:
        asked = data.old_sections
        found = sections_named(text, asked)
    if not found:
        return None
    zone = clock_text.user_zone(config, host_zone)
    source = text
    if data.time_line:
        # The date is as long as the words it replaces, so places in the file stay.
        source = text.replace(clock_text.DATE_PLACE, clock_text.date_text(now_ms, zone))
    shown = joined(source, found, max_chars(config, data), CUT_NOTICE)
    names = ", ".join(section.name for section in found)
    title = (
        f"Critical rules from {data.file}:"
        if is_default
        else f"Injected sections from {data.file} ({names}):"
    )
    parts = [TITLE, PARAGRAPH, title, shown.text]
    if data.time_line:
        hours_24 = clock_text.twenty_four_hours(config)
        parts.append(clock_text.time_line(now_ms, zone, hours_24=hours_24, with_utc=True))
    return Reinjection("\n\n".join(parts), found, asked, shown.cut)
