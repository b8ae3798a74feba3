"""Checkpoints in the entry of a store: the limit, odd records, where a copy may lie, names of branches."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentbrief.changes.entry_edits import entry_edits
from agentbrief.changes.store_text import edited
from agentbrief.checkpoints.listing import checkpoints_in
from agentbrief.checkpoints.openclaw_capture import ChangeMade, capture
from agentbrief.checkpoints.openclaw_restore import Copied, branch, read_copy
from agentbrief.checkpoints.openclaw_store import (
    FIELD,
    Place,
    StoreAsRead,
    StoreCheckpoint,
    checkpoints_of,
    find_checkpoint,
    with_checkpoint,
)
from agentbrief.disk.read import FileBytes, read_bytes
from agentbrief.disk.seam import FS
from agentbrief.sessions.store.entries import entry_of
from agentbrief.sessions.store.folder import StoreFolder, read_store_folder

HEADER = b'{"type":"session","version":3,"id":"s","timestamp":"2026-03-05T09:00:00.000Z","cwd":"/w"}\n'


def checkpoint(number: int, **more: Any) -> StoreCheckpoint:
    place = Place("s", f"/s/.agentbrief/checkpoints/c{number}.jsonl")
    return StoreCheckpoint(f"c{number}", "k", "s", number, "manual", place, Place("s"), **more)


def test_the_oldest_record_goes_and_what_is_no_record_stays() -> None:
    value: dict[str, Any] = {FIELD: ["odd", {"checkpointId": "no session"}], "label": "L"}
    dropped: list[str] = []
    for number in range(5):
        recorded = with_checkpoint(value, checkpoint(number), 3)
        value = recorded.value
        dropped += [gone.id for gone in recorded.dropped]
    assert dropped == ["c0", "c1"]
    assert value["label"] == "L"
    assert value[FIELD][:2] == ["odd", {"checkpointId": "no session"}]
    entry = entry_of("k", value)
    assert [found.id for found in checkpoints_of(entry)] == ["c4", "c3", "c2"]
    assert with_checkpoint({FIELD: 7}, checkpoint(1), 1).value[FIELD] == [checkpoint(1).record()]


def test_a_record_is_read_as_it_was_written() -> None:
    full = checkpoint(
        1, tokens_before=5, tokens_after=2, summary="S", first_kept_id="a", size=9, sha256="h", cause="asked"
    )
    value = with_checkpoint({}, full, 25).value
    (found,) = checkpoints_of(entry_of("k", value))
    assert found == full
    assert found.record() == full.record()
    odd: dict[str, Any] = {
        "checkpointId": "c",
        "sessionId": "s",
        "createdAt": float("nan"),
        "tokensBefore": True,
        "more": 1,
    }
    (found,) = checkpoints_of(entry_of("k", {FIELD: [odd]}))
    assert (found.created_ms, found.tokens_before, found.cause) == (0, None, "compaction")
    assert found.record() == odd


def lay_out(folder: Path, entry: dict[str, Any]) -> tuple[StoreAsRead, frozenset[str]]:
    (folder / "s.jsonl").write_bytes(HEADER)
    (folder / "sessions.json").write_text(json.dumps({"agent:Main:MAIN": entry}))
    roots = frozenset({str(folder.resolve())})
    found = read_store_folder(FS(), str(folder / "sessions.json"), "main", roots)
    assert isinstance(found, StoreFolder)
    return StoreAsRead(found, (folder / "sessions.json").read_bytes()), roots


@pytest.mark.parametrize(
    ("spelled", "sha256", "fault"),
    [
        ("/etc/passwd", None, "copy-missing"),
        ("../outside.jsonl", None, "copy-missing"),
        ("gone.jsonl", None, "copy-missing"),
        ("s.jsonl", "0" * 64, "copy-differs"),
        ("sessions.json", None, "copy-unreadable"),
        (" ", None, "checkpoint-not-found"),
        ("s.jsonl", None, None),
    ],
)
def test_which_copies_come_back(tmp_path: Path, spelled: str, sha256: str | None, fault: str | None) -> None:
    record = {
        "checkpointId": "c",
        "sessionId": "s",
        "preCompaction": {"sessionId": "s", "sessionFile": spelled},
        **({"sha256": sha256} if sha256 else {}),
    }
    store, roots = lay_out(tmp_path, {"sessionId": "s", FIELD: [record]})
    found = read_copy(FS(), roots, store, "agent:main:main", "c")
    if fault is None:
        assert isinstance(found, Copied)
    else:
        assert found == fault
    assert find_checkpoint(store.folder.store, "agent:main:main", "other") == "checkpoint-not-found"


@pytest.mark.parametrize(
    ("label", "expected"),
    [("L", "L (checkpoint)"), (" ", "Checkpoint branch"), (None, "Checkpoint branch")],
)
def test_the_name_of_a_branch(tmp_path: Path, label: str | None, expected: str) -> None:
    record = {
        "checkpointId": "c",
        "sessionId": "s",
        "tokensBefore": 12,
        "preCompaction": {"sessionFile": "s.jsonl"},
    }
    entry = {"sessionId": "s", FIELD: [record], "status": "running", "inputTokens": 3, "totalTokens": 9}
    store, roots = lay_out(tmp_path, entry if label is None else {**entry, "label": label})
    copied = read_copy(FS(), roots, store, "agent:main:main", "c")
    assert isinstance(copied, Copied)
    made = branch(store, copied, now_ms=7, new_uuid=lambda: "11111111-aaaa-4bbb-8ccc-000000000001")
    assert made.key == "agent:main:dashboard:11111111-aaaa-4bbb-8ccc-000000000001"
    assert made.entry["label"] == expected
    assert made.entry["parentSessionKey"] == "agent:Main:MAIN"
    assert (made.entry["totalTokens"], made.entry["totalTokensFresh"]) == (12, True)
    assert {"status", "inputTokens", FIELD}.isdisjoint(made.entry)


def test_copies_of_openclaw_are_never_put_away(tmp_path: Path) -> None:
    records = [
        {"checkpointId": "a", "sessionId": "s", "preCompaction": {"sessionFile": "s.checkpoint.a.jsonl"}},
        {
            "checkpointId": "b",
            "sessionId": "s",
            "preCompaction": {"sessionFile": ".agentbrief/checkpoints/b.jsonl"},
        },
    ]
    own = tmp_path / ".agentbrief" / "checkpoints"
    own.mkdir(parents=True)
    (own / "b.jsonl").write_bytes(HEADER)
    (tmp_path / "s.checkpoint.a.jsonl").write_bytes(HEADER)
    store, roots = lay_out(tmp_path, {"sessionId": "s", FIELD: records})
    entry = store.folder.store.entries[0]
    present = read_bytes(FS(), str(tmp_path / "s.jsonl"), roots, 1 << 20)
    assert isinstance(present, FileBytes)
    found = capture(
        store,
        entry,
        dict(entry.value),  # type: ignore[arg-type]
        present,
        ChangeMade(None, None),
        checkpoint_id="c",
        now_ms=1,
        most=1,
        stamp_at=lambda path: present.stamp if Path(path).exists() else None,
    )
    assert [Path(step.path).name for step in found.old_copies] == ["b.jsonl"]
    after = json.loads(edited(store.data, found.edit.edits).data)
    assert [record["checkpointId"] for record in after["agent:Main:MAIN"][FIELD]] == ["c"]
    assert checkpoints_in(FS(), str(tmp_path), roots).items == ()


def test_an_edit_of_a_store_is_laid_out_as_openclaw_does() -> None:
    data = b'{"a": {"x": 1}, "b": 2}'
    edits = entry_edits(data, {"a": {"x": [1, "\ud800"]}, "b": None, "c": {}})
    assert [edit.before for edit in edits] == [b'{"x": 1}', b"2", None]
    assert edits[0].after == b'{\n    "x": [\n      1,\n      "\\ud800"\n    ]\n  }'
    assert (edits[1].after, edits[2].after) == (None, b"{}")
