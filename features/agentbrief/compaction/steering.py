"""How does a text reach a compaction that is running, and what becomes of one that comes too late?

``steer`` joins the instructions of the next call to a provider; ``followup`` and ``collect`` wait until the
compaction is done, one by one or as one; ``interrupt`` calls it off. A text is never lost: what no call took
is handed back at the end, to be appended to the session.

The one object here that changes. It may be used from two threads: each text is taken exactly once.

Source: openclaw.md 14 (Ours).
"""

from __future__ import annotations

from collections import deque
from typing import Literal

from agentbrief.compaction.openclaw.queue_items import QueuedMessage, collected_text
from agentbrief.compaction.openclaw.queue_settings import QueueMode
from agentbrief.compaction.providers.provider import CancelToken

Reached = Literal["instruction", "afterwards", "interrupted", "not-running"]
"""What becomes of a text; the sentences are ``compaction.steer.<reached>``. Any but ``not-running`` says that
it was taken; an instruction that no call follows is appended afterwards."""


class _Text:
    """One text; two with the same words are two."""

    __slots__ = ("is_instruction", "mode", "text")

    def __init__(self, text: str, mode: QueueMode) -> None:
        self.text = text
        self.mode = mode
        self.is_instruction = mode in ("steer", "steer-backlog")


class RunningCompaction:
    """A compaction that texts may be sent to. ``cancel`` calls it off."""

    def __init__(self, cancel: CancelToken | None = None) -> None:
        self.cancel = cancel or CancelToken()
        self._waiting: deque[_Text] = deque()
        self._offered: list[_Text] = []
        self._is_over = False

    def steer(self, text: str, mode: QueueMode = "steer") -> Reached:
        """What becomes of ``text``, sent in ``mode``."""
        if self._is_over:
            return "not-running"
        sent = _Text(text, mode)
        self._waiting.append(sent)
        if mode == "interrupt":
            self.cancel.cancel()
        if self._is_over:
            try:
                # the end may have come in between: what it did not take is the caller's again
                self._waiting.remove(sent)
            except ValueError:
                pass
            else:
                return "not-running"
        if mode == "interrupt":
            return "interrupted"
        return "instruction" if sent.is_instruction else "afterwards"

    def instructions(self) -> tuple[str, ...]:
        """The instructions for the next call: all that no call has heeded yet."""
        others: list[_Text] = []
        for text in self._taken():
            (self._offered if text.is_instruction else others).append(text)
        self._waiting.extendleft(reversed(others))
        return tuple(text.text for text in self._offered)

    def heeded(self) -> None:
        """The call that got the instructions has answered: they need not be said again."""
        self._offered = [text for text in self._offered if text.mode == "steer-backlog"]
        for text in self._offered:
            text.is_instruction = False
        self._waiting.extendleft(reversed(self._offered))
        self._offered = []

    def finish(self) -> tuple[str, ...]:
        """The texts that are to be appended to the session, in their order; collected ones are one text.

        From now on nothing is taken.
        """
        self._is_over = True
        texts = [*self._offered, *self._taken()]
        collected = [QueuedMessage(text.text) for text in texts if text.mode == "collect"]
        found: list[str] = []
        for text in texts:
            if text.mode != "collect" or len(collected) == 1:
                found.append(text.text)
            elif collected:
                found.append(collected_text(collected))
                collected = []
        return tuple(found)

    def _taken(self) -> list[_Text]:
        found: list[_Text] = []
        while True:
            try:
                found.append(self._waiting.popleft())
            except IndexError:
                return found
