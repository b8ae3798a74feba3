"""What does a Codex rollout say as a whole, its words left out?

Source: agents.md 9.2.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass

from agentbrief.sessions.facts import Boundary
from agentbrief.sessions.formats.codex_records import (
    COMPACTED,
    EVENT,
    ITEM,
    META,
    TURN,
    Part,
    Value,
    count_at,
    cwd_of,
    object_at,
    part_of,
    text_at,
)
from agentbrief.sessions.formats.codex_usage import TokenCount, counted, token_count_of
from agentbrief.sessions.formats.codex_view import RolledBack, Step, compacted_of, item_of
from agentbrief.sessions.jsonl.line_facts import LineFacts, Watched
from agentbrief.sessions.jsonl.lines import Record
from agentbrief.sessions.jsonl.records import read_lines
from agentbrief.sessions.usage import Call

_NAME = re.compile(
    r"(?:.*[/\\])?rollout-.+?-([0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12})\.jsonl(?:\..+)?"
)


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a session comes from: ``parent_id`` is the one it was forked from or works for.

    ``is_fork``: its first events may be its parent's.
    """

    session_id: str | None = None
    parent_id: str | None = None
    is_fork: bool = False
    is_subagent: bool = False
    cwd: str | None = None
    version: str | None = None
    branch: str | None = None


@dataclass(frozen=True, slots=True)
class CodexTranscript:
    """A rollout without its words. ``events`` are all counts of tokens as written.

    ``unseen_compacted_bytes`` are those of all compactions but the last.
    """

    path: str
    origin: Origin
    steps: tuple[Step, ...]
    events: tuple[TokenCount, ...]
    boundaries: tuple[Boundary, ...]
    lines: LineFacts
    unseen_compacted_bytes: int = 0
    cwd: str | None = None
    model: str | None = None
    last_time: str | None = None

    @property
    def session_id(self) -> str | None:
        """The identifier in the first line, else that of the file's name."""
        return self.origin.session_id or session_id_of(self.path)

    @property
    def totals(self) -> frozenset[int]:
        """The running totals, for a session that was forked from this one."""
        return frozenset(event.total for event in self.events if event.total is not None)

    def counted(self, parent_totals: Container[int] | None = None) -> tuple[TokenCount, ...]:
        """The events that stand for a call of this session; see :func:`codex_usage.counted`."""
        return counted(self.events, is_fork=self.origin.is_fork, parent_totals=parent_totals)

    def calls(self, parent_totals: Container[int] | None = None) -> tuple[Call, ...]:
        """The calls of this session."""
        return tuple(Call(event.line, event.last) for event in self.counted(parent_totals))


def look(
    data: bytes | Iterable[bytes], path: str, take: Callable[[Record, Part], None] | None = None
) -> CodexTranscript:
    """The rollout at ``path`` without its words, for files of any size.

    ``take`` is handed each line with its words.
    """
    lines = read_lines((data,) if isinstance(data, bytes) else data)
    watched = Watched(lines, "id", lambda record: part_of(record.value).type, lambda kind: kind == COMPACTED)
    origin: Origin | None = None
    steps: list[Step] = []
    events: list[TokenCount] = []
    boundaries: list[Boundary] = []
    compacted_sizes: list[int] = []
    cwd = model = last_time = None
    for record, is_recovered in watched.records():
        part = part_of(record.value)
        if take is not None and not is_recovered:
            take(record, part)
        last_time = part.time or last_time
        if part.type == META and origin is None:
            origin = origin_of(part.payload)
        elif part.type == TURN:
            model = text_at(part.payload, "model") or model
        elif part.type == COMPACTED:
            compacted_sizes.append(record.length)
            boundaries.append(Boundary(record.line, None, part.time))
        elif part.type == EVENT and (event := _count(record.line, part)):
            events.append(event)
        if step := _step(record.line, part):
            steps.append(step)
        cwd = cwd or cwd_of(part)
    return CodexTranscript(
        path,
        origin or Origin(),
        tuple(steps),
        tuple(events),
        tuple(boundaries),
        watched.facts(),
        sum(compacted_sizes[:-1]),
        cwd,
        model,
        last_time,
    )


def origin_of(payload: Value) -> Origin:
    """Where a session comes from, by its first line."""
    source = object_at(payload, "source").get("subagent")
    spawn = object_at(source, "thread_spawn") if isinstance(source, dict) else {}
    forked_from = text_at(payload, "forked_from_id")
    parent = text_at(payload, "parent_thread_id") or text_at(spawn, "parent_thread_id")
    return Origin(
        text_at(payload, "session_id") or text_at(payload, "id"),
        forked_from or parent,
        bool(forked_from or spawn),
        source is not None,
        text_at(payload, "cwd"),
        text_at(payload, "cli_version"),
        text_at(object_at(payload, "git"), "branch"),
    )


def session_id_of(path: str) -> str | None:
    """The identifier in a rollout's file name."""
    found = _NAME.fullmatch(path)
    return found[1] if found else None


def _count(line: int, part: Part) -> TokenCount | None:
    is_count = text_at(part.payload, "type") == "token_count"
    return token_count_of(line, part.time, part.payload) if is_count else None


def _step(line: int, part: Part) -> Step | None:
    if part.type == ITEM:
        return item_of(line, part.payload)
    if part.type == COMPACTED:
        return compacted_of(line, part.payload)
    if part.type == EVENT and text_at(part.payload, "type") == "thread_rolled_back":
        return RolledBack(line, count_at(part.payload, "num_turns"))
    return None
