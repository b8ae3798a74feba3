"""Which text do the patterns see, and where does a hit in it lie in the text that was given?"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

from agentbrief.redact.escapes import dropped
from agentbrief.text.span import Span


@dataclass(frozen=True, slots=True)
class Plain:
    """A text without what :func:`~agentbrief.redact.escapes.dropped` names.

    ``seams`` are the offsets in ``text`` where something was taken out, ``taken`` how many code points went
    before the text that follows each of them.
    """

    text: str
    seams: tuple[int, ...] = ()
    taken: tuple[int, ...] = ()

    def origin(self, span: Span) -> Span:
        """``span``, which is not empty, in the text that was given: from its first to its last character."""
        if not self.seams:
            return span
        return Span(self._origin(span.start), self._origin(span.end - 1) + 1)

    def _origin(self, offset: int) -> int:
        index = bisect_right(self.seams, offset)
        return offset + self.taken[index - 1] if index else offset


def plain(text: str) -> Plain:
    """``text`` as the patterns see it."""
    ranges = dropped(text)
    if not ranges:
        return Plain(text)
    pieces: list[str] = []
    seams: list[int] = []
    taken: list[int] = []
    position = gone = 0
    for start, end in ranges:
        pieces.append(text[position:start])
        seams.append(start - gone)
        gone += end - start
        taken.append(gone)
        position = end
    pieces.append(text[position:])
    return Plain("".join(pieces), tuple(seams), tuple(taken))
