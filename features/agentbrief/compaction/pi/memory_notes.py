"""Which notes are saved before a compaction, and how do they get to the end of the day's file?

The file only ever grows. Source: openclaw.md 9. The notes are the user's, else a provider's answer, else what
the conversation itself says.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from agentbrief.changes.steps import ReplaceFile
from agentbrief.compaction.claw.summary import SummaryParts
from agentbrief.compaction.openclaw.flush import FlushState
from agentbrief.compaction.pi.extractive import facts_of
from agentbrief.disk.values import Stamp
from agentbrief.sessions.pi.context import RawMessage
from agentbrief.sessions.silent_reply import is_silent
from agentbrief.text import utf16

NotesFrom = Literal["user", "provider", "facts"]


@dataclass(frozen=True, slots=True)
class NotesFile:
    """The day's file as it is: its path, and its content and version, None where it does not exist yet."""

    path: str
    data: bytes | None = field(default=None, repr=False)
    stamp: Stamp | None = None


@dataclass(frozen=True, slots=True)
class MemoryNotes:
    """What is saved. ``text`` is empty where there is nothing to save; the flush counts as done all the same.

    ``state`` is what made it due. ``step`` writes the notes, None where there are none.
    """

    path: str
    text: str
    source: NotesFrom
    state: FlushState | None
    step: ReplaceFile | None


def memory_notes(
    file: NotesFile,
    messages: Iterable[RawMessage],
    *,
    title: str,
    given: str | None = None,
    answer: str | None = None,
    state: FlushState | None = None,
) -> MemoryNotes:
    """The notes of ``messages`` for ``file``, under a heading with the words ``title``.

    ``given`` are the notes of the user, ``answer`` is that of a provider. An answer that stays unsaid writes
    nothing.
    """
    source, text = _notes(messages, given, answer)
    if not text:
        return MemoryNotes(file.path, "", source, state, None)
    section = f"## {title}\n\n{text}\n"
    step = ReplaceFile(file.path, _appended(file.data or b"", section), file.stamp, makes_folder=True)
    return MemoryNotes(file.path, section, source, state, step)


def facts_text(parts: SummaryParts) -> str:
    """Requests, open work, files and the present work as a list; empty where there is none of them."""
    lines: list[str] = []
    for heading, items in (("Asked for", parts.requests), ("Open", parts.pending)):
        if items:
            lines += (f"- {heading}:", *(f"  - {item}" for item in items))
    if parts.files:
        lines.append(f"- Files: {', '.join(parts.files)}")
    if parts.current:
        lines.append(f"- Last: {parts.current}")
    return "\n".join(lines)


def _notes(messages: Iterable[RawMessage], given: str | None, answer: str | None) -> tuple[NotesFrom, str]:
    if given is not None and (own := utf16.trim(given)):
        return "user", own
    if answer is not None and (told := utf16.trim(answer)):
        return "provider", "" if is_silent(told) else told
    return "facts", facts_text(facts_of(messages))


def _appended(data: bytes, section: str) -> bytes:
    """``data`` with ``section`` behind it, a blank line between them."""
    if not data:
        return section.encode("utf-8")
    between = b"\n" if data.endswith(b"\n") else b"\n\n"
    return data + between + section.encode("utf-8")
