"""How are the instruction files written into the prompt?"""

from __future__ import annotations

from agentbrief.brief import Brief
from agentbrief.profiles.profile import AgentProfile
from agentbrief.prompt.prompt_text import Part, PromptSection
from agentbrief.text.span import Span


def rendered(profile: AgentProfile, brief: Brief) -> PromptSection | None:
    """The section of the instruction files; None when no file was found.

    Source: claw.md 2.6 and 3.2.
    """
    assert profile.rendering is not None
    listed, entries = brief.listed, brief.entries
    if not listed:
        return None
    pieces = [profile.rendering.title]
    if len(entries) < len(listed) and profile.rendering.omission_place == "after-title":
        pieces.append(profile.rendering.omission_note)
    parts: list[Part] = []
    length = sum(len(piece) + 2 for piece in pieces)
    for entry in entries:
        heading = f"## {entry.heading}"
        length += len(heading) + 2
        parts.append(Part(Span(length, length + len(entry.sent)), entry.file.path, entry.sent))
        pieces += [heading, entry.printed]
        length += len(entry.printed) + 2
    if len(entries) < len(listed) and profile.rendering.omission_place == "last":
        pieces.append(profile.rendering.omission_note)
    return PromptSection("instructions", "\n\n".join(pieces), tuple(parts))
