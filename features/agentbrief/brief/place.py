"""Which of the files that were found reach the agent, and how much of each?"""

from __future__ import annotations

import os
from functools import lru_cache

from agentbrief.brief.cut import CUTS
from agentbrief.brief.placement import (
    Brief,
    Charge,
    CutAt,
    DuplicateOf,
    Included,
    LimitedBy,
    Limits,
    Omitted,
    Placement,
)
from agentbrief.instructions import Discovered, InstructionFile
from agentbrief.profiles.profile import AgentProfile
from agentbrief.text.markdown import Section, sections
from agentbrief.text.span import Span
from agentbrief.text.whitespace import trim, trim_end


def place(profile: AgentProfile, found: Discovered, limits: Limits) -> Brief:
    """The brief of an agent for the files that were found.

    Blank and unreadable files first, then duplicates, then the total limit in the profile's order: a
    duplicate is never charged.

    Source: claw.md 2.4 to 2.6 and 3.2.
    """
    placed: dict[str, Placement] = {}
    listed: list[InstructionFile] = []
    trimmed: dict[str, str] = {}
    firsts: dict[tuple[str, str], list[InstructionFile]] = {}
    for file in found.files:
        path = file.path
        if file.problem is not None:
            placed[path] = Omitted(file, "not-loaded")
            continue
        text = trimmed[path] = trim(file.text)
        if not text:
            placed[path] = Omitted(file, "blank")
        elif profile.dedup is not None and (survivor := _survivor(file, text, firsts)) is not None:
            placed[path] = DuplicateOf(file, survivor)
        else:
            listed.append(file)
    in_text = sorted(listed, key=_place_in_text)
    remaining = limits.total
    for file in _payers(profile, listed):
        heading = _heading(profile, file, in_text)
        if remaining == 0:
            placed[file.path] = Omitted(file, "budget", heading)
            continue
        entry = _charge(profile, file, trimmed[file.path], heading, limits, remaining)
        remaining -= entry.charge.consumed
        placed[file.path] = entry
    ordered = tuple(sorted(placed.values(), key=lambda each: _place_in_text(each.file)))
    return Brief(
        profile.id,
        found.start,
        found.folders,
        ordered,
        limits,
        found.above,
        found.near_misses,
        found.aborted,
        found.unread,
    )


def _survivor(
    file: InstructionFile, trimmed: str, firsts: dict[tuple[str, str], list[InstructionFile]]
) -> InstructionFile | None:
    """The earlier file with the text of ``file``, among ``firsts``; None, and it is added to them, if there
    is none.

    Equal texts have equal first and last lines: most files are never hashed.
    """
    end = trimmed.find("\n")
    first = trim_end(trimmed if end < 0 else trimmed[:end])
    alike = firsts.setdefault((first, trimmed[trimmed.rfind("\n") + 1 :]), [])
    for other in alike:
        if other.content_key == file.content_key:
            return other
    alike.append(file)
    return None


def _place_in_text(file: InstructionFile) -> tuple[int, int, str]:
    return -file.distance, file.rank, file.path


def _payers(profile: AgentProfile, files: list[InstructionFile]) -> list[InstructionFile]:
    total = profile.limit("total")
    outermost = total is not None and total.order == "outermost-first"
    return sorted(
        files, key=lambda file: (-file.distance if outermost else file.distance, file.rank, file.path)
    )


def _charge(
    profile: AgentProfile, file: InstructionFile, trimmed: str, heading: str, limits: Limits, remaining: int
) -> Included | CutAt:
    assert profile.rendering is not None
    # What stands before the trimmed text is white space, which its first character is not.
    start = file.text.find(trimmed[0])
    cut = CUTS[profile.rendering.cut](trimmed, limits.per_file, remaining, profile.rendering.marker)
    charge = Charge(remaining, cut.consumed, min(limits.per_file, remaining))
    sent = Span(start, start + cut.kept)
    if cut.kept == len(trimmed):
        return Included(file, heading, sent, cut.printed, charge)
    by: LimitedBy = "file" if limits.per_file <= remaining else "total"
    return CutAt(file, heading, sent, cut.printed, charge, by, len(trimmed) - cut.kept)


def _heading(profile: AgentProfile, file: InstructionFile, listed: list[InstructionFile]) -> str:
    assert profile.rendering is not None
    name = file.name if profile.rendering.heading_name == "listed" else os.path.basename(file.path)
    if profile.rendering.scope == "own-folder":
        return f"{name} (scope: {file.folder})"
    parents = (os.path.dirname(other.path) for other in listed)
    scope = next(parent for parent in parents if file.path.startswith(parent.rstrip(os.sep) + os.sep))
    return f"{name} (scope: {scope})"


@lru_cache(maxsize=256)
def outline(text: str) -> tuple[Section, ...]:
    """The sections of ``text``, found once for each text."""
    return sections(text)
