"""Folders of session stores on a disk, made for tests, and what is in them."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agentbrief.disk.lock import Caller
from agentbrief.disk.seam import FS
from agentbrief.disk.values import ReadProblem
from agentbrief.maintenance.cleaned import Cleaned
from agentbrief.maintenance.values import CleanupChoices, MaintenancePlan
from agentbrief.sessions.store.names import archive_name
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.settings import Settings, parse
from agentbrief.tasks.store.cleanup import clean_up
from agentbrief.tasks.store.look import NOTHING_IN_USE, InUse, StoreLook, look_at
from agentbrief.tasks.store.place import StorePlace, store_at
from agentbrief.tasks.store.plan import StorePlan, plan_of
from tests.maintenance.folders import DAY, HOUR, MINUTE, NOW

ENFORCE = CleanupChoices(enforce=True)
DRY_RUN = CleanupChoices(dry_run=True)


def someone(now_ms: int = NOW, pid: int | None = None) -> Caller:
    """A caller whose clock stands still and whose pauses take no time."""
    return Caller(os.getpid() if pid is None else pid, lambda: now_ms * 1_000_000, lambda seconds: None)


def settings_with(**maintenance: Any) -> Settings:
    found, warnings = parse({"maintenance": maintenance})
    assert warnings == ()
    return found


def write(path: Path, data: bytes, age_ms: int = HOUR, now_ms: int = NOW) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    moment = (now_ms - age_ms) * 1_000_000
    os.utime(path, ns=(moment, moment))


def sessions_folder(root: Path, agent: str = "main") -> Path:
    return root / "state" / "agents" / agent / "sessions"


def transcript(session_id: str, parent: str | None = None) -> bytes:
    header: dict[str, Any] = {
        "type": "session",
        "version": 3,
        "id": session_id,
        "timestamp": "2026-01-01T00:00:00Z",
    }
    if parent is not None:
        header["parentSession"] = parent
    line = {"type": "message", "id": "a1", "parentId": None, "timestamp": "2026-01-01T00:00:01Z"}
    message = {"role": "user", "content": f"hello from {session_id}", "timestamp": 1}
    return json.dumps(header).encode() + b"\n" + json.dumps({**line, "message": message}).encode() + b"\n"


def aged_store(home: Path, now_ms: int, agent: str = "main", **sessions: int) -> Path:
    """The folder of a store in OpenClaw's place; its sessions have these ages in ms, as their transcripts."""
    folder = home / ".openclaw" / "agents" / agent / "sessions"
    store = {
        f"agent:{agent}:{name}": {"sessionId": name, "updatedAt": now_ms - age}
        for name, age in sessions.items()
    }
    write(folder / "sessions.json", json.dumps(store, indent=1).encode(), HOUR, now_ms)
    for name, age in sessions.items():
        write(folder / f"{name}.jsonl", transcript(name), max(age, 10 * MINUTE), now_ms)
    return folder


STORE_TEXT = (
    '{\n  "agent:main:main": { "sessionId": "new", "updatedAt": %d, "big": 12345678901234567890123 },\n'
    '\t"agent:main:old":{"sessionId":"old","updatedAt":%d,"sessionFile":"old.jsonl","x":1e400},\n'
    '  "agent:main:topic": {"sessionId": "t", "updatedAt": %d},\n'
    '  "agent:main:gone": {"sessionId": "gone", "updatedAt": %d}\n}\n'
)


def usual(root: Path) -> Path:
    """A store with two sessions that are too old, one of them with a topic, and archives of both kinds."""
    folder = sessions_folder(root)
    text = STORE_TEXT % (NOW - HOUR, NOW - 50 * DAY, NOW - 40 * DAY, NOW - DAY)
    write(folder / "sessions.json", text.encode())
    write(folder / "new.jsonl", transcript("new"))
    write(folder / "old.jsonl", transcript("old"), 50 * DAY)
    write(folder / "t.jsonl", transcript("t"), 40 * DAY)
    write(folder / "t-topic-7.jsonl", transcript("t"), 40 * DAY)
    write(folder / archive_name("q.jsonl", "deleted", NOW - 40 * DAY), b"q\n", 40 * DAY)
    write(folder / archive_name("r.jsonl", "reset", NOW - DAY), b"r\n", DAY)
    write(folder / "loose.jsonl", transcript("loose"), 90 * DAY)
    write(folder / "notes.txt", b"mine", 90 * DAY)
    return folder


def place_of(folder: Path) -> StorePlace:
    setup = SessionsSetup(FS(), (), Settings(), "/nowhere", NOW)
    return store_at(setup, str(folder / "sessions.json"))


def look_of(
    folder: Path, now_ms: int = NOW, in_use: InUse = NOTHING_IN_USE, fs: FS | None = None
) -> StoreLook:
    found = look_at(fs or FS(), place_of(folder), now_ms, in_use)
    assert not isinstance(found, ReadProblem)
    return found


def planned(
    folder: Path,
    choices: CleanupChoices = ENFORCE,
    now_ms: int = NOW,
    in_use: InUse = NOTHING_IN_USE,
    **maintenance: Any,
) -> tuple[StorePlan, MaintenancePlan]:
    found = plan_of(look_of(folder, now_ms, in_use), settings_with(**maintenance), choices, now_ms)
    assert isinstance(found.plan, MaintenancePlan)
    return found, found.plan


def enforced(
    folder: Path,
    *,
    now_ms: int = NOW,
    in_use: InUse = NOTHING_IN_USE,
    fs: FS | None = None,
    meanwhile: Callable[[], object] = lambda: None,
    trash_days: int = 14,
    **maintenance: Any,
) -> Cleaned:
    """What came of a cleanup; ``meanwhile`` happens after the plan was made."""
    found, plan = planned(folder, ENFORCE, now_ms, in_use, **maintenance)
    meanwhile()
    return clean_up(fs or FS(), found.look, plan, someone(now_ms), trash_days=trash_days, in_use=in_use)


def contents(folder: Path) -> dict[str, bytes]:
    """The files of the user below ``folder``: what is ours is left out."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".agentbrief" not in path.relative_to(folder).parts[0]
    }


def times(folder: Path) -> dict[str, int]:
    """The modification times of the files of the user, in ns."""
    return {name: (folder / name).stat().st_mtime_ns for name in contents(folder)}
