"""What does a provider answer when it is asked for the notes before a compaction?

In the words of the agent's own settings (openclaw.md 9). The provider without a model is not asked: its facts
are what remains where no other answers.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import tzinfo

from agentbrief.compaction.openclaw.flush import FlushSettings, prompt_for_run
from agentbrief.compaction.pi.summary_calls import notes_call
from agentbrief.compaction.plan import PlanWarning
from agentbrief.compaction.providers.provider import Cancelled, CancelToken, Deadline
from agentbrief.compaction.providers.registry import Listed
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.model import Message
from agentbrief.text import utf16


@dataclass(frozen=True, slots=True)
class NotesAnswer:
    """The first answer that was given, None where there is none, who gave it, and what went wrong before."""

    text: str | None = None
    provider: str = ""
    warnings: tuple[PlanWarning, ...] = ()


def asked_for_notes(
    providers: Iterable[Listed],
    messages: Sequence[Message],
    settings: FlushSettings,
    deadline: Deadline,
    cancel: CancelToken,
    *,
    config: dict[str, JsonValue],
    now_ms: int,
    host_zone: tzinfo,
) -> NotesAnswer:
    """What the first of ``providers`` that can answer says to ``messages``.

    Raises:
        Cancelled: the user has called it off.
    """
    call = notes_call(
        messages, settings.system_prompt, prompt_for_run(settings.prompt, now_ms, config, host_zone)
    )
    warnings: list[PlanWarning] = []
    for provider in providers:
        if isinstance(provider, PlanWarning):
            warnings.append(provider)
            continue
        if not getattr(provider, "reads_instructions", True):
            continue
        cancel.require()
        try:
            text = provider.summarize(messages, None, call.instructions, deadline, cancel)
        except Cancelled:
            if cancel.is_cancelled:
                raise
            warnings.append(PlanWarning("provider-failed", provider.id))
            continue
        except Exception:
            # a provider may be anybody's code: whatever it raises is its failure and never ours
            cancel.require()
            warnings.append(PlanWarning("provider-failed", provider.id))
            continue
        cancel.require()
        if deadline.has_passed:
            warnings.append(PlanWarning("provider-failed", provider.id))
        elif not utf16.trim(text):
            warnings.append(PlanWarning("provider-empty", provider.id))
        else:
            return NotesAnswer(text, provider.id, tuple(warnings))
    return NotesAnswer(warnings=tuple(warnings))
