"""How full is the context of a Codex session that is being written?"""

from __future__ import annotations

from agentbrief.sessions.context_used import ContextUsed, context_used
from agentbrief.sessions.formats.codex_records import (
    COMPACTED,
    EVENT,
    ITEM,
    META,
    TURN,
    count_at,
    part_of,
    text_at,
)
from agentbrief.sessions.formats.codex_transcript import Origin, origin_of
from agentbrief.sessions.formats.codex_usage import OwnCalls, TokenCount, token_count_of
from agentbrief.sessions.formats.codex_view import ModelView, RolledBack, compacted_of, item_of
from agentbrief.sessions.jsonl.lines import Record


class CodexContext:
    """Keeps the counts of a rollout, and what the model is sent of it.

    ``keeps_user_tokens``: see :class:`~agentbrief.sessions.formats.codex_view.ModelView`.
    """

    def __init__(self, keeps_user_tokens: int) -> None:
        self._view = ModelView(keeps_user_tokens)
        self._early: list[TokenCount] = []
        self._origin: Origin | None = None
        self._own = OwnCalls()
        self._last: TokenCount | None = None
        self._window: int | None = None
        self._model: str | None = None
        self._boundary_line = 0
        self.compactions = 0

    def take(self, record: Record) -> None:
        """Take the next record."""
        part, line = part_of(record.value), record.line
        kind = text_at(part.payload, "type")
        if part.type == META and self._origin is None:
            self._origin = origin_of(part.payload)
            # Whose events those are is only told now.
            self._own, self._last = OwnCalls(is_fork=self._origin.is_fork), None
            for event in self._early:
                self._count(event)
        elif part.type == TURN:
            self._model = text_at(part.payload, "model") or self._model
        elif part.type == COMPACTED:
            self.compactions += 1
            self._boundary_line, self._last = line, None
            self._view.take(compacted_of(line, part.payload))
        elif part.type == ITEM:
            self._view.take(item_of(line, part.payload))
        elif part.type == EVENT and kind == "thread_rolled_back":
            self._view.take(RolledBack(line, count_at(part.payload, "num_turns")))
        elif part.type == EVENT and kind == "token_count":
            found = token_count_of(line, part.time, part.payload)
            if found is not None:
                self._count(found)
                if self._origin is None:
                    self._early.append(found)

    def used(self) -> ContextUsed:
        """The last call after the last compaction, else an estimate."""
        last = self._last
        return context_used(
            self._view.chars,
            last.last_total if last else None,
            model=self._model,
            line=last.line if last else 0,
            window=self._window,
        )

    def _count(self, event: TokenCount) -> None:
        self._window = event.window or self._window
        if self._own.has(event) and event.line > self._boundary_line:
            self._last = event
