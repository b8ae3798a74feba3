"""How is a summary made of the words that are there, without any model?

Always the same for the same messages. Instructions are not read: nobody here could follow them.
Source: claw.md 6.3 to 6.7.
"""

from __future__ import annotations

from collections.abc import Sequence

from agentbrief.compaction.claw.engine import CompactionConfig, extractive_summary
from agentbrief.compaction.providers.provider import CancelToken, Deadline
from agentbrief.sessions.model import Message

EXTRACTIVE = "extractive"


class Extractive:
    """The summary of claw.md; its text is a stored summary as it stands."""

    id = EXTRACTIVE
    reads_instructions = False

    def __init__(self, config: CompactionConfig) -> None:
        self._config = config

    def summarize(
        self,
        messages: Sequence[Message],
        previous_summary: str | None,
        instructions: Sequence[str],
        deadline: Deadline,
        cancel: CancelToken,
    ) -> str:
        """See :meth:`CompactionProvider.summarize`."""
        cancel.require()
        config = self._config
        return extractive_summary(messages, previous_summary, config.profile, config.extra_extensions)
