"""What does a writer of summaries get, and what may it answer?

The interface for all of them: ``extractive`` and ``command`` are here, ``editor`` is the server's, others
come from packages (entry points). What one of them raises counts as its failure; the next is asked.

Source: openclaw.md 8.7.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from agentbrief.sessions.model import Message


class Cancelled(Exception):
    """The user does not want it any more: nothing is written."""


class Deadline:
    """The moment until which an answer counts. ``now_ms`` is the clock it is measured by."""

    def __init__(self, at_ms: int, now_ms: Callable[[], int]) -> None:
        self._at_ms = at_ms
        self._now_ms = now_ms

    @property
    def left_ms(self) -> int:
        """How long there is to go, 0 when it has passed."""
        return max(self._at_ms - self._now_ms(), 0)

    @property
    def has_passed(self) -> bool:
        """Whether it is too late."""
        return self.left_ms == 0


class CancelToken:
    """Whether the user has called it off; safe to set from another thread."""

    def __init__(self) -> None:
        self._cancelled = False

    def cancel(self) -> None:
        """Call it off."""
        self._cancelled = True

    @property
    def is_cancelled(self) -> bool:
        """Whether it was called off."""
        return self._cancelled

    def require(self) -> None:
        """Nothing; raises :class:`Cancelled` if it was called off."""
        if self._cancelled:
            raise Cancelled


class CompactionProvider(Protocol):
    """A writer of summaries. ``id`` is its name in the settings.

    One that follows no instructions says so by an attribute ``reads_instructions`` that is False; what the
    user asked for then waits for another.
    """

    @property
    def id(self) -> str:
        """Its name."""
        ...

    def summarize(
        self,
        messages: Sequence[Message],
        previous_summary: str | None,
        instructions: Sequence[str],
        deadline: Deadline,
        cancel: CancelToken,
    ) -> str:
        """The words that are to stand for ``messages``, and for what ``previous_summary`` said before them.

        ``instructions`` are what the user wants, oldest first. It is to return before ``deadline`` and soon
        after ``cancel`` is set.

        Raises:
            Cancelled: it was called off.
            Exception: anything else is its failure.
        """
        ...
