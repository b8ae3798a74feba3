"""S: a session told as a history, and its numbers as it grows, against decoding each line.

claude-code-log is used where ``pip install claude-code-log==1.7.0`` has put it: set ``CLAUDE_CODE_LOG`` to
its program.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from functools import partial
from itertools import count
from pathlib import Path

from agentbrief.disk.read import real_roots
from agentbrief.disk.seam import FS
from agentbrief.history.parts import LEVELS, Level
from agentbrief.jsonio import JsonValue
from agentbrief.messages import say
from agentbrief.tasks.sessions.history import TellingOptions, history_of
from agentbrief.tasks.sessions.read import NotASession, SessionFile, session_file
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.sessions.status import FollowedSession
from agentbrief.tasks.settings import Settings
from benchmarks.floors.decode_lines import decode
from benchmarks.goals import Goal, against
from benchmarks.inputs import Bench
from benchmarks.measure import by_turns, child, inside
from benchmarks.transcripts import append, bare_follower, many

MB = 10**6
TIME = "2026-01-02T00:00:00.000Z"


def area(bench: Bench) -> Iterator[Goal]:
    """Histories of 50 MB, and looks at a session of 50 MB that grows."""
    for kind in ("claude", "pi"):
        yield from history_goals(bench, kind)
    for kind in NEXT_ENTRIES:
        yield from live_goals(bench, kind)


def opened(path: Path) -> tuple[SessionsSetup, SessionFile]:
    """The session at ``path``, and what its tasks are given."""
    folder = str(path.parent)
    setup = SessionsSetup(FS(), (folder,), Settings(), folder, 0)
    file = session_file(setup.fs, str(path), real_roots(setup.fs, (folder,)))
    assert not isinstance(file, NotASession)
    return setup, file


def history_goals(bench: Bench, kind: str) -> Iterator[Goal]:
    path = named(bench, kind, 50 * MB)
    setup, file = opened(path)

    def told(level: Level) -> None:
        for _ in history_of(setup, file, TellingOptions(level, partial(say, "en"))):
            pass

    methods = {f"history, {level}": inside(partial(told, level)) for level in LEVELS}
    samples = by_turns({"orjson.loads a line": inside(lambda: decode(str(path))), **methods}, bench.rounds)
    for level in LEVELS:
        what = f"history of 50 MB, {kind}, {level}"
        yield against("S1", what, samples, f"history, {level}", "orjson.loads a line", None)
    root = Path(__file__).resolve().parents[1]
    env = {"PYTHONPATH": f"{root / 'server'}:{root / 'features'}", "HOME": str(path.parent)}
    start = [sys.executable, "-m", "agentbrief_server", "sessions"]
    history = [*start, "history", str(path)]
    methods = {
        "history": child(history, env=env),
        "of all": child([*history, "--level", "everything"], env=env),
    }
    if other := os.environ.get("CLAUDE_CODE_LOG"):
        target = str(bench.folder / "claude-code-log.md")
        command = [other, str(path), "--no-cache", "-f", "md", "-o", target]
        methods["claude-code-log"] = child(command, env={**env, "PATH": os.environ["PATH"]})
    samples = by_turns(methods, bench.rounds)
    peak = samples["of all"].median("peak")
    yield Goal("S1", f"memory of a history, {kind}", "60 MiB", f"{peak:.0f} MiB", peak / 60, 1.0)
    if kind != "claude":
        return
    if not other:
        yield Goal("S1", "history, against claude-code-log", note="no claude-code-log: set CLAUDE_CODE_LOG")
        return
    yield against("S1", "history, against claude-code-log", samples, "history", "claude-code-log", 0.1)
    yield against("S1", "everything, against claude-code-log", samples, "of all", "claude-code-log", None)


def live_goals(bench: Bench, kind: str) -> Iterator[Goal]:
    looks: dict[str, Callable[[], object]] = {}
    for name, size in (("5 MB", 5 * MB), ("50 MB", 50 * MB)):
        source = named(bench, kind, size)
        copy = source.with_name(f"{source.stem}-growing.jsonl")
        shutil.copyfile(source, copy)
        looks[name] = grown(copy, kind)
    bare = bench.folder / "bare-growing.jsonl"
    shutil.copyfile(named(bench, kind, 5 * MB), bare)
    looks["stat, pread, decode"] = bare_follower(str(bare))
    samples = by_turns({name: inside(many(look)) for name, look in looks.items()}, bench.rounds)
    yield against("S2", f"200 looks, {kind}, 5 MB", samples, "5 MB", "stat, pread, decode", None)
    yield against("S2", f"200 looks, {kind}, 50 MB to 5 MB", samples, "50 MB", "5 MB", 1.5)


def grown(path: Path, kind: str) -> Callable[[], object]:
    """Appends a message that follows the last entry, and looks at the numbers of the session."""
    setup, file = opened(path)
    followed = FollowedSession(file)
    followed.look(setup)
    with path.open("rb") as written:
        written.seek(-min(1_000_000, path.stat().st_size), os.SEEK_END)
        last = json.loads(written.read().rstrip().rpartition(b"\n")[2])
    entry = NEXT_ENTRIES[kind]
    parent = last.get("uuid") or last.get("id")
    numbers = count()

    def look() -> object:
        nonlocal parent
        own = f"next-{next(numbers)}"
        append(str(path), json.dumps(entry(own, parent), separators=(",", ":")).encode() + b"\n")
        parent = own
        found = followed.look(setup)
        assert found is not None
        assert not found.from_start
        assert found.added
        return found

    return look


def _claude(own: str, parent: str) -> JsonValue:
    message: JsonValue = {"role": "user", "content": "one more"}
    links: dict[str, JsonValue] = {"uuid": own, "parentUuid": parent, "isSidechain": False}
    return {"type": "user", **links, "timestamp": TIME, "message": message}


def _pi(own: str, parent: str) -> JsonValue:
    message: JsonValue = {"role": "user", "content": [{"type": "text", "text": "one more"}]}
    return {"type": "message", "id": own, "parentId": parent, "timestamp": TIME, "message": message}


def _codex(own: str, parent: str) -> JsonValue:
    content: JsonValue = [{"type": "input_text", "text": "one more"}]
    payload: JsonValue = {"type": "message", "role": "user", "content": content}
    return {"timestamp": TIME, "type": "response_item", "payload": payload}


NEXT_ENTRIES: dict[str, Callable[[str, str], JsonValue]] = {"claude": _claude, "pi": _pi, "codex": _codex}
"""For each kind the entry with an identifier that follows another."""


def named(bench: Bench, kind: str, size: int) -> Path:
    """The transcript under a name that is a session's."""
    return bench.made(f"{kind}-{size}.jsonl", partial(shutil.copyfile, bench.transcript(kind, size)))
