"""How does a repaired copy of a session look, and where is it written? The session itself is only read."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from agentbrief.changes.apply import Site, apply
from agentbrief.changes.steps import ReplaceFile, Step
from agentbrief.disk.folder import stamp_of
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.jsonl.lines import RecordFile
from agentbrief.sessions.jsonl.records import read_records
from agentbrief.sessions.jsonl.repair import RepairPlan, plan_repair, plan_with_header, repair_paths
from agentbrief.sessions.pi.fork import lost_header
from agentbrief.sessions.pi.read import transcript_of
from agentbrief.sessions.pi.tree import PiTranscript
from agentbrief.sessions.sniff import openclaw, pi, port_sessions
from agentbrief.tasks.sessions.read import SessionFile, chunks_of

MAX_REPAIRED_BYTES = 256 * 1024 * 1024
"""The largest file of which a repaired copy is made: it is held in memory."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A repair that was planned. ``problem`` says why there is none: ``too-large`` or ``no-lines``.

    ``records`` counts those of the copy; ``broken_links`` the records whose parent is not in the copy.
    """

    file: SessionFile
    plan: RepairPlan = field(repr=False)
    problem: str | None = None
    records: int = 0
    broken_links: int = 0

    @property
    def is_needed(self) -> bool:
        """Whether anything is wrong with the lines of the file."""
        return self.problem is None and self.plan.repaired


def planned_repair(fs: FS, file: SessionFile) -> Repair:
    """How a repaired copy of ``file`` looks. Whole records on a damaged line take its place.

    A transcript of pi or OpenClaw that has lost its header gets one: the identifier of its name, its first
    time (openclaw.md 4.7).

    Raises:
        Refused: the file is gone, or the disk reports an error.
    """
    if file.stamp.size > MAX_REPAIRED_BYTES:
        return Repair(file, RepairPlan(b""), "too-large")
    data = b"".join(chunks_of(fs, file))
    lines = read_records(data)
    if file.format == port_sessions.FORMAT or _is_one_text(file, lines):
        return Repair(file, RepairPlan(data), "no-lines")
    plan = _headed(file, plan_repair(data, lines, with_recovered=True, without_half_pairs=True))
    if not plan.repaired:
        return Repair(file, plan, records=len(lines.records))
    records = read_records(plan.content).records
    known = {each for record in records for each in _ids(record.value)}
    broken = sum((parent := _parent(record.value)) is not None and parent not in known for record in records)
    return Repair(file, plan, None, len(records), broken)


def _headed(file: SessionFile, plan: RepairPlan) -> RepairPlan:
    """``plan``, with a header in front where a transcript of pi or OpenClaw has lost its own."""
    if file.format not in (pi.FORMAT, openclaw.FORMAT):
        return plan
    lines = read_records(plan.content)
    if not lines.records or isinstance(transcript_of(lines), PiTranscript):
        return plan
    return plan_with_header(plan, lost_header(os.path.basename(file.path), lines.records))


def copy_paths(file: SessionFile, output: str | None = None) -> tuple[str, str]:
    """Where the copy and the list of the bad lines go: beside the file, or to the path ``output``."""
    if output is None:
        found = repair_paths(file.path, 0, 0)
        return found.copy, found.bad_lines
    stem, _ = os.path.splitext(output)
    return output, f"{stem}.bad.jsonl"


def free_paths(fs: FS, file: SessionFile, folder: str) -> tuple[str, str]:
    """Two names in ``folder`` that are free."""
    stem, extension = os.path.splitext(os.path.basename(file.path))
    number = 1
    while True:
        tail = "" if number == 1 else f"-{number}"
        found = copy_paths(file, os.path.join(folder, f"{stem}.repaired{tail}{extension}"))
        if all(stamp_of(fs, path) is None for path in found):
            return found
        number += 1


def repaired(site: Site, repair: Repair, copy: str, bad_lines: str) -> None:
    """Write the copy and the list of its bad lines; both or neither.

    Raises:
        Refused: a name is taken, or nothing could be written.
    """
    for path in (copy, bad_lines):
        if stamp_of(site.fs, path) is not None:
            raise Refused("exists", path)
    steps: list[Step] = [
        ReplaceFile(copy, repair.plan.content, None),
        ReplaceFile(bad_lines, repair.plan.bad_lines, None),
    ]
    apply(site, steps)


def _is_one_text(file: SessionFile, lines: RecordFile) -> bool:
    return file.path.endswith(".json") and len(lines.records) <= 1


def _ids(value: Mapping[str, JsonValue]) -> tuple[str, ...]:
    found = [value.get(key) for key in ("uuid", "id")]
    return tuple(each for each in found if isinstance(each, str))


def _parent(value: Mapping[str, JsonValue]) -> str | None:
    found = value.get("parentUuid", value.get("parentId"))
    return found if isinstance(found, str) else None
