"""Plans carried out by ``changes``, laid out for the failing disk."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from agentbrief.changes.apply import Site, apply
from agentbrief.changes.openclaw_lock import OPENCLAW_LOCK
from agentbrief.changes.places import checkpoint_index, checkpoints_folder
from agentbrief.changes.steps import (
    AppendRecord,
    CopyVerified,
    EditStore,
    EntryEdit,
    FromTrash,
    MoveToTrash,
    RenameFile,
    ReplaceFile,
    Step,
)
from agentbrief.changes.trash import trash_items
from agentbrief.disk.folder import stamp_of
from agentbrief.disk.lock import Caller
from agentbrief.disk.read import real_roots
from agentbrief.disk.seam import FS
from agentbrief.disk.values import Stamp
from tests.disk.faults import Operation, Tree
from tests.disk.operations import across_devices

TRANSCRIPT = b"".join(b'{"id":"%d","big":%d}\r\n' % (number, 10**39 + number) for number in range(20))
COMPACTED = b'{"type":"summary"}\n' + TRANSCRIPT.split(b"\n", 15)[15]
FIRST = b'{"updatedAt": 1, "big": 123456789012345678901234567890}'
STORE = b'{\n  "a" : ' + FIRST + b',\n\t"b":{"x":"\\u2028"},"c": 1e400 }\n'
STORE_EDITED = b'{\n  "a" : {"updatedAt": 2},"c": 1e400 }\n'


def there(path: Path) -> Stamp:
    found = stamp_of(FS(), str(path))
    assert found is not None
    return found


def seen(found: Tree) -> Tree:
    """A tree without empty folders, lock files, and the manifest of the trash, which logs attempts too."""
    files = {path: data for path, data in found.items() if data is not None}
    return {path: data for path, data in files.items() if not path.endswith(("manifest.jsonl", ".lock"))}


def planned(
    name: str,
    files: dict[str, bytes],
    steps: Callable[[Path], list[Step]],
    after: Callable[[Tree], Tree],
    *,
    beside: tuple[str, ...] = (),
    across: bool = False,
    between: Callable[[Tree], list[Tree]] = lambda before: [],
    power: Callable[[Tree], list[Tree]] = lambda before: [],
    appended: tuple[tuple[str, bytes], ...] = (),
) -> Operation:
    """An operation that applies ``steps``.

    In the states ``between`` a crash may leave its files, in those of ``power`` a power failure. What follows
    the known start of a file in ``appended`` may be anything after one: a line that is reported.
    """

    def prepare(folder: Path) -> None:
        for path, data in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_bytes(data)

    def run(fs: FS, folder: Path, caller: Caller) -> None:
        disk = across_devices(fs) if across else fs
        paths = tuple(str(folder / path) for path in beside)
        apply(Site(disk, str(folder), caller, beside=paths, lock_format=OPENCLAW_LOCK), steps(folder))

    def again(fs: FS, folder: Path, caller: Caller) -> None:
        paths = tuple(str(folder / path) for path in beside)
        site = Site(fs, str(folder), caller, beside=paths, lock_format=OPENCLAW_LOCK)
        apply(site, [AppendRecord(str(folder / "log.jsonl"), b"{}")])

    def is_after(before: Tree, found: Tree) -> bool:
        return seen(found) == seen(after(before))

    def without_tails(found: Tree) -> Tree:
        kept = seen(found)
        for path, start in appended:
            if (kept.get(path) or b"").startswith(start):
                kept.pop(path, None)
        return kept

    def is_power_state(before: Tree, found: Tree) -> bool:
        states = [before, after(before), *between(before), *power(before)]
        return without_tails(found) in [without_tails(state) for state in states]

    return Operation(
        name,
        prepare,
        run,
        is_power_state=is_power_state,
        is_after=is_after,
        is_untouched=lambda before, found: seen(found) == seen(before),
        is_crash_state=lambda before, found: any(seen(found) == seen(state) for state in between(before)),
        again=again,
        is_healed=lambda before, found: found.get("log.jsonl") == b"{}\n",
    )


def _compact(folder: Path) -> list[Step]:
    path = folder / "s.jsonl"
    copy = checkpoints_folder(str(folder)) + "/1.jsonl"
    stamp = there(path)
    return [
        ReplaceFile(str(path), COMPACTED, stamp),
        AppendRecord(checkpoint_index(str(folder)), b'{"id":"1"}'),
        CopyVerified(str(path), copy, stamp),
    ]


_COPY = {".agentbrief/checkpoints/1.jsonl": TRANSCRIPT}
_INDEX = {".agentbrief/checkpoints/index.jsonl": b'{"id":"1"}\n'}


def _compaction_states(before: Tree) -> list[Tree]:
    compacted = {**before, **_COPY, "s.jsonl": COMPACTED}
    states: list[Tree] = [{**before, **_COPY}, compacted]
    for size in range(12):
        index = {".agentbrief/checkpoints/index.jsonl": b'{"id":"1"}\n'[:size]}
        states += [{**compacted, **index}, {**before, **index}]
    return states


def _edit(folder: Path) -> list[Step]:
    path = folder / "sessions.json"
    edits = (
        EntryEdit("a", FIRST, b'{"updatedAt": 2}'),
        EntryEdit("b", b'{"x":"\\u2028"}', None),
    )
    return [EditStore(str(path), edits, there(path))]


def _trashed(before: Tree) -> Tree:
    day = ".agentbrief/trash/2026-11-30"
    return {
        **{path: data for path, data in before.items() if path not in ("a.jsonl", "b.jsonl")},
        f"{day}/a.jsonl": before["a.jsonl"],
        f"{day}/b.jsonl": before["b.jsonl"],
    }


def _trash_states(across: bool) -> Callable[[Tree], list[Tree]]:
    def states(before: Tree) -> list[Tree]:
        one = {key: data for key, data in _trashed(before).items() if not key.endswith("/b.jsonl")}
        one["b.jsonl"] = before["b.jsonl"]
        both = {**one, "a.jsonl": before["a.jsonl"]}
        all_but = {**_trashed(before), "b.jsonl": before["b.jsonl"]}
        return [one, both, all_but] if across else [one]

    return states


def _restore(folder: Path) -> list[Step]:
    (item,) = trash_items(FS(), str(folder), real_roots(FS(), (str(folder),)))
    return [FromTrash(item.trashed, str(folder / "a.jsonl"), item.stamp)]


_IN_TRASH = ".agentbrief/trash/2026-11-20/a.jsonl"
_TWO = {"a.jsonl": TRANSCRIPT, "b.jsonl": b"{}\n", "sessions.json": STORE}

OPERATIONS = (
    planned(
        "compaction",
        {"s.jsonl": TRANSCRIPT},
        _compact,
        lambda before: {**before, **_COPY, **_INDEX, "s.jsonl": COMPACTED},
        between=_compaction_states,
        appended=((".agentbrief/checkpoints/index.jsonl", b""),),
    ),
    planned(
        "checkpoint",
        {"s.jsonl": TRANSCRIPT},
        lambda folder: _compact(folder)[1:],
        lambda before: {**before, **_COPY, **_INDEX},
        between=lambda before: [{**state, **before} for state in _compaction_states(before)],
        appended=((".agentbrief/checkpoints/index.jsonl", b""),),
    ),
    planned(
        "save",
        {},
        lambda folder: [ReplaceFile(str(folder / "new.json"), TRANSCRIPT, None)],
        lambda before: {**before, "new.json": TRANSCRIPT},
    ),
    planned(
        "store update",
        {"sessions.json": STORE},
        _edit,
        lambda before: {**before, "sessions.json": STORE_EDITED},
    ),
    planned(
        "store update beside OpenClaw",
        {"sessions.json": STORE, "s.jsonl": TRANSCRIPT},
        lambda folder: [
            *_edit(folder),
            AppendRecord(str(folder / "s.jsonl"), b'{"id":"n"}', there(folder / "s.jsonl")),
        ],
        lambda before: {
            **before,
            "sessions.json": STORE_EDITED,
            "s.jsonl": TRANSCRIPT + b'{"id":"n"}\n',
        },
        beside=("sessions.json", "s.jsonl"),
        between=lambda before: [
            {**before, "sessions.json": store, "s.jsonl": TRANSCRIPT + b'{"id":"n"}\n'[:size]}
            for size in range(12)
            for store in (STORE, STORE_EDITED)
        ],
        appended=(("s.jsonl", TRANSCRIPT),),
    ),
    planned(
        "trash",
        _TWO,
        lambda folder: [
            MoveToTrash(str(folder / name), there(folder / name), "two words")
            for name in ("a.jsonl", "b.jsonl")
        ],
        _trashed,
        between=_trash_states(False),
        power=_trash_states(True),
    ),
    planned(
        "trash on another device",
        _TWO,
        lambda folder: [
            MoveToTrash(str(folder / name), there(folder / name), "two words")
            for name in ("a.jsonl", "b.jsonl")
        ],
        _trashed,
        across=True,
        between=_trash_states(True),
    ),
    planned(
        "restore from the trash",
        {_IN_TRASH: TRANSCRIPT},
        _restore,
        lambda before: {"a.jsonl": TRANSCRIPT},
        power=lambda before: [{**before, "a.jsonl": TRANSCRIPT}],
    ),
    planned(
        "repair in a copy",
        {"s.jsonl": TRANSCRIPT},
        lambda folder: [
            CopyVerified(str(folder / "s.jsonl"), str(folder / "s.jsonl.bak"), there(folder / "s.jsonl")),
            ReplaceFile(str(folder / "s.repaired.jsonl"), COMPACTED, None),
            ReplaceFile(str(folder / "s.bad.jsonl"), b'{"line":1}\n', None),
        ],
        lambda before: {
            **before,
            "s.jsonl.bak": TRANSCRIPT,
            "s.repaired.jsonl": COMPACTED,
            "s.bad.jsonl": b'{"line":1}\n',
        },
        between=lambda before: [
            {**before, "s.jsonl.bak": TRANSCRIPT},
            {**before, "s.jsonl.bak": TRANSCRIPT, "s.repaired.jsonl": COMPACTED},
        ],
    ),
    planned(
        "archive under another name",
        {"s.jsonl": TRANSCRIPT},
        lambda folder: [
            RenameFile(str(folder / "s.jsonl"), str(folder / "s.jsonl.reset.1"), there(folder / "s.jsonl"))
        ],
        lambda before: {"s.jsonl.reset.1": TRANSCRIPT},
    ),
)
