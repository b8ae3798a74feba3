"""How full is the context of a Codex session that is being written?"""

from __future__ import annotations

from agentbrief.sessions.context_used import ContextUsed
from agentbrief.sessions.facts import Boundary
from agentbrief.sessions.formats.codex import context_of
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
from agentbrief.sessions.formats.codex_transcript import CodexTranscript, Origin, origin_of
from agentbrief.sessions.formats.codex_usage import TokenCount, token_count_of
from agentbrief.sessions.formats.codex_view import RolledBack, Step, compacted_of, item_of, model_view
from agentbrief.sessions.line_facts import LineFacts
from agentbrief.sessions.lines import Record

_NOT_COUNTED = LineFacts(0, 0, (), None, (), (), ())


class CodexContext:
    """Keeps the steps and the counts of a rollout.

    ``keeps_user_tokens``: see :func:`~agentbrief.sessions.formats.codex_view.model_view`.
    """

    def __init__(self, keeps_user_tokens: int) -> None:
        self._keeps = keeps_user_tokens
        self._origin: Origin | None = None
        self._steps: list[Step] = []
        self._events: list[TokenCount] = []
        self._boundaries: list[Boundary] = []
        self._model: str | None = None

    @property
    def compactions(self) -> int:
        """How many compactions were read."""
        return len(self._boundaries)

    def take(self, record: Record) -> None:
        """Take the next record."""
        part, line = part_of(record.value), record.line
        kind = text_at(part.payload, "type")
        if part.type == META and self._origin is None:
            self._origin = origin_of(part.payload)
        elif part.type == TURN:
            self._model = text_at(part.payload, "model") or self._model
        elif part.type == COMPACTED:
            self._boundaries.append(Boundary(line, None, part.time))
            self._steps.append(compacted_of(line, part.payload))
        elif part.type == ITEM:
            self._steps.append(item_of(line, part.payload))
        elif part.type == EVENT and kind == "thread_rolled_back":
            self._steps.append(RolledBack(line, count_at(part.payload, "num_turns")))
        elif part.type == EVENT and kind == "token_count":
            event = token_count_of(line, part.time, part.payload)
            self._events += [event] if event else []

    def used(self) -> ContextUsed:
        """The last call after the last compaction, else an estimate."""
        transcript = CodexTranscript(
            "",
            self._origin or Origin(),
            (),
            tuple(self._events),
            tuple(self._boundaries),
            _NOT_COUNTED,
            model=self._model,
        )
        return context_of(transcript, model_view(self._steps, self._keeps))
