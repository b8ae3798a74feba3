"""How is the trash of a store told, and what came back of it?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from agentbrief.jsonio import JsonValue
from agentbrief.maintenance.cleaned import Restored, StoreTrash, TrashedCleanup
from agentbrief.messages import say
from agentbrief.messages.catalogue import sentences
from agentbrief.redact import escape_markdown, mask
from agentbrief.report.store_words import time_text
from agentbrief.report.table import cell, table
from agentbrief.rules.transcript_scene import size_text
from agentbrief.sessions.times import iso_of

_DAY_MS = 86_400_000


def trash_record(trash: StoreTrash, trash_days: int, locale: str) -> dict[str, JsonValue]:
    """The JSON of one store's trash. The title of a cleanup is for people."""
    files: list[JsonValue] = [
        {
            "id": file.id,
            "path": file.item.path,
            "trashed": file.item.trashed,
            "bytes": file.item.stamp.size,
            "time": iso_of(file.item.moved_ms) if file.item.moved_ms is not None else None,
            "expires": iso_of(file.item.moved_ms + trash_days * _DAY_MS)
            if file.item.moved_ms is not None
            else None,
            "reason": file.reason,
            "cleanup": file.cleanup,
        }
        for file in trash.files
    ]
    cleanups: list[JsonValue] = [
        {
            "id": each.record.id,
            "time": iso_of(each.record.time_ms),
            "sessions": each.sessions,
            "renamed": each.renamed,
            "files": each.files,
            "copies": each.copies,
            "title": cleanup_title(each, locale),
        }
        for each in trash.cleanups
    ]
    return {
        "agentId": trash.agent_id,
        "storePath": trash.path,
        "cleanups": cleanups,
        "items": files,
        "bytes": trash.size,
    }


def trash_lines(trash: StoreTrash, locale: str) -> Iterator[str]:
    """The lines for a terminal."""
    yield _title(trash, locale)
    for line in _cleanups(trash, locale):
        yield f"  {line}"
    for file in trash.files:
        when = time_text(file.item.moved_ms)
        words = (
            file.id,
            when,
            size_text(file.item.stamp.size),
            file.item.path or "–",
            _reason(file.reason, locale),
        )
        yield "  " + "  ".join(words).rstrip()


def trash_page(trashes: Sequence[StoreTrash], locale: str) -> str:
    """The page in Markdown."""
    parts = [f"# {say(locale, 'trash.page')}"]
    for trash in trashes:
        parts.append(_quiet(_title(trash, locale)))
        lines = [f"- {_quiet(line)}" for line in _cleanups(trash, locale)]
        if lines:
            parts.append("\n".join(lines))
        if trash.files:
            head = [say(locale, f"trash.column.{name}") for name in ("file", "time", "size", "why", "id")]
            rows = [
                [
                    cell(_quiet(text))
                    for text in (
                        file.name,
                        time_text(file.item.moved_ms),
                        size_text(file.item.stamp.size),
                        _reason(file.reason, locale),
                        file.id,
                    )
                ]
                for file in trash.files
            ]
            parts.append(table(head, rows, frozenset((2,))))
    if not trashes:
        parts.append(say(locale, "trash.none"))
    return "\n\n".join(parts) + "\n"


def choices_of(trash: StoreTrash, locale: str) -> Iterator[tuple[str, str]]:
    """What a person may bring back, newest first: its identifier, and the words for it."""
    for each, line in zip(trash.cleanups, _cleanups(trash, locale), strict=True):
        yield each.record.id, line
    for file in trash.files:
        yield file.id, f"{file.name} ({time_text(file.item.moved_ms)})"


def restored_record(restored: Restored) -> dict[str, JsonValue]:
    """What came back, as JSON."""
    return {
        "files": list(restored.files),
        "sessions": list(restored.keys),
        "copies": list(restored.copies),
        "leftOut": list(restored.left_out),
    }


def restored_lines(restored: Restored, locale: str) -> Iterator[str]:
    """What came back, as lines."""
    files, keys, copies = map(len, (restored.files, restored.keys, restored.copies))
    if files or keys or copies:
        yield say(locale, "trash.restored", what=_back(files, keys, copies, locale))
    elif not restored.left_out:
        yield say(locale, "trash.nothing-to-restore")
    for name in restored.left_out:
        yield say(locale, "trash.left-out", name=name)


def restored_text(found: Sequence[Restored], locale: str) -> str:
    """What came back of several stores, in one sentence or two."""
    files, keys, copies, left_out = (
        sum(len(names) for names in each)
        for each in (
            [back.files for back in found],
            [back.keys for back in found],
            [back.copies for back in found],
            [back.left_out for back in found],
        )
    )
    words: list[str] = []
    if files or keys or copies:
        words.append(say(locale, "trash.restored", what=_back(files, keys, copies, locale)))
    if left_out:
        words.append(say(locale, "trash.left-out-count", count=left_out))
    return " ".join(words) or say(locale, "trash.nothing-to-restore")


def would_restore_text(files: int, sessions: int, copies: int, locale: str) -> str:
    """What would come back, in one sentence or two."""
    if not (files or sessions or copies):
        return say(locale, "trash.nothing-to-restore")
    return say(locale, "trash.would-restore", what=_back(files, sessions, copies, locale))


def cleanup_title(cleanup: TrashedCleanup, locale: str) -> str:
    """What a cleanup is called where it can be taken back: what of it there is, and how much."""
    parts = (
        ("trash.cleanup.sessions", cleanup.sessions),
        ("trash.cleanup.renamed", cleanup.renamed),
        ("trash.cleanup.files", cleanup.files),
        ("trash.cleanup.copies", cleanup.copies),
    )
    return say(locale, "trash.cleanup", what=_counted(parts, locale))


def _title(trash: StoreTrash, locale: str) -> str:
    if not (trash.files or trash.cleanups):
        return say(locale, "trash.empty", path=trash.path)
    size = size_text(trash.size)
    return say(locale, "trash.title", path=trash.path, files=len(trash.files), size=size)


def _cleanups(trash: StoreTrash, locale: str) -> Iterator[str]:
    for each in trash.cleanups:
        yield "  ".join((each.record.id, time_text(each.record.time_ms), cleanup_title(each, locale)))


def _back(files: int, sessions: int, copies: int, locale: str) -> str:
    parts = (
        ("trash.back.files", files),
        ("trash.back.sessions", sessions),
        ("trash.back.copies", copies),
    )
    return _counted(parts, locale)


def _counted(parts: Iterable[tuple[str, int]], locale: str) -> str:
    """The messages of which there is any, each with its number."""
    return " · ".join(say(locale, message, count=count) for message, count in parts if count)


def _reason(reason: str | None, locale: str) -> str:
    key = f"store.reason.{reason}"
    return say(locale, key) if key in sentences(locale) else reason or ""


def _quiet(text: str) -> str:
    return escape_markdown(mask(text))
