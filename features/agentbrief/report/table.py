"""How is a table written in Markdown?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from agentbrief.text.columns import columns


def table(header: Sequence[str], rows: Iterable[Sequence[str]], right: frozenset[int] = frozenset()) -> str:
    """A Markdown table, its columns padded so that the source reads as a table.

    Those in ``right`` stand to the right.
    """
    lines = [list(header), *(list(row) for row in rows)]
    widths = [max(3, *(columns(line[column]) for line in lines)) for column in range(len(header))]
    rule = [
        "-" * (width - 1) + ":" if column in right else "-" * width for column, width in enumerate(widths)
    ]
    shown = [
        [_padded(cell, widths[column], column in right) for column, cell in enumerate(line)] for line in lines
    ]
    return "\n".join("| " + " | ".join(line) + " |" for line in (shown[0], rule, *shown[1:]))


_BAR = re.compile(r"(?<!\\)((?:\\\\)*)\|")
"""A bar after an even number of backslashes."""


def cell(text: str) -> str:
    """``text``, which is Markdown, as it may stand in a cell: bars and line ends would end it.

    A bar that has a backslash before it already is left alone.
    """
    return _BAR.sub(r"\1\\|", text).replace("\n", " ")


def _padded(text: str, width: int, right: bool) -> str:
    blanks = " " * (width - columns(text))
    return blanks + text if right else text + blanks
