"""How are the checkpoints of a session shown, and what a restore would do?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agentbrief.checkpoints.checkpoint import Cause
from agentbrief.checkpoints.difference import Difference
from agentbrief.checkpoints.listing import CopyState
from agentbrief.jsonio import JsonValue
from agentbrief.messages import say
from agentbrief.messages.catalogue import sentences
from agentbrief.redact import escape_markdown, mask
from agentbrief.report.compaction_words import second_text, times_text
from agentbrief.report.numbers import short
from agentbrief.report.session_words import UNKNOWN
from agentbrief.report.table import cell, table
from agentbrief.rules.transcript_scene import size_text
from agentbrief.sessions.times import iso_of


@dataclass(frozen=True, slots=True)
class CheckpointShown:
    """One checkpoint as a list shows it; what is not known is None. Time in ms since 1970 (UTC)."""

    id: str
    created_ms: int
    cause: Cause
    messages: int | None
    tokens: int | None
    size: int | None
    path: str | None
    state: CopyState


@dataclass(frozen=True, slots=True)
class RestoreShown:
    """What a restore would do, for a person.

    ``path`` gets the earlier state; ``kept`` is the copy of the present one. ``is_new``: ``path`` is a new
    file. ``key`` is the entry of a store that then names it.
    """

    title: str
    checkpoint: CheckpointShown
    effect: Difference
    path: str
    kept: str | None
    is_new: bool = False
    key: str | None = None


def checkpoints_page(
    title: str, rows: Sequence[CheckpointShown], present: tuple[int | None, int | None, int], locale: str
) -> str:
    """The checkpoints as Markdown, newest first.

    ``present``: messages, tokens and bytes of the session now.
    """
    head = f"# {say(locale, 'checkpoint.page.title', title=escape_markdown(mask(title)))}"
    if not rows:
        return f"{head}\n\n{say(locale, 'checkpoint.page.none')}\n"
    header = [
        say(locale, f"checkpoint.page.{name}")
        if name != "messages"
        else say(locale, "compaction.page.messages")
        for name in ("why", "time", "messages")
    ]
    header += [say(locale, "compaction.page.tokens"), say(locale, "compaction.page.bytes")]
    header += [say(locale, "checkpoint.page.copy"), say(locale, "checkpoint.page.id")]
    messages, tokens, size = present
    now = CheckpointShown("", 0, "asked", messages, tokens, size, None, "there")
    lines = [[say(locale, "checkpoint.page.present"), "", *_counts(now), "", ""]]
    lines += [
        [
            say(locale, f"compaction.cause.{row.cause}"),
            time,
            *_counts(row),
            ""
            if row.state == "there"
            else cell(escape_markdown(say(locale, f"compaction.copy.{row.state}"))),
            f"`{row.id}`",
        ]
        for row, time in zip(rows, _times(rows), strict=True)
    ]
    return f"{head}\n\n{table(header, lines, frozenset((2, 3, 4)))}\n"


def checkpoint_lines(rows: Sequence[CheckpointShown], locale: str) -> Iterator[str]:
    """The checkpoints for a terminal, one a line."""
    if not rows:
        yield say(locale, "checkpoint.page.none")
    for row, time in zip(rows, _times(rows), strict=True):
        messages, tokens, size = _counts(row)
        counts = f"{messages:>7}  {tokens:>7}  {size:>9}"
        cause = say(locale, f"compaction.cause.{row.cause}")
        state = "" if row.state == "there" else "  " + say(locale, f"compaction.copy.{row.state}")
        yield f"{row.id}  {time}  {counts}  {cause}{state}"


def checkpoint_record(row: CheckpointShown) -> dict[str, JsonValue]:
    """One checkpoint of ``sessions checkpoints --json``."""
    return {
        "id": row.id,
        "created": iso_of(row.created_ms),
        "reason": row.cause,
        "messages": row.messages,
        "tokens": row.tokens,
        "bytes": row.size,
        "path": row.path,
        "state": row.state,
    }


def restore_page(shown: RestoreShown, locale: str) -> str:
    """What a restore would do, as Markdown."""
    time = second_text(shown.checkpoint.created_ms)
    title = say(locale, "checkpoint.restore.title", title=escape_markdown(mask(shown.title)), time=time)
    lines = [f"- {escape_markdown(mask(line))}" for line in restore_lines(shown, locale)]
    return f"# {title}\n\n{say(locale, 'compaction.page.nothing-changed')}\n\n" + "\n".join(lines) + "\n"


def restore_lines(shown: RestoreShown, locale: str) -> Iterator[str]:
    """The effects of a restore, one sentence each."""
    effect = shown.effect
    yield say(locale, "compaction.restoring", removed=effect.removed, added=effect.added)
    if shown.kept is not None:
        yield say(locale, "checkpoint.restore.kept", path=shown.kept)
    key = "checkpoint.restore.new-file" if shown.is_new else "checkpoint.restore.same-file"
    yield say(locale, key, path=shown.path)
    if shown.key is not None:
        yield say(locale, "checkpoint.restore.entry", key=shown.key)


def restore_record(shown: RestoreShown, applied: bool) -> dict[str, JsonValue]:
    """The contract of ``sessions restore --json``."""
    return {
        "checkpoint": checkpoint_record(shown.checkpoint),
        "removed": shown.effect.removed,
        "added": shown.effect.added,
        "path": shown.path,
        "new_file": shown.is_new,
        "key": shown.key,
        "present_checkpoint": shown.kept,
        "applied": applied,
    }


def not_restored_text(why: str, path: str, locale: str) -> str:
    """Why nothing comes back, in one sentence."""
    known = sentences(locale)
    for key in (f"compaction.copy.{why.removeprefix('copy-')}", f"compaction.copy.{why}"):
        if key in known:
            return say(locale, key)
    return say(locale, f"checkpoint.fault.{why}", path=path)


def _times(rows: Sequence[CheckpointShown]) -> list[str]:
    return times_text([row.created_ms for row in rows])


def _counts(row: CheckpointShown) -> tuple[str, str, str]:
    return (
        UNKNOWN if row.messages is None else f"{row.messages:,}",
        UNKNOWN if row.tokens is None else f"~{short(row.tokens)}",
        UNKNOWN if row.size is None else size_text(row.size),
    )
