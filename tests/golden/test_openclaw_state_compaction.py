"""The recorded operations around a compaction: checkpoints, replaced transcripts, summaries of a provider."""

from __future__ import annotations

import json
import uuid
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from agentbrief.changes.apply import Site, apply
from agentbrief.changes.openclaw_lock import OPENCLAW_LOCK
from agentbrief.changes.steps import AppendRecord, Step
from agentbrief.checkpoints.listing import checkpoints_in
from agentbrief.checkpoints.openclaw_capture import Captured, ChangeMade, capture
from agentbrief.checkpoints.openclaw_restore import Copied, branch, read_copy, restore
from agentbrief.checkpoints.openclaw_store import (
    Reason,
    StoreAsRead,
    checkpoints_of,
    find_checkpoint,
)
from agentbrief.compaction.pi.replacement import replacement
from agentbrief.disk.folder import stamp_of
from agentbrief.disk.lock import Caller
from agentbrief.disk.read import FileBytes, read_bytes
from agentbrief.disk.seam import FS
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.pi.append import append_entry
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import PiTranscript
from agentbrief.sessions.store.folder import StoreFolder, read_store_folder
from tests.data_folders import is_own
from tests.golden.openclaw_cases import (
    FOLDER,
    Case,
    assert_lines_match,
    assert_matches,
    build,
    cases,
    file_text,
    in_place,
    openclaw_data,
    text_of,
)

DATA = openclaw_data()
SESSIONS = "agents/main/sessions"
STORE = f"{SESSIONS}/sessions.json"


def new_uuid() -> str:
    return str(uuid.uuid4())


class State:
    """A state folder of a case, in which plans are carried out under the locks."""

    def __init__(self, case: Case, root: Path) -> None:
        self.case = case
        self.root = root.resolve()
        self.fs = FS()
        self.roots = frozenset({str(self.root)})
        files = in_place(case.input["files"], {"dir": str(self.root), "state": str(self.root)})
        build(self.root, files, case.now)
        self.before = {name: text_of(content) for name, content in files.items()}
        self.sessions = self.root / SESSIONS

    def store(self) -> StoreAsRead:
        path = self.root / STORE
        folder = read_store_folder(self.fs, str(path), "main", self.roots)
        assert isinstance(folder, StoreFolder)
        return StoreAsRead(folder, path.read_bytes())

    def read(self, path: Path) -> FileBytes:
        found = read_bytes(self.fs, str(path), self.roots, 1 << 20)
        assert isinstance(found, FileBytes)
        return found

    def apply(self, steps: tuple[Step, ...], now: int) -> None:
        caller = Caller(1, lambda: now * 1_000_000, lambda seconds: None)
        beside = (str(self.root / STORE),)
        site = Site(self.fs, str(self.sessions), caller, beside=beside, lock_format=OPENCLAW_LOCK)
        receipt = apply(site, steps)
        assert not receipt.left_out
        assert not any(done.left_out for done in receipt.done)

    def check(self, known: dict[str, str]) -> None:
        """Compare the folder with what the case wants of it; names of ours count where it names them."""
        wanted: dict[str, Any] = self.case.wanted.get("filesAfter", dict.fromkeys(self.before, "<unchanged>"))
        names = {spelled(name, known): name for name in wanted}
        found = {path.relative_to(self.root).as_posix() for path in self.root.rglob("*") if path.is_file()}
        assert {name for name in found if "/.agentbrief" not in name or name in names} == set(names)
        for name, written in names.items():
            content = (self.root / name).read_bytes()
            if wanted[written] == "<unchanged>":
                assert content.decode("utf-8") == self.before[name]
            elif isinstance(wanted[written], dict):
                assert_matches(json.loads(content), wanted[written], known)
            else:
                assert_lines_match(content, wanted[written], "\n".join(self.before.values()), known)


def spelled(name: str, known: dict[str, str]) -> str:
    for mark, value in known.items():
        name = name.replace(f"<{mark}>", value)
    return name


def compacted(state: State, number: int, reason: Reason) -> Captured:
    """One compaction of a case: an entry is appended, with a checkpoint before it."""
    now = state.case.now + number
    store = state.store()
    entry = store.folder.store.entries[0]
    present = state.read(state.sessions / store.folder.files_of(entry)[0])
    transcript = read_transcript(present.data)
    assert isinstance(transcript, PiTranscript)
    fields: dict[str, JsonValue] = {
        "summary": f"SUMMARY {number}",
        "firstKeptEntryId": "aa000001",
        "tokensBefore": 1000 + number,
    }
    appended = append_entry(transcript, "compaction", fields, time_ms=now, new_uuid=new_uuid)
    change = ChangeMade(
        transcript.tree.leaf_id,
        appended.entry.id,
        appended.entry.id,
        1000 + number,
        100,
        f"SUMMARY {number}",
        "aa000001",
    )
    assert isinstance(entry.value, dict)
    found = capture(
        store,
        entry,
        {**entry.value, "updatedAt": entry.touched_ms(now)},
        present,
        change,
        checkpoint_id=new_uuid(),
        now_ms=now,
        most=DATA.summary.checkpoints,
        stamp_at=lambda path: stamp_of(state.fs, path),
        reason=reason,
    )
    append = AppendRecord(present.path, appended.text.rstrip(b"\n"), present.stamp)
    state.apply(found.around(append), now)
    return found


REASONS: dict[str | None, Reason] = {
    "overflow": "overflow-retry",
    "manual": "manual",
    "timeout": "timeout-retry",
}


@pytest.mark.parametrize("case", cases("state", {"checkpoint_capture"}), ids=str)
def test_each_compaction_leaves_a_checkpoint(case: Case, tmp_path: Path) -> None:
    state = State(case, tmp_path)
    request = case.input["request"]
    reason = REASONS.get(request.get("trigger"), "auto-threshold")
    made = [compacted(state, number, reason) for number in range(request["n"])]
    listed = checkpoints_of(state.store().folder.store.entries[0])
    numbers = {captured.checkpoint.id: number for number, captured in enumerate(made)}
    known = {"dir": str(state.root)}
    found = {
        "out": [
            {
                "reason": captured.checkpoint.reason,
                "pre": captured.checkpoint.before.record(),
                "post": captured.checkpoint.after.record(),
                "createdAt": captured.checkpoint.created_ms,
            }
            for captured in made
        ],
        "stored": len(listed),
        "oldest": numbers[listed[-1].id],
        "listOrder": [numbers[checkpoint.id] for checkpoint in listed[:3]],
    }
    assert_matches(found, case.wanted["result"], known)
    copies = list((state.sessions / ".agentbrief" / "checkpoints").iterdir())
    assert len(copies) == case.wanted.get("copies", request["n"])
    if "filesAfter" in case.wanted:
        state.check(known)


def listed(state: State, given: dict[str, Any]) -> dict[str, Any]:
    entry = state.store().folder.store.get(given["key"])
    if entry is None:
        return {"fault": "session-not-found"}
    records = [checkpoint.record() for checkpoint in checkpoints_of(entry)]
    return {"ok": True, "key": entry.key, "checkpoints": records}


def got(state: State, given: dict[str, Any]) -> dict[str, Any]:
    found = find_checkpoint(state.store().folder.store, given["key"], given.get("checkpointId") or "")
    if not isinstance(found, tuple):
        return {"fault": found}
    entry, checkpoint = found
    return {"ok": True, "key": entry.key, "checkpoint": checkpoint.record()}


def brought_back(state: State, given: dict[str, Any], *, as_branch: bool = False) -> dict[str, Any]:
    store = state.store()
    known = checkpoints_in(state.fs, str(state.sessions), state.roots)
    copied = read_copy(state.fs, state.roots, store, given["key"], given.get("checkpointId") or "", known)
    if not isinstance(copied, Copied):
        return {"fault": copied}
    names = store.folder.files_of(copied.entry)
    present = state.read(state.sessions / names[0]) if names else None
    if as_branch:
        made = branch(store, copied, now_ms=state.case.now, new_uuid=new_uuid)
    else:
        made = restore(store, copied, present, known, now_ms=state.case.now, new_uuid=new_uuid)
    state.apply(made.steps, state.case.now)
    if made.kept is not None and present is not None:
        assert Path(made.kept.path).read_bytes() == present.data
        again = checkpoints_in(state.fs, str(state.sessions), state.roots)
        back = read_copy(state.fs, state.roots, state.store(), made.key, made.kept.checkpoint.id, again)
        assert isinstance(back, Copied)
        assert back.data == present.data
    return {
        "ok": True,
        "key": made.key,
        "sourceKey": made.source_key,
        "sessionId": made.session_id,
        "checkpoint": made.checkpoint.record(),
        "entry": made.entry,
    }


METHODS: dict[str, Callable[[State, dict[str, Any]], dict[str, Any]]] = {
    "sessions.compaction.list": listed,
    "sessions.compaction.get": got,
    "sessions.compaction.restore": brought_back,
    "sessions.compaction.branch": lambda state, given: brought_back(state, given, as_branch=True),
}
FAULTS = {
    "copy-missing": ("UNAVAILABLE", "snapshot transcript is missing"),
    "checkpoint-not-found": ("INVALID_REQUEST", "checkpoint not found"),
    "session-not-found": ("INVALID_REQUEST", "session not found"),
    "id-missing": ("INVALID_REQUEST", "checkpointId required"),
}


def on_checkpoints(case: Case) -> bool:
    return all(method in METHODS for method, _ in case.input["request"])


@pytest.mark.parametrize("case", [case for case in cases("state", {"rpc"}) if on_checkpoints(case)], ids=str)
def test_commands_on_checkpoints(case: Case, tmp_path: Path) -> None:
    state = State(case, tmp_path)
    known = {"dir": str(state.root)}
    for (method, given), wanted in zip(case.input["request"], case.wanted["result"], strict=True):
        found = METHODS[method](state, given)
        if wanted["ok"]:
            assert_matches(found, wanted["payload"], known)
        else:
            code, words = FAULTS[found["fault"]]
            assert wanted["error"]["code"] == code
            assert words in wanted["error"]["message"] or not is_own(FOLDER)
    state.check(known)


@pytest.mark.parametrize("case", cases("state", {"truncate"}), ids=str)
def test_summarised_messages_are_taken_out(case: Case) -> None:
    before = file_text(case.input["files"].get("s.jsonl", ""))
    found = replacement(before.encode("utf-8"))
    assert_matches(found.record(), case.wanted["result"])
    after = case.wanted.get("filesAfter", {}).get("s.jsonl")
    if found.content is None:
        assert after in (None, "<unchanged>", before)
        assert case.wanted["result"]["truncated"] is False
    else:
        assert_lines_match(found.content, after, before)
