"""What does the message say that stands for what was compacted, and which message is one?

Source: claw.md 6.6; ultraworkers/claw-code rust/crates/runtime/src/compact.rs@08106b0c.
"""

from __future__ import annotations

from agentbrief.compaction.claw.format_summary import format_summary_text
from agentbrief.compaction.claw.grammar import NOTE, PREAMBLE, RESUME
from agentbrief.sessions.formats.claw_session import Profile
from agentbrief.sessions.model import Message, Text
from agentbrief.text.whitespace import is_blank, trim

_NOTE = f"\n\n{NOTE}"
_RESUME = f"\n{RESUME}"


def continuation_text(summary: str, *, suppress: bool, preserved: bool, profile: Profile = "claw") -> str:
    """The words of the message: the preamble, the formatted ``summary``, and what follows it.

    ``preserved`` adds that recent messages follow, ``suppress`` asks to go on without questions.
    """
    text = PREAMBLE + format_summary_text(summary, profile)
    return text + (_NOTE if preserved else "") + (_RESUME if suppress else "")


def summary_message(summary: str, *, preserved: bool, profile: Profile = "claw") -> Message:
    """The message that takes the place of what was compacted; ``preserved``: messages follow it."""
    words = continuation_text(summary, suppress=True, preserved=preserved, profile=profile)
    return Message("system", (Text(words),))


def summary_in(message: Message, profile: Profile = "claw") -> str | None:
    """The summary that ``message`` carries; None for any other message.

    It is one of the system, and its first words that are not blank begin with the preamble.
    """
    if message.role != "system":
        return None
    words = next(
        (block.text for block in message.blocks if isinstance(block, Text) and not is_blank(block.text)), ""
    )
    if not words.startswith(PREAMBLE):
        return None
    rest = words[len(PREAMBLE) :]
    if profile == "claw-code":
        return trim(rest.partition(_NOTE)[0].partition(_RESUME)[0])
    for end in (_NOTE + _RESUME, _NOTE, _RESUME):
        if rest.endswith(end):
            return trim(rest.removesuffix(end))
    return trim(rest)
