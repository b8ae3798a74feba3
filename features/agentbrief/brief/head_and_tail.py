"""Which of an OpenClaw workspace's files reach the agent, and what of each?

The files share one budget in the order of their names; one that is too long loses its middle, one that is
missing is marked. Counts are UTF-16 units, as OpenClaw's limits are. Source: openclaw.md 12.2.
"""

from __future__ import annotations

from dataclasses import replace

from agentbrief.brief.context_files import ContextFile, ContextLimits, SentFile, context_budget
from agentbrief.brief.placement import Brief, Charge, CutAt, Included, Limits, Marker, Omitted, Placement
from agentbrief.instructions import Discovered, InstructionFile
from agentbrief.profiles.openclaw_data import ContextFileData
from agentbrief.profiles.profile import AgentProfile
from agentbrief.text import utf16
from agentbrief.text.span import Span


def place_head_and_tail(profile: AgentProfile, found: Discovered, limits: Limits) -> Brief:
    """The brief of an agent that is started in the workspace folder ``found.start``.

    Raises:
        ValueError: the profile names no context files.
    """
    if profile.openclaw is None:
        raise ValueError(profile.id)
    data = profile.openclaw.context_files[-1]
    here = {file.name: file for file in found.files}
    files = _in_order(found, here, data)
    budget = context_budget([file for _, file in files], ContextLimits(limits.per_file, limits.total), data)
    placed: list[Placement] = []
    markers: list[Marker] = []
    left = max(1, limits.total)
    for (rank, _), sent in zip(files, budget.files, strict=True):
        file = here.get(sent.file.name)
        if sent.result == "missing":
            if sent.sent is not None:
                markers.append(Marker(sent.file.name, sent.file.path, rank, sent.sent, sent.sent_chars))
            if file is not None:
                placed.append(Omitted(file, "not-loaded"))
        elif file is not None:
            placed.append(_placement(replace(file, rank=rank), sent, left, limits))
        left = max(0, left - sent.sent_chars)
    names = {file.name for _, file in files}
    # Of two memory files later versions take the first.
    placed += [_left_aside(file) for name, file in here.items() if name not in names]
    ordered = tuple(sorted(placed, key=lambda each: (each.file.rank, each.file.path)))
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
        tuple(markers),
    )


def _in_order(
    found: Discovered, here: dict[str, InstructionFile], data: ContextFileData
) -> list[tuple[int, ContextFile]]:
    files: list[tuple[int, ContextFile]] = []
    has_memory = False
    for rank, name in enumerate((*data.names, *data.memory)):
        file = here.get(name)
        is_read = file is not None and file.problem is None and _size(file) <= data.max_file_bytes
        text = file.text if file is not None and is_read else None
        if name in data.memory:
            if text is None or (has_memory and data.first_memory_only):
                continue
            has_memory = True
        files.append((rank, ContextFile(name, f"{found.start.rstrip('/')}/{name}", text)))
    return files


def _left_aside(file: InstructionFile) -> Omitted:
    """A memory file that is not looked for: another one is there, or it cannot be read."""
    is_unread = file.problem is not None
    return Omitted(file, "not-loaded" if is_unread else "blank" if file.blank else "budget")


def _size(file: InstructionFile) -> int:
    return file.stamp.size if file.stamp is not None else 0


def _placement(file: InstructionFile, sent: SentFile, left: int, limits: Limits) -> Placement:
    heading = file.path
    text = file.text
    end = len(utf16.trim_end(text))
    charge = Charge(left, sent.sent_chars, min(limits.per_file, left))
    match sent.result:
        case "empty":
            return Omitted(file, "blank")
        case "not-reached":
            return Omitted(file, "budget", heading)
        case "cut":
            assert sent.lost is not None
            tail = Span(sent.lost.end, end) if sent.lost.end < end else None
            lost_chars = utf16.length(text[sent.lost.start : sent.lost.end])
            by = sent.by or "file"
            whole = Span(0, sent.lost.start)
            return CutAt(file, heading, whole, sent.sent or "", charge, by, lost_chars, tail)
        case _:
            return Included(file, heading, Span(0, end), sent.sent or "", charge)
