"""Begin another session where a transcript of pi or OpenClaw stands now; the transcript itself stays.

The path to the leaf goes into a new file beside it; in a store of OpenClaw the new session can get an entry
of its own (openclaw.md 4.9).
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Literal

from agentbrief.changes.apply import Site, apply
from agentbrief.changes.entry_edits import entry_edits
from agentbrief.changes.receipt import Receipt
from agentbrief.changes.steps import EditStore, ReplaceFile, Step
from agentbrief.disk.lock import Caller
from agentbrief.disk.read import Roots, read_bytes
from agentbrief.disk.seam import FS
from agentbrief.disk.values import ReadProblem
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.pi.append import NewUuid
from agentbrief.sessions.pi.fork import NewTranscript, branched_session
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import NoTranscript
from agentbrief.tasks.store.look import NOTHING_IN_USE, StoreLook, site_of, with_data

MAX_FORKED_BYTES = 256 << 20
"""The largest transcript that is forked: it is held in memory."""

WhyNotForked = Literal["not-read", "no-transcript", "no-entry", "newer-version", "key-taken", "database"]


@dataclass(frozen=True, slots=True)
class ForkPlan:
    """A fork. ``path`` is that of the new file, ``entries`` how many records it has besides its header.

    ``refused`` None = it may be made; ``detail`` is the word of the disk or of the reader.
    """

    source: str
    path: str = ""
    made: NewTranscript | None = None
    leaf_id: str | None = None
    entries: int = 0
    steps: tuple[Step, ...] = ()
    refused: WhyNotForked | None = None
    detail: str = ""


def planned_fork(
    fs: FS, path: str, readable: Roots, *, now_ms: int, new_uuid: NewUuid, leaf_id: str | None = None
) -> ForkPlan:
    """What a fork of the transcript at ``path`` would be, from ``leaf_id``; None: from its own leaf."""
    read = read_bytes(fs, path, readable, MAX_FORKED_BYTES)
    if read is None or isinstance(read, ReadProblem):
        return ForkPlan(path, refused="not-read", detail="missing" if read is None else read.kind)
    transcript = read_transcript(read.data)
    if isinstance(transcript, NoTranscript):
        return ForkPlan(path, refused="no-transcript", detail=transcript.code)
    if not transcript.writable:
        return ForkPlan(path, refused="newer-version", detail="newer-version")
    leaf = leaf_id or transcript.tree.leaf_id
    if leaf is not None and leaf not in transcript.tree.by_id:
        return ForkPlan(path, refused="no-entry", detail=leaf)
    made = branched_session(
        read.data,
        transcript,
        leaf,
        now_ms=now_ms,
        new_uuid=new_uuid,
        parent_session=read.real_path,
    )
    target = os.path.join(os.path.dirname(read.real_path), made.name)
    count = made.content.count(b"\n") - 1
    return ForkPlan(path, target, made, leaf, count, (ReplaceFile(target, made.content, None),))


def with_entry(fs: FS, plan: ForkPlan, look: StoreLook, key: str, now_ms: int) -> ForkPlan:
    """``plan`` with an entry ``key`` for the new session in the store that its file lies beside.

    Raises:
        Refused: the store cannot be read.
    """
    if plan.made is None:
        return plan
    look, data = with_data(fs, look, now_ms, NOTHING_IN_USE)
    if look.database is not None or look.folder.store_stamp is None:
        return ForkPlan(plan.source, refused="database")
    if look.folder.store.get(key) is not None:
        return ForkPlan(plan.source, refused="key-taken", detail=key)
    value: dict[str, JsonValue] = {
        "sessionId": plan.made.session_id,
        "updatedAt": now_ms,
        "systemSent": False,
        "abortedLastRun": False,
        "sessionFile": plan.path,
        "compactionCount": 0,
    }
    store = os.path.join(look.folder.real_folder, look.folder.store_name)
    edit = EditStore(store, entry_edits(data, {key: value}), look.folder.store_stamp)
    return ForkPlan(
        plan.source, plan.path, plan.made, plan.leaf_id, plan.entries, (*plan.steps, edit), None, ""
    )


def carry_out_fork(fs: FS, plan: ForkPlan, caller: Caller, look: StoreLook | None = None) -> Receipt:
    """The receipt of a fork; ``look`` is the store it is entered in, if it is.

    Raises:
        Refused: nothing was changed.
        ValueError: the plan was refused.
    """
    if plan.refused is not None:
        raise ValueError(plan.refused)
    if look is not None:
        return apply(site_of(fs, look.folder, caller), plan.steps)
    return apply(Site(fs, os.path.dirname(plan.path), caller), plan.steps)
