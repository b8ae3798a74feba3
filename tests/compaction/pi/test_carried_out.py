"""A compaction of a session of OpenClaw or pi on the disk: as previewed, undone to the byte, brought back."""

from __future__ import annotations

import json
import uuid
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.changes.apply import Site, apply, undo
from agentbrief.changes.openclaw_lock import OPENCLAW_LOCK
from agentbrief.changes.receipt import Receipt
from agentbrief.changes.steps import AppendRecord, CopyVerified, Forward
from agentbrief.checkpoints.capture import Moment
from agentbrief.checkpoints.capture import capture as noted
from agentbrief.checkpoints.listing import checkpoints_in
from agentbrief.checkpoints.openclaw_capture import Captured, ChangeMade, capture
from agentbrief.checkpoints.openclaw_fork import ForkedBack, forked_back
from agentbrief.checkpoints.openclaw_restore import Copied, branch, read_copy, restore
from agentbrief.checkpoints.openclaw_store import StoreAsRead, checkpoints_of
from agentbrief.checkpoints.restore import copy_of
from agentbrief.compaction.pi.memory_notes import NotesFile, memory_notes
from agentbrief.compaction.pi.pi_plan import PiPlan, entry_value, with_notes, without_notes
from agentbrief.compaction.pi.rewrites import plan_last_lines, plan_replacement
from agentbrief.compaction.plan import with_steps_before
from agentbrief.disk.folder import stamp_of
from agentbrief.disk.read import FileBytes, read_bytes
from agentbrief.disk.seam import FS
from agentbrief.sessions.jsonl.records import read_records
from agentbrief.sessions.pi.context import context_of
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import PiTranscript
from agentbrief.sessions.store.folder import StoreFolder, read_store_folder
from tests.compaction.pi.random_sessions import EXAMPLES, KEEP_TOKENS, TRANSCRIPTS
from tests.compaction.pi.test_properties import DATA, job_of, planned, read
from tests.disk.faults import caller, scratch

KEY = "agent:main:main"
NOW = 1_796_000_000_000
ENTRY = {
    "sessionId": "s-1",
    "updatedAt": 5,
    "sessionFile": "s-1.jsonl",
    "compactionCount": 2,
    "inputTokens": 7,
}


def new_uuid() -> str:
    return str(uuid.uuid4())


class Sessions:
    """A state folder with one session, and a workspace beside it."""

    def __init__(self, root: Path, data: bytes) -> None:
        self.root = root
        self.fs = FS()
        self.folder = root / "agents" / "main" / "sessions"
        self.folder.mkdir(parents=True)
        (root / "workspace").mkdir()
        self.file = self.folder / "s-1.jsonl"
        self.file.write_bytes(data)
        self.store_file = self.folder / "sessions.json"
        other = '"agent:main:other": {"sessionId":"x", "big": 123456789012345678901234567890}'
        self.store_file.write_text(f'{{\n  "{KEY}": {json.dumps(ENTRY)},\n  {other}\n}}')
        self.roots = frozenset({str(root)})
        beside = (str(self.store_file), str(self.file))
        self.site = Site(
            self.fs, str(self.folder), caller(), self.roots, beside=beside, lock_format=OPENCLAW_LOCK
        )

    def present(self) -> FileBytes:
        return self.read(self.file)

    def read(self, path: Path) -> FileBytes:
        found = read_bytes(self.fs, str(path), self.roots, 1 << 24)
        assert isinstance(found, FileBytes)
        return found

    def store(self) -> StoreAsRead:
        folder = read_store_folder(self.fs, str(self.store_file), "main", self.roots)
        assert isinstance(folder, StoreFolder)
        return StoreAsRead(folder, self.store_file.read_bytes())

    def entry(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.store_file.read_bytes())[KEY]
        return found

    def plan(self, keep: int, *, with_memory: bool = False) -> PiPlan | None:
        """The plan as it is previewed: notes, copy, entry, the store's entry."""
        present = self.present()
        job = job_of(present.data, keep, "openclaw", path=present.path, stamp=present.stamp)
        plan = planned(job)
        if plan is None:
            return None
        if with_memory:
            file = NotesFile(str(self.root / "workspace" / "memory" / "2026-11-30.md"))
            plan = with_notes(plan, memory_notes(file, [], title="t", given="remember this"))
        captured = self.captured(plan, self.store())
        whole = with_steps_before(
            plan, (captured.copy,), captured.copy.target, (captured.edit, *captured.old_copies)
        )
        assert isinstance(whole, PiPlan)
        return whole

    def captured(self, plan: PiPlan, store: StoreAsRead) -> Captured:
        entry = store.folder.store.get(KEY)
        assert entry is not None
        change = ChangeMade(
            plan.leaf_before,
            plan.entry_id,
            plan.entry_id,
            plan.tokens_before,
            plan.tokens_after,
            plan.summary,
            plan.first_kept_id,
        )
        return capture(
            store,
            entry,
            entry_value(entry, plan, NOW),
            self.present(),
            change,
            checkpoint_id=new_uuid(),
            now_ms=NOW,
            most=DATA.summary.checkpoints,
            stamp_at=lambda path: stamp_of(self.fs, path),
        )

    def files(self) -> dict[str, bytes]:
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in self.root.rglob("*")
            if path.is_file() and ".agentbrief" not in str(path)
        }


def in_order(steps: tuple[Forward, ...]) -> list[Forward]:
    return sorted(steps, key=lambda step: not isinstance(step, CopyVerified))


def done(receipt: Receipt) -> list[Any]:
    return [each.step for each in receipt.done]


@settings(max_examples=EXAMPLES)
@given(TRANSCRIPTS, KEEP_TOKENS, st.booleans())
def test_what_was_previewed_is_done_and_undone_to_the_byte(data: bytes, keep: int, with_memory: bool) -> None:
    with scratch() as root:
        sessions = Sessions(root, data)
        before = sessions.files()
        plan = sessions.plan(keep, with_memory=with_memory)
        assert sessions.files() == before
        if plan is None:
            return
        receipt = apply(sessions.site, plan.steps)
        assert done(receipt) == in_order(plan.steps)
        assert receipt.left_out == ()
        assert sessions.file.stat().st_size == plan.bytes_after
        entry = sessions.entry()
        assert entry["compactionCount"] == 3
        assert entry["totalTokens"] == plan.tokens_after
        assert "inputTokens" not in entry
        assert ("memoryFlushCompactionCount" in entry) == with_memory
        assert ("workspace/memory/2026-11-30.md" in sessions.files()) == with_memory
        undo(sessions.site, receipt)
        assert sessions.files() == before


@settings(max_examples=EXAMPLES)
@given(TRANSCRIPTS, KEEP_TOKENS, st.booleans())
def test_a_restore_has_the_same_entry_lines_under_a_new_header(
    data: bytes, keep: int, as_branch: bool
) -> None:
    with scratch() as root:
        sessions = Sessions(root, data)
        plan = sessions.plan(keep)
        if plan is None:
            return
        apply(sessions.site, plan.steps)
        compacted = sessions.file.read_bytes()
        store = sessions.store()
        (checkpoint,) = checkpoints_of(store.folder.store.entries[0])
        known = checkpoints_in(sessions.fs, str(sessions.folder), sessions.roots)
        copied = read_copy(sessions.fs, sessions.roots, store, KEY, checkpoint.id, known)
        assert isinstance(copied, Copied)
        if as_branch:
            made = branch(store, copied, now_ms=NOW, new_uuid=new_uuid)
        else:
            made = restore(store, copied, sessions.present(), known, now_ms=NOW, new_uuid=new_uuid)
        before = sessions.files()
        receipt = apply(sessions.site, made.steps)
        assert done(receipt) == in_order(made.steps)
        assert sessions.file.read_bytes() == compacted
        new = (sessions.folder / made.transcript.name).read_bytes()
        assert entry_lines(new) == entry_lines(data)
        assert read(new).session_id == made.session_id
        entries = json.loads(sessions.store_file.read_bytes())
        assert entries[made.key]["sessionId"] == made.session_id
        assert ("compactionCheckpoints" in entries[made.key]) is not as_branch
        assert entries["agent:main:other"]["big"] == 123456789012345678901234567890
        undo(sessions.site, receipt)
        assert sessions.files() == before


@settings(max_examples=EXAMPLES // 2)
@given(TRANSCRIPTS)
def test_a_rewrite_is_undone_to_the_byte(data: bytes) -> None:
    with scratch() as root:
        sessions = Sessions(root, data)
        before = sessions.files()
        for number in range(2):
            present = sessions.present()
            replaced = plan_replacement(present.path, present.data, present.stamp)
            shortened = plan_last_lines(present.path, present.data, present.stamp, 3, NOW)
            steps = (replaced.steps, shortened.steps)[number]
            receipt = apply(sessions.site, steps)
            assert done(receipt) == in_order(steps)
            undo(sessions.site, receipt)
            assert sessions.files() == before


@settings(max_examples=EXAMPLES // 2)
@given(TRANSCRIPTS, KEEP_TOKENS)
def test_a_session_without_a_store_comes_back_as_a_new_file(data: bytes, keep: int) -> None:
    with scratch() as root:
        sessions = Sessions(root, data)
        plan = sessions.plan(keep)
        if plan is None:
            return
        folder, fs, roots = str(sessions.folder), sessions.fs, sessions.roots
        known = checkpoints_in(fs, folder, roots)
        present = sessions.present()
        kept = noted(known, present.path, present.stamp, "s-1", Moment(new_uuid(), "compaction", NOW, 1, 2))
        append = next(step for step in plan.steps if isinstance(step, AppendRecord))
        apply(sessions.site, (*kept.steps, append, *kept.later))
        known = checkpoints_in(fs, folder, roots)
        (item,) = known.of("s-1")
        copy = copy_of(fs, item, roots)
        assert isinstance(copy, FileBytes)
        made = forked_back(known, item, copy, sessions.present(), now_ms=NOW, new_uuid=new_uuid)
        assert isinstance(made, ForkedBack)
        apply(sessions.site, made.steps)
        assert entry_lines(Path(made.path).read_bytes()) == entry_lines(data)
        assert len(checkpoints_in(fs, folder, roots).of("s-1")) == 2


def test_notes_that_are_not_wanted_are_left_out() -> None:
    data = b"".join(
        json.dumps(record).encode() + b"\n"
        for record in (
            {"type": "session", "version": 3, "id": "s-1", "timestamp": "2026-03-05T09:00:00.000Z"},
            *(
                {
                    "type": "message",
                    "id": f"a{number}",
                    "parentId": f"a{number - 1}" if number else None,
                    "timestamp": "2026-03-05T10:00:00.000Z",
                    "message": {"role": "user", "content": "word " * 50},
                }
                for number in range(4)
            ),
        )
    )
    with scratch() as root:
        sessions = Sessions(root, data)
        plan = sessions.plan(60, with_memory=True)
        assert plan is not None
        assert plan.notes is not None
        bare = without_notes(plan)
        assert plan.notes.step not in bare.steps
        assert len(bare.steps) == len(plan.steps) - 1
        entry = sessions.store().folder.store.get(KEY)
        assert entry is not None
        assert "memoryFlushAt" not in entry_value(entry, bare, NOW)
        assert entry_value(entry, plan, NOW)["memoryFlushCompactionCount"] == 2


def entry_lines(data: bytes) -> list[bytes]:
    """The lines of the entries as they stand, without the header and what is no entry."""
    transcript = read_transcript(data)
    assert isinstance(transcript, PiTranscript)
    known = {entry.line for entry in transcript.tree.entries}
    assert context_of(transcript.tree, transcript.tree.leaf_id) is not None
    return [
        data[record.offset : record.offset + record.length]
        for record in read_records(data).records
        if record.line in known
    ]
