"""T: the index of transcripts and the list of sessions, against decoding each line, and against ccusage.

ccusage is used where ``npm install ccusage@20.0.24`` has put it: set ``CCUSAGE`` to its program.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from agentbrief.disk.read import real_roots
from agentbrief.disk.seam import FS
from agentbrief.profiles.load import profile
from agentbrief.sessions.formats.claude_index import CLAUDE_INDEX
from agentbrief.sessions.formats.pi_index import PI_INDEX
from agentbrief.sessions.jsonl.index import TranscriptIndex
from agentbrief.sessions.jsonl.tail import Followed, follow
from agentbrief.sessions.listing import ListedSession, listed_sessions
from agentbrief.sessions.locations import transcripts
from benchmarks.floors.decode_lines import decode, lines_only
from benchmarks.goals import Goal, against
from benchmarks.inputs import Bench
from benchmarks.measure import Cost, Method, by_turns, child, inside

MB, GB = 10**6, 10**9
SESSIONS = 1_000
STORE_BYTES = 318 * MB
PROMPT = {"role": "user", "content": [{"type": "text", "text": "Fix the login redirect"}]}
APPENDED = (
    b'{"type":"message","id":"ffffffff","parentId":null,"timestamp":"2026-01-01T00:00:00.000Z",'
    b'"message":{"role":"user","content":[{"type":"text","text":"one more"}]}}\n'
)


def area(bench: Bench) -> Iterator[Goal]:
    """The goals T1 to T5."""
    yield from index_goals(bench, "pi", PI_INDEX)
    yield from index_goals(bench, "claude", CLAUDE_INDEX)
    yield from large_goals(bench)
    yield from follow_goals(bench)
    yield from list_goals(bench)
    yield damage_goal(bench)


def indexed(path: str, shape: object) -> TranscriptIndex[object]:
    """The index of a file, made as the server makes it."""
    fs = FS()
    found = follow(fs, path, real_roots(fs, (os.path.dirname(path),)), shape)  # type: ignore[arg-type]
    assert isinstance(found, Followed)
    return found.index


def held(work: Callable[[], object]) -> Method:
    """A method that does ``work``; what it made is given back after the clock has stopped."""
    kept: list[object] = []
    method = inside(lambda: kept.append(work()))

    def run() -> Cost:
        kept.clear()
        return method()

    return run


def index_goals(bench: Bench, kind: str, shape: object) -> Iterator[Goal]:
    path = str(bench.transcript(kind, 100 * MB))
    samples = by_turns(
        {
            "orjson.loads a line": inside(lambda: decode(path)),
            "json.loads a line": inside(lambda: decode(path, "stdlib")),
            "iterating lines": inside(lambda: lines_only(path)),
            "index": held(lambda: indexed(path, shape)),
        },
        bench.rounds,
    )
    what = f"index of 100 MB, {kind}"
    yield against("T1", what, samples, "index", "orjson.loads a line", 0.75)
    yield against("T1", f"{what}, against lines", samples, "index", "iterating lines", 8.0)
    yield against("T1", f"{what}, against stdlib", samples, "index", "json.loads a line", None)


INDEXING = """
import sys
sys.path[:0] = [sys.argv[1], sys.argv[2]]
from benchmarks.transcripts import indexed
from agentbrief.sessions.formats.pi_index import PI_INDEX
index = indexed(sys.argv[3], PI_INDEX)
"""


def large_goals(bench: Bench) -> Iterator[Goal]:
    path = bench.transcript("pi", GB)
    root = Path(__file__).resolve().parents[1]
    command = [sys.executable, "-c", INDEXING, str(root), str(root / "features"), str(path)]
    decoded = {
        "orjson.loads a line": inside(lambda: decode(str(path))),
        "index": held(lambda: indexed(str(path), PI_INDEX)),
    }
    samples = by_turns(decoded, min(bench.rounds, 3))
    yield against("T1", "index of 1 GB, pi", samples, "index", "orjson.loads a line", 0.75)
    peak = child(command)().peak
    yield Goal("T2", "memory of the index of 1 GB", "120 MiB", f"{peak:.0f} MiB", peak / 120, 1.0)
    methods = {
        "orjson.loads a line": child(
            [sys.executable, str(root / "benchmarks/floors/decode_lines.py"), str(path)]
        ),
        "index": child(command),
    }
    program = ccusage()
    home = path.with_name("pi-home-1GB")
    if program is not None:
        folder = home / ".pi/agent/sessions/--home-u-proj--"
        folder.mkdir(parents=True, exist_ok=True)
        place = folder / "2026-01-01T00-00-00-000Z_one.jsonl"
        if not place.exists():
            os.link(path, place)
        methods["ccusage pi"] = child([*program, "pi", "session", "--offline", "--json"], env=clean(home))
    samples = by_turns(methods, min(bench.rounds, 3))
    yield against("T2", "index of 1 GB, whole process", samples, "index", "orjson.loads a line", None)
    if program is None:
        yield Goal("T2", "index of 1 GB, against ccusage", note="no ccusage: set CCUSAGE")
        return
    yield against("T2", "index of 1 GB, against ccusage", samples, "index", "ccusage pi", 0.5, "wall")
    yield against("T2", "its memory", samples, "index", "ccusage pi", 0.12, "peak")


def follow_goals(bench: Bench) -> Iterator[Goal]:
    """An appended entry, against the bare stat, pread and decode of it; and with a large file."""
    fs = FS()
    looks: dict[str, Callable[[], object]] = {}
    for name, size in (("10 MB", 10 * MB), ("1 GB", GB)):
        source = bench.transcript("pi", size)
        copy = source.with_name(f"{source.name}-growing")
        if not copy.exists() or copy.stat().st_size < source.stat().st_size:
            shutil.copyfile(source, copy)
        looks[f"follow {name}"] = appender(fs, str(copy))
    bare_file = bench.folder / "bare-growing.jsonl"
    bare_file.write_bytes(APPENDED * 1000)
    looks["stat, pread, decode"] = bare_follower(str(bare_file))
    samples = by_turns({name: inside(many(look)) for name, look in looks.items()}, bench.rounds)
    yield against("T3", "200 appended entries, 10 MB", samples, "follow 10 MB", "stat, pread, decode", 3.0)
    yield against("T3", "200 appended entries, 1 GB to 10 MB", samples, "follow 1 GB", "follow 10 MB", 1.2)


def many(look: Callable[[], object]) -> Callable[[], None]:
    def work() -> None:
        for _ in range(200):
            look()

    return work


def appender(fs: FS, path: str) -> Callable[[], object]:
    """Appends an entry and looks at it; the index of what was there before is made once."""
    roots = real_roots(fs, (os.path.dirname(path),))
    state = follow(fs, path, roots, PI_INDEX)

    def look() -> object:
        nonlocal state
        append(path)
        assert isinstance(state, Followed)
        state = follow(fs, path, roots, PI_INDEX, state)
        assert isinstance(state, Followed)
        assert state.change == "grew"
        return state

    return look


def bare_follower(path: str) -> Callable[[], object]:
    import orjson

    offset = os.path.getsize(path)

    def look() -> object:
        nonlocal offset
        append(path)
        size = os.stat(path).st_size
        descriptor = os.open(path, os.O_RDONLY)
        data = os.pread(descriptor, size - offset, offset)
        os.close(descriptor)
        offset = size
        return orjson.loads(data)

    return look


def append(path: str, line: bytes = APPENDED) -> None:
    descriptor = os.open(path, os.O_WRONLY | os.O_APPEND)
    os.write(descriptor, line)
    os.close(descriptor)


def list_goals(bench: Bench) -> Iterator[Goal]:
    stores = {
        "prompt first": prompted(bench),
        "prompt far": bench.transcript("pi", STORE_BYTES, sessions=SESSIONS),
    }
    for name, store in stores.items():
        methods = list_methods(store)
        if program := ccusage():
            where = ["--pi-path", str(next(store.rglob("sessions")))]
            methods["ccusage pi"] = child(
                [*program, "pi", "session", "--offline", "--json", *where], env=clean(bench.folder)
            )
        samples = by_turns(methods, bench.rounds)
        what = f"list of {SESSIONS:,} sessions, {name}"
        if "ccusage pi" in samples:
            yield against("T4", what, samples, "list", "ccusage pi", 0.10, "wall")
        else:
            yield Goal("T4", what, note="no ccusage: set CCUSAGE")
        yield against("T4", f"{what}, again", samples, "list again", "stat", None)


def list_methods(store: Path) -> dict[str, Method]:
    known: dict[str, ListedSession] = {}
    return {
        "list": inside(lambda: listed(store)),
        "list again": inside(lambda: known.update(listed(store, known))),
        "stat": inside(lambda: [os.stat(path) for path in store.rglob("*.jsonl")]),
    }


def prompted(bench: Bench) -> Path:
    """The store with a typed prompt behind each header, as real sessions have it."""
    source = bench.transcript("pi", STORE_BYTES, sessions=SESSIONS)
    entry = {"type": "message", "id": "0", "parentId": None, "timestamp": "2026-01-01T00:00:00.000Z"}
    line = json.dumps({**entry, "message": PROMPT}, separators=(",", ":")).encode() + b"\n"

    def make(folder: Path) -> None:
        for path in source.rglob("*.jsonl"):
            header, _, rest = path.read_bytes().partition(b"\n")
            place = folder / path.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(header + b"\n" + line + rest)

    return bench.made(f"pi-{STORE_BYTES}-{SESSIONS}-prompted", make)


def listed(store: Path, known: dict[str, ListedSession] | None = None) -> dict[str, ListedSession]:
    data = profile("pi").sessions
    assert data is not None
    fs = FS()
    places = transcripts(fs, (str(store),), data)
    found = listed_sessions(fs, places, real_roots(fs, (str(store),)), "pi", known)
    assert len(found) == SESSIONS
    return {each.path: each for each in found}


def damage_goal(bench: Bench) -> Goal:
    clean_file = str(bench.transcript("claude", 100 * MB))
    damaged = str(bench.transcript("claude", 100 * MB, damage=0.01, torn=True))
    lost = len(indexed(damaged, CLAUDE_INDEX).bad_lines())
    samples = by_turns(
        {
            "clean file": held(lambda: indexed(clean_file, CLAUDE_INDEX)),
            "1 % damaged": held(lambda: indexed(damaged, CLAUDE_INDEX)),
        },
        bench.rounds,
    )
    note = f"{lost} lines lost"
    return against(
        "T5",
        "index, 1 % of the lines with half a character",
        samples,
        "1 % damaged",
        "clean file",
        1.2,
        note=note,
    )


def ccusage() -> list[str] | None:
    """The program of the peer."""
    program = os.environ.get("CCUSAGE") or shutil.which("ccusage")
    return [program] if program else None


def clean(home: Path) -> dict[str, str]:
    return {"HOME": str(home), "PATH": os.environ.get("PATH", os.defpath), "NO_COLOR": "1", "LANG": "C.UTF-8"}
