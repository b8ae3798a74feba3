"""How does text of a conversation get into one line of a summary without changing its structure?

Analysis goes, the four tags are written so that nobody takes them for tags, and white space with a line break
in it becomes one space. Nothing is trimmed. Source: claw.md 6.4, 6.11.
"""

from __future__ import annotations

import re
from io import StringIO

from agentbrief.compaction.claw.grammar import ANALYSIS_END, ANALYSIS_START
from agentbrief.text.whitespace import LINE_BREAKS, WHITE_SPACE, trim_end

ELLIPSIS = "…"

_TAGS = re.compile(r"<(/?(?:analysis|summary))>")
_BREAKS = re.compile(f"[{LINE_BREAKS}][{WHITE_SPACE}]*")
_SEAM = len(ANALYSIS_START) - 1
_LONGEST_TAG = len(ANALYSIS_END)
_WINDOW_CHARS = 1024


def without_analysis(text: str) -> str:
    """``text`` without its analysis blocks: the first start, the first end after it, and again on the result.

    A block that is not closed stays.
    """
    if ANALYSIS_START not in text or ANALYSIS_END not in text:
        return text
    kept = StringIO()
    position = 0
    while True:
        size = kept.tell()
        kept.seek(max(size - _SEAM, 0))
        tail = kept.read()
        # what was cut out may have joined the halves of a tag
        joined = (tail + text[position : position + _SEAM]).find(ANALYSIS_START)
        is_joined = joined >= 0
        start = position - len(tail) + joined if is_joined else text.find(ANALYSIS_START, position)
        end = text.find(ANALYSIS_END, start + len(ANALYSIS_START)) if start >= 0 or is_joined else -1
        if end < 0:
            break
        if is_joined:
            kept.seek(size - len(tail) + joined)
            kept.truncate()
        else:
            kept.write(text[position:start])
        position = end + len(ANALYSIS_END)
    kept.write(text[position:])
    return kept.getvalue()


def defused(text: str) -> str:
    """``text`` with ‹ › around the names of the four tags."""
    return _TAGS.sub(r"‹\1›", text) if "<" in text else text


def flattened(text: str) -> str:
    """``text`` with each run of white space that holds a line break as one space."""
    *pieces, last = _BREAKS.split(text)
    return " ".join([*map(trim_end, pieces), last])


def clean(text: str) -> str:
    """``text`` without tags and on one line."""
    return flattened(defused(text))


def clean_start(text: str, chars: int) -> str:
    """The start of :func:`clean` of ``text``: all of it, or more than ``chars`` code points of it.

    Of a long text no more is looked at than that takes.
    """
    window = max(_WINDOW_CHARS, 2 * chars)
    while window < len(text):
        # the last characters may belong to a tag, or to white space, that goes on behind the window
        found = trim_end(clean(text[:window])[:-_LONGEST_TAG])
        if len(found) > chars:
            return found
        window *= 4
    return clean(text)


def cut(text: str, chars: int) -> str:
    """The first ``chars`` code points of ``text``, and an ellipsis if there are more."""
    return text if len(text) <= chars else text[:chars] + ELLIPSIS
