"""How is a budget drawn? As a small picture where an editor shows images, else as a bar of characters.

Pictures hold no words but a title, no script, no link and no outside reference. Colours are mid-tones that
stand out on light and dark grounds alike; cut and reserve are hatched too, so that nothing is told by colour
alone.
"""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from xml.sax.saxutils import escape

COLOURS = ("#2f7fc1", "#bf6f1f", "#3d8f4e", "#9461c9", "#1f8f8f", "#cf5350")
GREY = "#7d7d7d"
WIDTH, HEIGHT = 480, 24
MOST_SEGMENTS = 12
_GAP = 1.0
_NARROWEST = 2.0

Style = Literal["solid", "cut", "reserve", "free"]


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a bar: its words, its size in the bar's unit, and how it is drawn."""

    label: str
    size: int
    colour: str = GREY
    style: Style = "solid"


def percent(size: int, total: int) -> int:
    """``size`` in hundredths of ``total``, rounded; 0 where there is no total."""
    return round(100 * size / total) if total > 0 else 0


def alternative(segments: Sequence[Segment], total: int) -> str:
    """The picture in words: every part of one percent or more."""
    return ", ".join(
        f"{each.label} {percent(each.size, total)} %" for each in segments if percent(each.size, total) >= 1
    )


def svg_bar(segments: Sequence[Segment], total: int, title: str) -> str:
    """A bar of 480 × 24 as SVG; beyond twelve segments the smallest become one."""
    drawn = _fewer(segments)
    scale = WIDTH / max(total, sum(each.size for each in drawn), 1)
    pieces: list[str] = []
    x = 0.0
    patterns = ""
    for each in drawn:
        width = max(each.size * scale, _NARROWEST)
        shown = max(width - _GAP, 1.0)
        if x + shown > WIDTH:
            shown = max(WIDTH - x, 0.0)
        if each.style == "free":
            pieces.append(
                f'<rect x="{x + 0.5:.1f}" y="2.5" width="{max(shown - 1, 0):.1f}" height="19" '
                f'fill="none" stroke="{GREY}"/>'
            )
        else:
            colour = {"cut": COLOURS[5], "reserve": GREY}.get(each.style, each.colour)
            fill = colour if each.style == "solid" else f"url(#{each.style})"
            if each.style != "solid" and f'id="{each.style}"' not in patterns:
                patterns += (
                    f'<pattern id="{each.style}" width="6" height="6" patternUnits="userSpaceOnUse" '
                    f'patternTransform="rotate(45)"><rect width="3" height="6" fill="{colour}"/></pattern>'
                )
            pieces.append(f'<rect x="{x:.1f}" y="2" width="{shown:.1f}" height="20" fill="{fill}"/>')
        x += width
    defs = f"<defs>{patterns}</defs>" if patterns else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{escape(title)}</title>'
        f"{defs}{''.join(pieces)}</svg>"
    )


def swatch(colour: str, title: str) -> str:
    """A square of one colour as SVG, for a legend."""
    return (
        '<svg xmlns="http://www.w3.org/2000/svg" width="12" height="12" role="img">'
        f'<title>{escape(title)}</title><rect width="12" height="12" fill="{colour}"/></svg>'
    )


def mark(colour: str) -> str:
    """A square of one of our colours in a table; its picture stands in :func:`swatch_references`."""
    number = COLOURS.index(colour)
    return f"![{number + 1}][c{number}]"


def marks(segments: Sequence[Segment]) -> tuple[str, ...]:
    """The square of each segment: none for what is hatched, free, or drawn together with others."""
    drawn = _fewer(segments)
    return tuple(mark(each.colour) if each.style == "solid" and each in drawn else "" for each in segments)


def swatch_references(text: str) -> list[str]:
    """The pictures of the squares in ``text``, one Markdown reference a line."""
    used = [colour for colour in COLOURS if mark(colour) in text]
    return [f"[c{COLOURS.index(each)}]: {data_image(swatch(each, each))}" for each in used]


def data_image(svg: str) -> str:
    """The address of a picture that is carried in the text itself."""
    return "data:image/svg+xml;base64," + base64.b64encode(svg.encode()).decode()


def text_bar(size: int, total: int, width: int = 20) -> str:
    """A bar of characters: ``size`` of ``total``."""
    filled = min(width, round(width * size / total)) if total > 0 else 0
    return "▓" * filled + "░" * (width - filled)


def _fewer(segments: Sequence[Segment]) -> list[Segment]:
    drawn = [each for each in segments if each.size > 0]
    if len(drawn) <= MOST_SEGMENTS:
        return drawn
    special = [each for each in drawn if each.style != "solid"]
    solid = sorted((each for each in drawn if each.style == "solid"), key=lambda each: -each.size)
    room = MOST_SEGMENTS - len(special) - 1
    kept = solid[:room]
    others = Segment("…", sum(each.size for each in solid[room:]))
    return [*(each for each in drawn if each in kept), others, *special]
