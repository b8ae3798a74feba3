"""What may a rule judge of a transcript of pi or OpenClaw?

Source: openclaw.md 4.4 and 4.7.
"""

from __future__ import annotations

from collections.abc import Iterable

from agentbrief.disk.values import Stamp
from agentbrief.sessions.facts import (
    ChainFault,
    OddRecord,
    Reach,
    RepeatedId,
    TranscriptFacts,
)
from agentbrief.sessions.jsonl.lines import RecordFile, damage_of, repeated_ids
from agentbrief.sessions.jsonl.records import read_records
from agentbrief.sessions.model import Damage
from agentbrief.sessions.pi.read import transcript_of
from agentbrief.sessions.pi.tree import PiTranscript
from agentbrief.sessions.tree import TranscriptTree

_ODD = frozenset(("no-id", "no-message", "null-content", "bad-time", "second-header"))


def facts_of(
    data: bytes | Iterable[bytes], path: str, form: str, stamp: Stamp | None = None
) -> TranscriptFacts:
    """What the transcript at ``path``, of the format ``form``, shows."""
    file = read_records(data)
    found = transcript_of(file)
    torn = file.torn_tail
    damage = tuple(damage_of(line) for line in file.bad)
    half_pairs = tuple(line.line for line in file.records if "lone-surrogate" in line.notes)
    size = stamp.size if stamp else file.size_bytes
    mtime_ms = stamp.mtime_ns // 1_000_000 if stamp else 0
    torn_tail = damage_of(torn) if torn else None
    if not isinstance(found, PiTranscript):
        return TranscriptFacts(
            path,
            form,
            None,
            size,
            mtime_ms,
            damage=damage,
            torn_tail=torn_tail,
            half_pairs=half_pairs,
            has_header=False,
        )
    header = found.header
    cwd = header.get("cwd")
    return TranscriptFacts(
        path,
        form,
        found.session_id,
        size,
        mtime_ms,
        cwd=cwd if isinstance(cwd, str) else None,
        damage=damage,
        torn_tail=torn_tail,
        half_pairs=half_pairs,
        reach=Reach(len(found.tree.path), len(found.tree.entries), ()),
        chain_faults=tuple(_chain_faults(found.damage, found.tree, file)),
        repeated=tuple(_repeated(file)),
        odd=tuple(OddRecord(each.line, each.code) for each in found.damage if each.code in _ODD),
    )


def _chain_faults(damage: Iterable[Damage], tree: TranscriptTree, file: RecordFile) -> Iterable[ChainFault]:
    by_line = {record.line: record for record in file.records}
    for each in damage:
        record = by_line.get(each.line)
        if record is None or each.code not in ("orphan-parent", "cycle"):
            continue
        parent = record.value.get("parentId")
        identifier = record.value.get("id")
        yield ChainFault(
            "cycle" if each.code == "cycle" else "dangling",
            each.line,
            identifier if isinstance(identifier, str) else "",
            parent if isinstance(parent, str) else "",
        )


def _repeated(file: RecordFile) -> Iterable[RepeatedId]:
    entries = [record for record in file.records if record.value.get("type") != "session"]
    for identifier, lines in repeated_ids(entries).items():
        for line in lines[1:]:
            yield RepeatedId("record", identifier, lines[0], line)
