"""Folders of session stores as values, made up for tests; nothing lies on a disk."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from agentbrief.disk.folder import Entry
from agentbrief.maintenance.values import Guard, MaintenancePlan
from agentbrief.sessions.store.entries import store_of
from agentbrief.sessions.store.folder import StoreFolder
from agentbrief.sessions.store.names import archive_name

NOW = 1_772_712_000_000
MINUTE = 60 * 1000
HOUR = 60 * MINUTE
DAY = 24 * HOUR


def file(name: str, size: int = 100, age_ms: int = HOUR, ino: int = 1) -> Entry:
    return Entry(name, "file", 1, ino, size, (NOW - age_ms) * 1_000_000)


def folder(store: dict[str, Any], *files: Entry, store_size: int = 300) -> StoreFolder:
    """The store, and the files beside it."""
    found = (file("sessions.json", store_size), *files)
    names = tuple(sorted(entry.name for entry in found))
    return StoreFolder("main", "/s", "/s", "sessions.json", store_of(store), found[0].stamp, found, names)


def transcript_names(store: dict[str, Any]) -> list[str]:
    return [f"{entry['sessionId']}.jsonl" for entry in store.values() if "sessionId" in entry]


AGES = st.integers(0, 80 * DAY)
IDS = st.sampled_from(["a", "b"])


@st.composite
def stores(draw: st.DrawFn) -> dict[str, Any]:
    keys = draw(st.lists(st.sampled_from([f"agent:main:k{n}" for n in range(8)]), unique=True))
    store: dict[str, Any] = {}
    for key in keys:
        entry: dict[str, Any] = {"sessionId": draw(IDS)}
        if draw(st.integers(0, 3)):
            entry["updatedAt"] = NOW - draw(AGES)
        if draw(st.integers(0, 6)) == 6:
            entry["status"] = "running"
        if draw(st.integers(0, 6)) == 6:
            entry["sessionFile"] = draw(st.sampled_from(["x.jsonl", "a.jsonl", "/etc/passwd", "../up.jsonl"]))
        store[key] = entry
    return store


NAMES = (
    *(f"{name}.jsonl" for name in "abcxyz"),
    "a-topic-1.jsonl",
    "notes.txt",
    "a.jsonl.lock",
    ".agentbrief.lock",
    *(f"sessions.json.bak.{number}" for number in range(1, 5)),
    archive_name("q.jsonl", "deleted", NOW - 40 * DAY),
    archive_name("r.jsonl", "reset", NOW - 40 * DAY),
    archive_name("s.jsonl", "deleted", NOW - DAY),
)
FILE_AGES = st.sampled_from([HOUR, 2 * HOUR, DAY, 2 * DAY, 50 * DAY, 60 * DAY, 0, -HOUR])


@st.composite
def folders(draw: st.DrawFn) -> StoreFolder:
    there = draw(st.lists(st.booleans(), min_size=len(NAMES), max_size=len(NAMES)))
    files = [
        file(name, draw(st.integers(0, 5000)), draw(FILE_AGES), ino)
        for ino, (name, is_there) in enumerate(zip(NAMES, there, strict=True), 2)
        if is_there
    ]
    return folder(draw(stores()), *files, store_size=draw(st.integers(0, 20_000)))


@st.composite
def settings(draw: st.DrawFn) -> dict[str, Any]:
    found: dict[str, Any] = {}
    found["pruneAfter"] = draw(st.sampled_from(["0", "1h", "7d", 30]))
    if draw(st.booleans()):
        found["maxEntries"] = draw(st.integers(1, 8))
    if draw(st.booleans()):
        found["rotateBytes"] = draw(st.sampled_from([100, "5kb", "1mb"]))
    if draw(st.booleans()):
        found["resetArchiveRetention"] = draw(st.sampled_from([False, "1d"]))
    if draw(st.integers(0, 2)) == 2:
        found["maxDiskBytes"] = draw(st.integers(0, 20_000))
    if draw(st.booleans()):
        found["highWaterBytes"] = draw(st.integers(0, 20_000))
    return found


GUARDS = st.builds(
    Guard,
    active_key=st.sampled_from([None, "agent:main:k1", "AGENT:main:K2", None]),
    open_session_ids=st.sampled_from([frozenset[str](), frozenset[str](), frozenset({"b"})]),
    open_files=st.frozensets(st.sampled_from(["b.jsonl", "x.jsonl"]), max_size=1),
    locked_files=st.frozensets(st.sampled_from(["c.jsonl", "y.jsonl"]), max_size=1),
)


def after(plan: MaintenancePlan, before: StoreFolder) -> StoreFolder:
    """The folder once all items of the plan are carried out."""
    store = {
        key: value
        for entry in before.store.entries
        if plan.actions[entry.key] == "keep"
        for key, value in entry.stored.items()
    }
    changed = {item.what: item for item in plan.items if item.action != "drop-entry"}
    files: list[Entry] = []
    for entry in before.files[1:]:
        item = changed.get(entry.name)
        if item is None:
            files.append(entry)
        elif item.action == "archive":
            files.append(entry._replace(name=str(item.new_name)))
    for item in plan.items:
        if item.action == "rotate":
            files.append(file(str(item.new_name), item.size, 0))
    return folder(store, *files, store_size=before.files[0].stamp.size)
