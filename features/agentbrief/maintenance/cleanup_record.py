"""What did a cleanup set out to do, so that it can be taken back after a restart too?

A record is written into the trash before the first step, beside a verified copy of the store. It says what
was planned; what came of it is seen in the folder: a file stands at one name or the other, a session is in
the store or not (reliability.md 7).
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from agentbrief.changes.places import day_of, trash_folder
from agentbrief.disk.values import Stamp
from agentbrief.jsonio import JsonValue, dumps, loads
from agentbrief.maintenance.values import PlanItem

_PREFIX = "cleanup-"
_COPY = ".store.json"
_RECORD = re.compile(r"cleanup-([0-9a-f]+)\.json")
_STORE_COPY = re.compile(r"cleanup-[0-9a-f]+\.store\.json")
_LABEL = re.compile(r"cleanup ([0-9a-f]+) ([a-z-]+)")
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Renaming:
    """A file that gets another name; ``size`` in bytes and ``mtime_ns`` tell it from any other."""

    old: str
    new: str
    size: int
    mtime_ns: int

    def is_done_to(self, stamp: Stamp) -> bool:
        """Whether a file with ``stamp`` is the one that was renamed."""
        return (stamp.size, stamp.mtime_ns) == (self.size, self.mtime_ns)


@dataclass(frozen=True, slots=True)
class CleanupRecord:
    """A cleanup: when (ms since 1970), in which store, and what it meant to do, by name.

    ``path`` is that of the record itself. ``dropped`` are keys of entries as the file spells them,
    ``copied`` copies of the store; sizes in bytes.
    """

    id: str
    path: str
    time_ms: int
    store: str
    dropped: tuple[str, ...] = ()
    renamed: tuple[Renaming, ...] = ()
    trashed: tuple[str, ...] = ()
    copied: tuple[str, ...] = ()
    size: int = 0

    @property
    def copy_path(self) -> str:
        """Where the copy of the store lies, if sessions were dropped."""
        return os.path.join(os.path.dirname(self.path), f"{_PREFIX}{self.id}{_COPY}")


def record_of(
    cleanup_id: str, folder: str, store_name: str, items: Iterable[PlanItem], now_ns: int
) -> CleanupRecord:
    """The record of a cleanup of the store in ``folder`` that will do ``items``."""
    items = tuple(items)
    day = os.path.join(trash_folder(folder), day_of(now_ns))
    return CleanupRecord(
        cleanup_id,
        os.path.join(day, f"{_PREFIX}{cleanup_id}.json"),
        now_ns // 1_000_000,
        store_name,
        tuple(key for item in items if item.action == "drop-entry" for key in _spellings(item)),
        tuple(
            Renaming(item.what, item.new_name or "", item.stamp.size, item.stamp.mtime_ns)
            for item in items
            if item.action == "archive" and item.stamp is not None
        ),
        tuple(item.what for item in items if item.action == "trash"),
        tuple(item.new_name or "" for item in items if item.action == "rotate"),
        sum(item.size for item in items if item.action == "trash"),
    )


def record_data(record: CleanupRecord) -> bytes:
    """``record`` as the bytes of its file."""
    value: JsonValue = {
        "version": _VERSION,
        "id": record.id,
        "time": record.time_ms,
        "store": record.store,
        "dropped": list(record.dropped),
        "renamed": [[each.old, each.new, each.size, each.mtime_ns] for each in record.renamed],
        "trashed": list(record.trashed),
        "copied": list(record.copied),
        "size": record.size,
    }
    return dumps(value) + b"\n"


def read_record(path: str, data: bytes) -> CleanupRecord | None:
    """The record that the file ``path`` holds; None if it is none, or names what lies elsewhere."""
    try:
        value = loads(data)
    except ValueError:
        return None
    named = record_id(os.path.basename(path))
    if not isinstance(value, dict) or named is None or value.get("id") != named:
        return None
    time_ms, store, size = value.get("time"), value.get("store"), value.get("size")
    if not isinstance(time_ms, int) or not isinstance(store, str) or not _is_name(store):
        return None
    return CleanupRecord(
        named,
        path,
        time_ms,
        store,
        _texts(value.get("dropped")),
        tuple(_renamings(value.get("renamed"))),
        tuple(filter(_is_name, _texts(value.get("trashed")))),
        tuple(filter(_is_name, _texts(value.get("copied")))),
        size if isinstance(size, int) else 0,
    )


def record_id(name: str) -> str | None:
    """The identifier of the cleanup whose record has the file name ``name``; None for another file."""
    found = _RECORD.fullmatch(name)
    return found[1] if found else None


def is_of_record(name: str) -> bool:
    """Whether ``name`` is that of a record or of its copy of the store."""
    return record_id(name) is not None or _STORE_COPY.fullmatch(name) is not None


def trash_label(cleanup_id: str, reason: str) -> str:
    """What is noted in the trash for a file that a cleanup moved there."""
    return f"cleanup {cleanup_id} {reason}"


def of_label(label: str) -> tuple[str, str] | None:
    """The cleanup and the reason that a label names; None for another label."""
    found = _LABEL.fullmatch(label)
    return (found[1], found[2]) if found else None


def _spellings(item: PlanItem) -> tuple[str, ...]:
    return tuple(item.entry.stored) if item.entry is not None else (item.what,)


def _renamings(value: JsonValue) -> Iterator[Renaming]:
    for each in value if isinstance(value, list) else ():
        match each:
            case [str(old), str(new), int(size), int(mtime_ns)] if _is_name(old) and _is_name(new):
                yield Renaming(old, new, size, mtime_ns)
            case _:
                pass


def _texts(value: JsonValue) -> tuple[str, ...]:
    return tuple(each for each in value if isinstance(each, str)) if isinstance(value, list) else ()


def _is_name(name: str) -> bool:
    return bool(name) and name not in (os.curdir, os.pardir) and not any(sign in name for sign in "/\\\0")
