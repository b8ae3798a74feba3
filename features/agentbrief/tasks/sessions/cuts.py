"""How is a text cut short so that no part of a secret stays that could no longer be told for one?

Titles are cut by the rules of lists, which know nothing of secrets; what is shown is masked, and a mask only
knows a secret that is whole.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from agentbrief.redact import secrets
from agentbrief.sessions.titles import MAX_TITLE_CHARS, one_line

MOST_TOLD_CHARS = 500
"""How much of a first or last message a list has, in code points."""

_MOST_LOOKED_AT = 32 * 1024
_CUT_WORD = re.compile(r"[\x00-\x1f!-\x9f]{12,}\Z")
_ELLIPSIS = "…"


def start_of(text: str, most: int = MOST_TOLD_CHARS) -> str:
    """At most ``most`` code points of ``text``, ending before a secret that would be cut in two."""
    if len(text) <= most:
        return text
    for secret in secrets(text[: most + _MOST_LOOKED_AT]):
        if secret.span.start < most < secret.span.end:
            return text[: secret.span.start]
    return text[:most]


def whole_words(title: str, sources: Iterable[str | None]) -> str:
    """``title`` without the half of a secret that was cut at its end.

    ``sources``: the texts of which it may have been made. If it was made of none of them, a long last word is
    left out.
    """
    if not title.endswith(_ELLIPSIS) or len(title) < MAX_TITLE_CHARS - 1:
        return title
    kept = title[:-1]
    for source in sources:
        if source and one_line(source) == title:
            line = " ".join(source[:_MOST_LOOKED_AT].split())
            return _ended(kept, start_of(line, len(kept)))
    return _ended(kept, _CUT_WORD.sub("", kept))


def _ended(kept: str, start: str) -> str:
    return start.rstrip() + _ELLIPSIS if len(start) < len(kept) else kept + _ELLIPSIS
