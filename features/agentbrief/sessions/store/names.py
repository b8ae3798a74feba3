"""What is a file of a sessions folder, by its name?

Source: openclaw.md 3.2; openclaw/openclaw ``src/config/sessions/artifacts.ts``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from typing import Literal, cast

from agentbrief.sessions.times import iso_of

ArchiveReason = Literal["reset", "deleted", "bak"]

STORE_NAME = "sessions.json"
OURS = ".agentbrief"
"""How the names of our own files and folders begin."""

_ARCHIVE_END = re.compile(
    r"\.(reset|deleted|bak)\.([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}-[0-9]{2}-[0-9]{2})((?:\.[0-9]{3})?)Z\Z"
)
_PLAIN_ARCHIVE_END = re.compile(
    r"\.(reset|deleted|bak)\.((?!0000)[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])"
    r"T(?:[01][0-9]|2[0-3])-[0-5][0-9]-[0-5][0-9])\.[0-9]{3}Z\Z"
)
"""With a date that exists without a look at the calendar: no month has fewer than 28 days."""
_LONGEST_END = len(".deleted.2026-03-05T12-00-00.000Z")
_TO_THE_SECOND = len("2026-03-05T12-00-00")
_DATE_WITH_MILLISECONDS = slice(-len("2026-03-05T12-00-00.000Z"), -len(".000Z"))
_STORE_COPY = re.compile(r"sessions\.json\.bak\.[0-9]+")
_CHECKPOINT = re.compile(
    r".+\.checkpoint\.[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\.jsonl", re.IGNORECASE
)
_EPOCH = datetime(1970, 1, 1)
_MILLISECOND = timedelta(milliseconds=1)
_FIRST_MS = (datetime.min - _EPOCH) // _MILLISECOND


def stamp_text(now_ms: int) -> str:
    """The moment as names have it: ``2026-03-05T12-00-00.000Z``."""
    return iso_of(now_ms).replace(":", "-")


def archive_name(name: str, reason: ArchiveReason, now_ms: int) -> str:
    """The name under which the file ``name`` is put away."""
    return f"{name}.{reason}.{stamp_text(now_ms)}"


def archive_reason(name: str) -> ArchiveReason | None:
    """Why the file was put away; None where ``name`` is no archive's, or that of a copy of the store."""
    found = _archive(name)
    return cast("ArchiveReason", found[1]) if found is not None else None


def archive_time_ms(name: str, reason: ArchiveReason) -> int | None:
    """When a file was put away for ``reason``; None for another name, and for a date that does not exist."""
    found = _archive(name)
    return _time_ms(found) if found is not None and found[1] == reason else None


def archived_before(names: Iterable[str], limits_ms: Mapping[str, int]) -> list[str]:
    """Those of ``names`` whose files were put away before the limit for their reason."""
    # Dates in names are read as text first: they sort by time, and most of a folder is not that old.
    seconds = {
        reason: stamp_text(max(limit, _FIRST_MS))[:_TO_THE_SECOND] for reason, limit in limits_ms.items()
    }
    newest = max(seconds.values(), default="")
    found: list[str] = []
    for name in [name for name in names if name.endswith("Z")]:
        if name[-5:-4] == "." and name[_DATE_WITH_MILLISECONDS] > newest:
            continue
        plain = _PLAIN_ARCHIVE_END.search(name, max(1, len(name) - _LONGEST_END))
        if plain is not None and plain[2] != (limit := seconds.get(plain[1], "")):
            if plain[2] < limit:
                found.append(name)
            continue
        archive = _archive(name)
        put_away = None if archive is None or archive[1] not in limits_ms else _time_ms(archive)
        if archive is not None and put_away is not None and put_away < limits_ms[archive[1]]:
            found.append(name)
    return found


def is_archive(name: str) -> bool:
    """Whether ``name`` is that of an archive, a copy of the store among them."""
    return _archive(name) is not None if name.endswith("Z") else is_store_copy(name)


def is_store_copy(name: str) -> bool:
    """Whether ``name`` is that of a copy that OpenClaw made of the store."""
    return name.startswith(STORE_NAME) and _STORE_COPY.fullmatch(name) is not None


def is_checkpoint_copy(name: str) -> bool:
    """Whether ``name`` is that of a copy of a transcript that OpenClaw made before a compaction."""
    return ".checkpoint." in name.lower() and _CHECKPOINT.fullmatch(name) is not None


def is_transcript(name: str) -> bool:
    """Whether ``name`` is that of a transcript in use; a copy of one is none."""
    return (
        name.endswith(".jsonl")
        and name != ".jsonl"
        and not name.startswith(OURS)
        and not is_checkpoint_copy(name)
    )


def is_counted(name: str) -> bool:
    """Whether a file of that name counts for the size of the folder: all but locks and our own."""
    return not uncounted((name,))


def uncounted(names: Iterable[str]) -> list[str]:
    """Those of ``names`` whose files do not count for the size of the folder."""
    known = tuple(names)
    together = "\0".join(("", *known, ""))
    if ".lock\0" not in together and f"\0{OURS}" not in together:
        return []
    return [name for name in known if name.endswith(".lock") or name.startswith(OURS)]


def _archive(name: str) -> re.Match[str] | None:
    """The reason, the date to the second, and its milliseconds, of the name of an archive."""
    return _ARCHIVE_END.search(name, max(1, len(name) - _LONGEST_END)) if name.endswith("Z") else None


def _time_ms(archive: re.Match[str]) -> int | None:
    """The date in the name of an archive; None where it does not exist."""
    date, time = archive[2].split("T")
    try:
        at = datetime.fromisoformat(f"{date}T{time.replace('-', ':')}{archive[3]}")
    except ValueError:
        return None
    return (at - _EPOCH) // _MILLISECOND
