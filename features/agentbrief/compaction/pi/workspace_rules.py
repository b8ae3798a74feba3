"""Which rules of the workspace stand in every summary of OpenClaw?

The sections that are shown again after a compaction, word for word (openclaw.md 8.7, 12.1).
"""

from __future__ import annotations

from dataclasses import dataclass

from agentbrief.profiles.openclaw_data import ReinjectionData
from agentbrief.text.sections import BETWEEN, sections_named


@dataclass(frozen=True, slots=True)
class WorkspaceRules:
    """The sections one after another, and the names they were asked for by.

    Both empty where there are none.
    """

    text: str = ""
    names: tuple[str, ...] = ()


def workspace_rules(text: str | None, data: ReinjectionData) -> WorkspaceRules:
    """The rules in ``text``, the content of the agent's file.

    The older names where the usual ones give none.
    """
    if text is None:
        return WorkspaceRules()
    found = sections_named(text, data.sections) or sections_named(text, data.old_sections)
    joined = BETWEEN.join(text[section.span.start : section.span.end] for section in found)
    return WorkspaceRules(joined, tuple(section.name for section in found))
