"""How do two files differ? A page for editors that cannot show two texts side by side."""

from __future__ import annotations

import difflib
import os

from agentbrief.messages import say
from agentbrief.redact import escape_markdown, fenced, mask
from agentbrief.text.whitespace import lines


def copies_page(path: str, text: str, other_path: str, other_text: str, locale: str) -> str:
    """The differences of two texts in the unified form, or that there are none."""
    name = os.path.relpath(other_path, os.path.dirname(path)).replace(os.sep, "/")
    title = say(
        locale, "copies.title", name=escape_markdown(os.path.basename(path)), other=escape_markdown(name)
    )
    differences = difflib.unified_diff(
        lines(text), lines(other_text), os.path.basename(path), name, lineterm=""
    )
    body = "\n".join(differences)
    if not body:
        return f"# {title}\n\n{say(locale, 'copies.same')}\n"
    return f"# {title}\n\n{fenced(mask(body), 'diff')}"
