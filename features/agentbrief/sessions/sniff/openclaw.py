"""Is this a place of OpenClaw's transcripts? They begin as those of pi do."""

from __future__ import annotations

import re

FORMAT = "openclaw"

_PLACE = re.compile(r"(?:^|[/\\])agents[/\\][^/\\]+[/\\]sessions[/\\][^/\\]+$")


def claims(path: str) -> bool:
    """Whether ``path`` is a place of OpenClaw's transcripts, by its spelling."""
    return _PLACE.search(path) is not None
