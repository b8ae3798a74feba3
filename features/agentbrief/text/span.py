"""Which part of a text is meant?"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A half-open range ``[start, end)`` of a text, in code points."""

    start: int
    end: int

    def __len__(self) -> int:
        return self.end - self.start

    def shifted(self, by: int) -> Span:
        """The same range in a text that begins ``by`` code points earlier."""
        return Span(self.start + by, self.end + by)

    def contains(self, offset: int) -> bool:
        """Whether ``offset`` is one of the range's code points."""
        return self.start <= offset < self.end
