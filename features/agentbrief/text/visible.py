"""How is hidden text put on a screen?"""

from __future__ import annotations

import re
import unicodedata

from agentbrief.text.invisible import CONTROLS, Hidden, invisible
from agentbrief.text.invisible_payload import code_points, payload, written_in_bits
from agentbrief.text.span import Span

_CONTROL = re.compile(f"[{CONTROLS}]")
_STAND_INS = {
    control: f"⟦{code_points(control)}⟧"
    for control in map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
}
_INVISIBLE_CATEGORIES = frozenset({"Cc", "Cf", "Mn", "Me", "Mc", "Cn"})
_FARTHEST = 16
"""How far the next character that can be seen is looked for."""


def visible(text: str) -> str:
    """``text`` with a stand-in for each character that cannot be seen: ``⟦tag: …⟧`` for text in tag
    characters, ``⟦U+202E⟧`` for one that says nothing. Comments and blanks stay as they are.
    """
    pieces: list[str] = []
    position = 0
    for hidden in invisible(text):
        if hidden.kind in ("easy-to-miss-text", "direction-control"):
            continue
        pieces.append(visible_controls(text[position : hidden.span.start]))
        pieces.append(_stand_in(text, hidden))
        position = hidden.span.end
    pieces.append(visible_controls(text[position:]))
    return "".join(pieces)


def visible_controls(text: str) -> str:
    """``text`` with each direction control shown as ``⟦U+202E⟧``."""
    return text if text.isascii() else _CONTROL.sub(lambda match: _STAND_INS[match[0]], text)


def wider(text: str, span: Span) -> Span:
    """``span`` with the nearest character that can be seen on each side of it, inside the line: a mark under
    nothing but zero-width characters is too small to see.
    """
    start, end = span.start, span.end
    for offset in range(start - 1, max(start - 1 - _FARTHEST, -1), -1):
        if text[offset] in "\r\n":
            break
        if _can_be_seen(text[offset]):
            start = offset
            break
    for offset in range(end, min(end + _FARTHEST, len(text))):
        if text[offset] in "\r\n":
            break
        if _can_be_seen(text[offset]):
            end = offset + 1
            break
    return Span(start, end)


def _can_be_seen(char: str) -> bool:
    return unicodedata.category(char) not in _INVISIBLE_CATEGORIES


def _stand_in(text: str, hidden: Hidden) -> str:
    characters = text[hidden.span.start : hidden.span.end]
    if hidden.kind == "variation-selector-data":
        return f"⟦selectors: {payload(text, hidden)}⟧"
    if hidden.kind == "hidden-text" and (said := payload(text, hidden)):
        return f"⟦tag: {said}⟧"
    if hidden.kind == "invisible-character" and (said := written_in_bits(characters) or ""):
        return f"⟦zero-width: {said}⟧"
    return "".join(f"⟦{code_points(char)}⟧" for char in characters)
