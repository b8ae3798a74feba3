"""Which folder does Claude Code keep the sessions of a start folder in?

Different folders can have one name, so a name is never turned back: sessions are told apart by the folder
that their records name.

Source: agents.md 9.1; vendor page ``sessions``.
"""

from __future__ import annotations

import re

from agentbrief.profiles.sessions_data import Slug

_TWO_UNITS = re.compile("[\U00010000-\U0010ffff]")
_HALVES = "\ufffd\ufffd"


def claude_slug(path: str, slug: Slug) -> str:
    """The folder name for the start folder ``path``. One of exactly ``max`` + 1 characters is a prefix:

    the hash behind its last hyphen differs between runtimes (:func:`is_folder_of`).
    """
    # The agent replaces UTF-16 units: an emoji is two of them.
    name = re.sub(slug.replace, slug.with_text, _TWO_UNITS.sub(_HALVES, path))
    return name if len(name) <= slug.max else name[: slug.max] + "-"


def is_folder_of(name: str, path: str, slug: Slug) -> bool:
    """Whether ``name`` can be the folder of the sessions of ``path``."""
    wanted = claude_slug(path, slug)
    return name.startswith(wanted) if len(wanted) > slug.max else name == wanted
