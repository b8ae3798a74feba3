"""Which text is there to be read, but where nobody looks?

A long HTML comment is not shown by anything that renders Markdown; text behind many blanks stands outside the
window of an editor. Source: reliability.md 9.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from agentbrief.text.markdown import fences
from agentbrief.text.span import Span
from agentbrief.text.whitespace import LINE_BREAKS, WHITE_SPACE, is_blank, trim

LONG = 200
"""From this length on a comment, or a run of blanks before text, hides something."""

COMMENT_START = "<!--"
COMMENT_END = "-->"
BLANKS = "".join(char for char in WHITE_SPACE if char not in LINE_BREAKS)

_STEP = LONG // 4
_SAMPLED_RUN = re.compile(f"[{BLANKS}]{{4,}}")
_BLANK_RUN = re.compile(f"[{BLANKS}]+")
_LINE_END = re.compile(r"[\r\n]")
_BLOCK_START = re.compile(r"(?:\A|(?<=[\r\n])) {0,3}<!--")


def out_of_sight(text: str) -> tuple[Span, ...]:
    """The comments of :data:`LONG` characters or more, and the texts behind as many blanks of one line with
    those blanks, by place.
    """
    comments = tuple(_long_comments(text)) if COMMENT_START in text else ()
    found = [comment for comment in comments if not is_blank(inner_text(text, comment))]
    found.extend(_behind_blanks(text, comments))
    return tuple(sorted(found))


def inner_text(text: str, span: Span) -> str:
    """The text that is out of sight at ``span``, trimmed: inside the comment, or behind the blanks."""
    if text.startswith(COMMENT_START, span.start):
        closed = text.endswith(COMMENT_END, span.start, span.end)
        return trim(text[span.start + len(COMMENT_START) : span.end - len(COMMENT_END) * closed])
    return trim(text[span.start : span.end])


def _long_comments(text: str) -> Iterator[Span]:
    position = 0
    while (start := text.find(COMMENT_START, position)) >= 0:
        # Two characters of the start may be those of the end: "<!-->" is a whole comment.
        end = text.find(COMMENT_END, start + 2)
        if end < 0:
            yield from _unclosed(text, start)
            return
        position = end + len(COMMENT_END)
        if position - start >= LONG:
            yield Span(start, position)


def _unclosed(text: str, position: int) -> Iterator[Span]:
    """The comment that nothing ends, if it begins a block: it hides all that follows.

    Source: CommonMark 0.31, HTML blocks, start condition 2.
    """
    match = _BLOCK_START.search(text, max(position - 3, 0))
    if match is None:
        return
    start = match.end() - len(COMMENT_START)
    end = len(text.rstrip(WHITE_SPACE))
    if end - start >= LONG and not any(fence.contains(start) for fence in fences(text)):
        yield Span(start, end)


def _behind_blanks(text: str, comments: tuple[Span, ...]) -> Iterator[Span]:
    runs = [run for run in _blank_runs(text) if not _inside(run, comments)]
    starts = [*(run.start for run in runs[1:]), len(text)]
    for index, run in enumerate(runs):
        line_end = _LINE_END.search(text, run.end, starts[index])
        stop = line_end.start() if line_end else starts[index]
        behind = text[run.end : stop].rstrip(BLANKS)
        # The last cell of a padded table row has nothing behind its padding but the row's end.
        if behind.strip("|" + BLANKS):
            yield Span(run.start, run.end + len(behind))


def _inside(run: Span, comments: tuple[Span, ...]) -> bool:
    index = bisect_right(comments, run.start, key=lambda comment: comment.start)
    return index > 0 and comments[index - 1].contains(run.start)


def _blank_runs(text: str) -> Iterator[Span]:
    """The runs of :data:`LONG` blanks or more. Only each 50th character is looked at first: a long run holds
    four of those in a row.
    """
    for sampled in _SAMPLED_RUN.finditer(text[::_STEP]):
        position = sampled.start() * _STEP
        last = (sampled.end() - 1) * _STEP
        while position <= last:
            before = text[max(position - _STEP, 0) : position]
            start = position - len(before) + len(before.rstrip(BLANKS))
            run = _BLANK_RUN.match(text, position)
            end = run.end() if run else position
            if end - start >= LONG:
                yield Span(start, end)
            position = (end // _STEP + 1) * _STEP
