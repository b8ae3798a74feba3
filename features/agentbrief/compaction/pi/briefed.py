"""How is a provider asked for a summary of pi or OpenClaw?

In the words of the format, which the user's instructions follow; for a turn that is split by a call of its
own; in parts where the provider's window is too small. What comes back is the summary without what is made
anew each time (openclaw.md 8.6 to 8.8).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agentbrief.compaction.pi.in_parts import Room, told_in_parts
from agentbrief.compaction.pi.job import PiJob, told
from agentbrief.compaction.pi.layout_pi import pi_text
from agentbrief.compaction.pi.summary_calls import (
    IdentifierPolicy,
    SummaryCall,
    history_call,
    prefix_call,
    store_call,
)
from agentbrief.compaction.providers.provider import (
    Cancelled,
    CancelToken,
    CompactionProvider,
    Deadline,
)
from agentbrief.sessions.model import Message
from agentbrief.sessions.silent_reply import is_silent
from agentbrief.text import utf16


@dataclass(frozen=True, slots=True)
class Briefing:
    """How providers are asked. ``room`` None = they take any length.

    ``pause`` waits for so many seconds between two attempts; None = a call is made once.
    """

    policy: IdentifierPolicy = "strict"
    policy_words: str = ""
    room: Room | None = None
    pause: Callable[[float], None] | None = None


class Briefed:
    """``provider``, asked for the summary of ``job``."""

    def __init__(self, provider: CompactionProvider, job: PiJob, briefing: Briefing) -> None:
        self._provider = provider
        self._job = job
        self._briefing = briefing
        self.id = provider.id
        self.reads_instructions = bool(getattr(provider, "reads_instructions", True))

    def summarize(
        self,
        messages: Sequence[Message],
        previous_summary: str | None,
        instructions: Sequence[str],
        deadline: Deadline,
        cancel: CancelToken,
    ) -> str:
        """See :meth:`CompactionProvider.summarize`. Empty where one of the calls gives nothing.

        Raises:
            Cancelled: it was called off.
            Exception: what the provider raises.
        """
        history, prefix = self.calls(messages, previous_summary, instructions)
        texts = [
            None if call is None else told(self._asked(call, messages, deadline, cancel))
            for call in (history, prefix)
        ]
        if any(text is not None and _is_nothing(text) for text in texts):
            return ""
        if self._job.settings.layout == "openclaw":
            return texts[0] or ""
        return pi_text(previous_summary or None if history is None else texts[0], texts[1])

    def calls(
        self, messages: Sequence[Message], previous_summary: str | None, instructions: Sequence[str]
    ) -> tuple[SummaryCall | None, SummaryCall | None]:
        """The calls for a summary of ``messages``: one for the history, one for a turn that is split.

        OpenClaw's layout has one for both.
        """
        settings, briefing = self._job.settings, self._briefing
        if settings.layout == "openclaw":
            words = briefing.policy_words
            return store_call(messages, previous_summary, instructions, briefing.policy, words), None
        parts = self._job.parts(messages)
        reserve, data = settings.reserve_tokens, settings.data
        history = prefix = None
        if parts.history:
            history = history_call(parts.history, previous_summary, reserve, instructions, data)
        if parts.turn_prefix:
            prefix = prefix_call(parts.turn_prefix, reserve, data)
        return history, prefix

    def _asked(
        self, call: SummaryCall, messages: Sequence[Message], deadline: Deadline, cancel: CancelToken
    ) -> str:
        if not self.reads_instructions:
            return self._once(call, deadline, cancel)
        room = self._briefing.room
        if room is None:
            return self._attempted(call, deadline, cancel)
        staying = self._job.parts(messages).staying_tokens(self._job.settings.data)
        return told_in_parts(call, room, staying, lambda part: self._attempted(part, deadline, cancel))

    def _attempted(self, call: SummaryCall, deadline: Deadline, cancel: CancelToken) -> str:
        """The answer of one of several attempts, with a pause before each but the first."""
        data, pause = self._job.settings.data, self._briefing.pause
        wait_ms = data.least_pause_ms
        for _ in range(data.attempts - 1 if pause is not None else 0):
            try:
                return self._once(call, deadline, cancel)
            except Cancelled:
                raise
            except Exception:
                if pause is None or deadline.left_ms <= wait_ms:
                    raise
                pause(wait_ms / 1000)
                wait_ms = min(wait_ms * 2, data.most_pause_ms)
        return self._once(call, deadline, cancel)

    def _once(self, call: SummaryCall, deadline: Deadline, cancel: CancelToken) -> str:
        cancel.require()
        words = call.instructions if self.reads_instructions else call.focus
        return self._provider.summarize(call.messages, call.previous_summary, words, deadline, cancel)


def _is_nothing(text: str) -> bool:
    return not utf16.trim(text) or is_silent(text)
