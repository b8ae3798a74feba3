"""Sessions of every format on a disk, and the tasks of compaction over them."""

from __future__ import annotations

import json
import os
import random
import time
import uuid
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import UTC
from pathlib import Path
from typing import Any

from agentbrief.compaction.layers import Clock
from agentbrief.compaction.providers.provider import CompactionProvider
from agentbrief.compaction.steering import RunningCompaction
from agentbrief.disk.lock import Caller
from agentbrief.disk.read import real_roots
from agentbrief.disk.seam import FS
from agentbrief.sessions.model import Message
from agentbrief.tasks.compaction.asked import CompactionAsked, Means
from agentbrief.tasks.compaction.plan import PlannedCompaction, plan_compaction
from agentbrief.tasks.sessions.read import SessionFile, session_file
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.settings import Settings
from tests.compaction.conversations import conversation, json_file, jsonl_file, port_file

NOW_MS = 1_796_000_000_000
KEY = "agent:main:main"
ENTRY: dict[str, Any] = {
    "sessionId": "s-1",
    "updatedAt": 5,
    "sessionFile": "s-1.jsonl",
    "compactionCount": 2,
    "inputTokens": 7,
    "totalTokens": 190_000,
}
OWN = ("claw-jsonl", "claw-json", "port")
TREES = ("pi", "openclaw", "openclaw-bare")
FORMATS = (*OWN, *TREES)


def caller() -> Caller:
    return Caller(os.getpid(), time.time_ns, time.sleep)


def means(
    running: dict[str, RunningCompaction] | None = None, now: Callable[[], int] = lambda: NOW_MS, **known: Any
) -> Means:
    providers: dict[str, CompactionProvider] = known
    return Means(
        Clock(now, 300_000), lambda: str(uuid.uuid4()), running if running is not None else {}, providers,
        host_zone=UTC,
    )  # fmt: skip


@dataclass
class Says:
    """A provider with an answer, or a sequence of them; ``asked`` is what it was given."""

    id: str
    answers: list[Any]
    reads_instructions: bool = True
    asked: list[tuple[Any, ...]] = field(default_factory=list)

    def summarize(self, messages: Iterable[Message], *more: Any) -> str:
        self.asked.append((list(messages), *more))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return str(answer(*more) if callable(answer) else answer)


class Sessions:
    """A home, a workspace and one session of the format ``kind`` in it."""

    def __init__(self, root: Path, kind: str, data: bytes, **settings: Any) -> None:
        self.root = root
        self.kind = kind
        self.workspace = root / "work"
        self.home = root / "home"
        self.workspace.mkdir()
        state = self.home / ".openclaw"
        (state / "workspace").mkdir(parents=True)
        places = {
            "claw-jsonl": self.workspace / ".claw" / "sessions" / "s.jsonl",
            "claw-json": self.workspace / ".claw" / "sessions" / "s.json",
            "port": self.workspace / ".port_sessions" / "s.json",
            "pi": self.home / ".pi" / "agent" / "sessions" / "--w--" / "2026-03-05T09-00-00-000Z_s-1.jsonl",
        }
        self.path = places.get(kind, state / "agents" / "main" / "sessions" / "s-1.jsonl")
        self.path.parent.mkdir(parents=True)
        self.path.write_bytes(data)
        os.utime(self.path, (NOW_MS / 1000 - 3600, NOW_MS / 1000 - 3600))
        self.store = self.path.with_name("sessions.json")
        if kind == "openclaw":
            other = '"agent:main:other": {"sessionId":"x", "big": 123456789012345678901234567890}'
            self.store.write_text(f'{{\n  "{KEY}": {json.dumps(ENTRY)},\n  {other}\n}}')
        values = Settings()
        for key, value in settings.items():
            values = values.replaced(key.replace("__", "."), value)
        self.setup = SessionsSetup(FS(), (str(self.workspace),), values, str(self.home), NOW_MS)

    @property
    def file(self) -> SessionFile:
        found = session_file(self.setup.fs, str(self.path), real_roots(self.setup.fs, (str(self.root),)))
        assert isinstance(found, SessionFile)
        return found

    def plan(self, asked: CompactionAsked, given: Means | None = None) -> PlannedCompaction:
        return plan_compaction(self.setup, self.file, asked, given or means())

    def entry(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.store.read_bytes())[KEY]
        return found

    def files(self, *, with_own: bool = False) -> dict[str, bytes]:
        """What lies below the root, our own files and locks left out."""
        return {
            str(path.relative_to(self.root)): path.read_bytes()
            for path in sorted(self.root.rglob("*"))
            if path.is_file() and (with_own or ".agentbrief" not in str(path))
        }


def random_data(kind: str, seed: int) -> bytes:
    """A random session of the format ``kind``, one of :data:`OWN`."""
    chance = random.Random(seed)
    values = conversation(chance, chance.randrange(3, 24))
    if kind == "port":
        return port_file(chance, values)
    return json_file(chance, values) if kind == "claw-json" else jsonl_file(chance, values)


def long_data(kind: str, count: int = 12, size: int = 400) -> bytes:
    """A plain session of ``count`` messages with ``size`` words each."""
    said = [
        (
            "user" if number % 2 == 0 else "assistant",
            f"message {number} about src/a{number}.ts " + "word " * size,
        )
        for number in range(count)
    ]
    if kind in TREES:
        return tree_data(said)
    values = [{"role": role, "blocks": [{"type": "text", "text": text}]} for role, text in said]
    chance = random.Random(1)
    if kind == "port":
        return port_file(chance, values)
    return json_file(chance, values) if kind == "claw-json" else jsonl_file(chance, values, odd=False)


def tree_data(said: Iterable[tuple[str, str]], **header: Any) -> bytes:
    """A transcript of pi of one path."""
    records: list[dict[str, Any]] = [
        {
            "type": "session",
            "version": 3,
            "id": "s-1",
            "timestamp": "2026-03-05T09:00:00.000Z",
            "cwd": "/w",
            **header,
        }
    ]
    for number, (role, text) in enumerate(said):
        content: Any = text if role == "user" else [{"type": "text", "text": text}]
        records.append(
            {
                "type": "message",
                "id": f"{number:08x}",
                "parentId": f"{number - 1:08x}" if number else None,
                "timestamp": "2026-03-05T10:00:00.000Z",
                "message": {"role": role, "content": content},
            }
        )
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)
