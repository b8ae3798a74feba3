"""How full is the context of a Claude Code session that is being written?

As long as each record follows the last one, the path to the end only grows; anything else has it made anew.
"""

from __future__ import annotations

from agentbrief.sessions.context_used import ContextUsed
from agentbrief.sessions.formats.claude_chain import chain_of
from agentbrief.sessions.formats.claude_code import context_on
from agentbrief.sessions.formats.claude_entry import Entry, entry_of
from agentbrief.sessions.lines import Record


class ClaudeContext:
    """Keeps an entry a record."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._ids: set[str] = set()
        self._path: list[Entry] = []
        self._model: str | None = None
        self._is_current = True
        self.compactions = 0

    def take(self, record: Record) -> None:
        """Take the next record."""
        entry = entry_of(record)
        self._entries.append(entry)
        self.compactions += entry.compaction is not None
        if entry.id is None or (entry.is_sidechain and self._path):
            return
        if self._is_current and self._follows(entry):
            self._path.append(entry)
            self._model = entry.model or self._model
        else:
            self._is_current = False
        self._ids.add(entry.id)

    def used(self) -> ContextUsed:
        """What the last call on the chain took in, else an estimate."""
        if not self._is_current:
            chain = chain_of(self._entries)
            self._path = list(chain.model_path())
            self._model = next((entry.model for entry in reversed(chain.path()) if entry.model), None)
            self._is_current = not any(entry.is_sidechain for entry in self._path)
        return context_on(self._path, self._model)

    def _follows(self, entry: Entry) -> bool:
        """Whether ``entry`` is the one record behind the end of the path."""
        if entry.compaction is not None or entry.is_sidechain or entry.id in self._ids:
            return False
        if not self._path:
            return not self._ids and entry.parent_id is None
        return entry.parent_id == self._path[-1].id
