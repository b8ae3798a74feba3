"""How are the instruction files written into the prompt?"""

from __future__ import annotations

from agentbrief.brief import Brief, CutAt, Entry
from agentbrief.profiles.profile import AgentProfile
from agentbrief.prompt.prompt_text import Part, PromptSection
from agentbrief.text.span import Span


def rendered(profile: AgentProfile, brief: Brief) -> PromptSection | None:
    """The section of the instruction files; None when no file was found.

    Source: claw.md 2.6 and 3.2.
    """
    assert profile.rendering is not None
    listed, entries = brief.listed, brief.entries
    if not listed and not brief.markers:
        return None
    pieces = [profile.rendering.title]
    if len(entries) < len(listed) and profile.rendering.omission_place == "after-title":
        pieces.append(profile.rendering.omission_note)
    parts: list[Part] = []
    length = sum(len(piece) + 2 for piece in pieces)
    for heading, printed, entry in _printed(brief):
        length += len(heading) + 2
        if entry is not None:
            parts += _parts(entry, length)
        pieces += [heading, printed]
        length += len(printed) + 2
    if (
        len(entries) < len(listed)
        and profile.rendering.omission_place == "last"
        and profile.rendering.omission_note
    ):
        pieces.append(profile.rendering.omission_note)
    return PromptSection("instructions", "\n\n".join(pieces), tuple(parts))


def _printed(brief: Brief) -> list[tuple[str, str, Entry | None]]:
    """Heading, text and file of what is printed, in order; files that are only marked have none."""
    found: list[tuple[int, str, str, Entry | None]] = [
        (entry.file.rank if brief.markers else 0, f"## {entry.heading}", entry.printed, entry)
        for entry in brief.entries
    ]
    found += [(marker.rank, f"## {marker.path}", marker.printed, None) for marker in brief.markers]
    return [each[1:] for each in sorted(found, key=lambda each: each[0])]


def _parts(entry: Entry, start: int) -> list[Part]:
    """What of a printed file was copied from it: its beginning and, if it lost its middle, its end."""
    found = [Part(Span(start, start + len(entry.sent)), entry.file.path, entry.sent)]
    if isinstance(entry, CutAt) and entry.tail is not None:
        end = start + len(entry.printed)
        found.append(Part(Span(end - len(entry.tail), end), entry.file.path, entry.tail))
    return found
