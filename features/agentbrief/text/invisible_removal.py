"""Which characters have to go so that nothing of a text is hidden?"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator

from agentbrief.text.invisible import Hidden, invisible
from agentbrief.text.span import Span

_ROUNDS = 10


def carriers(hidden: Hidden) -> tuple[Span, ...]:
    """The characters to take out for that one stretch, text that can be seen left alone; empty for text that
    is only out of sight.
    """
    if hidden.kind == "easy-to-miss-text":
        return ()
    if hidden.kind != "direction-control":
        return (hidden.span,)
    opening = Span(hidden.span.start, hidden.span.start + 1)
    if hidden.closing is None:
        return (opening,)
    return (opening, Span(hidden.closing, hidden.closing + 1))


def removals(text: str) -> tuple[Span, ...]:
    """All characters to take out of ``text``, by place and without overlap.

    What stood apart may come together once something is taken out between: the rest is searched again.
    """
    removed: tuple[Span, ...] = ()
    for _ in range(_ROUNDS):
        left = without(text, removed)
        found = [span for hidden in invisible(left) for span in carriers(hidden)]
        if not found:
            break
        removed = tuple(_joined(sorted([*removed, *_in_whole_text(found, removed)])))
    return removed


def without(text: str, spans: Iterable[Span]) -> str:
    """``text`` without the characters at ``spans``, which are in order and do not overlap."""
    pieces: list[str] = []
    position = 0
    for span in spans:
        pieces.append(text[position : span.start])
        position = span.end
    pieces.append(text[position:])
    return "".join(pieces)


def _in_whole_text(spans: Iterable[Span], removed: tuple[Span, ...]) -> Iterator[Span]:
    """``spans`` of the text without ``removed``, one a character, as spans of the whole text."""
    if not removed:
        yield from spans
        return
    gone = 0
    starts: list[int] = []
    for span in removed:
        starts.append(span.start - gone)
        gone += len(span)
    lengths = [0]
    for span in removed:
        lengths.append(lengths[-1] + len(span))
    for span in spans:
        for offset in range(span.start, span.end):
            at = offset + lengths[bisect_right(starts, offset)]
            yield Span(at, at + 1)


def _joined(spans: Iterable[Span]) -> Iterator[Span]:
    waiting: Span | None = None
    for span in spans:
        if waiting is not None and span.start <= waiting.end:
            waiting = Span(waiting.start, max(waiting.end, span.end))
            continue
        if waiting is not None:
            yield waiting
        waiting = span
    if waiting is not None:
        yield waiting
