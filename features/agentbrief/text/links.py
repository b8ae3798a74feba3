"""Which local files does a Markdown text link to?"""

from __future__ import annotations

import posixpath
import re
from dataclasses import dataclass
from urllib.parse import unquote

from agentbrief.text.markdown import code
from agentbrief.text.span import Span

_LINK = re.compile(r"\[[^\[\]\n]*\]\(\s*<?([^()<>\s]+)>?(?:\s+\"[^\"\n]*\")?\s*\)")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


@dataclass(frozen=True, slots=True)
class Link:
    """A link to a file: the part of the text that names it, and the path without an anchor, percent-decoding
    done.
    """

    span: Span
    target: str


def links(text: str) -> tuple[Link, ...]:
    """The relative links of ``text`` outside code, in order.

    Addresses with a scheme and anchors alone are left out.
    """
    blocks = code(text)
    found: list[Link] = []
    for match in _LINK.finditer(text):
        raw = match[1]
        target = unquote(raw.split("#", 1)[0])
        if not target or _SCHEME.match(raw) or raw.startswith(("/", "\\")) or "\0" in target:
            continue
        if any(block.contains(match.start()) for block in blocks):
            continue
        found.append(Link(Span(match.start(1), match.end(1)), target))
    return tuple(found)


def beside(path: str, target: str) -> str:
    """The path that ``target`` names in the text at ``path``, which has forward slashes.

    ``..`` resolved lexically.
    """
    return posixpath.normpath(posixpath.join(posixpath.dirname(path), target))
