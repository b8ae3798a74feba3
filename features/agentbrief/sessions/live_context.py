"""How full is the context of a transcript that is still growing?

Each piece of the file is read once; what is kept of a record is small. A file that is one JSON text is read
again as a whole.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Protocol

from agentbrief.profiles.profile import AgentProfile
from agentbrief.sessions.context_used import ContextUsed
from agentbrief.sessions.formats.claude_live import ClaudeContext
from agentbrief.sessions.formats.codex_live import CodexContext
from agentbrief.sessions.jsonl.lines import BadLine, Record
from agentbrief.sessions.jsonl.records import read_lines
from agentbrief.sessions.pi.live import PiContext
from agentbrief.sessions.sniff import claude_code, codex, openclaw, pi


class LiveContext(Protocol):
    """What a format keeps of the records that were read."""

    def take(self, record: Record) -> None:
        """Take the next record."""
        ...

    def used(self) -> ContextUsed:
        """The context after the last record."""
        ...

    @property
    def compactions(self) -> int:
        """How many compactions were read."""
        ...


def _codex_context(agent: AgentProfile) -> LiveContext:
    after = agent.after_compaction
    return CodexContext((after.keeps_user_messages_tokens if after else None) or 0)


_MAKERS: Mapping[str, Callable[[AgentProfile], LiveContext]] = {
    claude_code.FORMAT: lambda agent: ClaudeContext(),
    codex.FORMAT: _codex_context,
    pi.FORMAT: lambda agent: PiContext(),
    openclaw.FORMAT: lambda agent: PiContext(),
}


class GrowingContext:
    """The context of one file, fed with its complete lines in order."""

    def __init__(self, form: str, agent: AgentProfile) -> None:
        self._context = _MAKERS[form](agent)
        self._offset = 0
        self._line = 1

    def feed(self, lines: bytes) -> tuple[Record, ...]:
        """The records of the ``lines`` that follow those fed before, now taken."""
        found: list[Record] = []
        for record in self._records(lines):
            self._context.take(record)
            found.append(record)
        self._offset += len(lines)
        self._line += lines.count(b"\n")
        return tuple(found)

    def used(self) -> ContextUsed:
        """How full the context is."""
        return self._context.used()

    @property
    def compactions(self) -> int:
        """How many compactions were read."""
        return self._context.compactions

    def _records(self, lines: bytes) -> Iterator[Record]:
        for line in read_lines((lines,), offset=self._offset, line=self._line):
            if isinstance(line, Record):
                yield line
            elif isinstance(line, BadLine):
                yield from line.recovered


def grows(form: str) -> bool:
    """Whether files of that format are read on, not read again."""
    return form in _MAKERS
