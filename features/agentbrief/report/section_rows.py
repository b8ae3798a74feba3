"""How much does each section of a file take, and does it reach the agent?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentbrief.brief import Brief, CutAt, Entry, Omitted
from agentbrief.brief.place import outline
from agentbrief.redact import mask
from agentbrief.text.markdown import Section
from agentbrief.text.span import Span

Reach = Literal["sent", "partly", "not-sent"]


@dataclass(frozen=True, slots=True)
class SectionRow:
    """A section with its size in characters, the part of it that is sent, and its share of the file in
    percent.
    """

    section: Section
    chars: int
    sent: int
    share: int

    @property
    def title(self) -> str:
        """The words of the heading as they may be shown; empty before the first heading."""
        return mask(self.section.title)

    @property
    def reach(self) -> Reach:
        """Whether the section is sent."""
        return "sent" if self.sent == self.chars else "partly" if self.sent else "not-sent"


def section_rows(text: str, sent: tuple[Span, ...]) -> tuple[SectionRow, ...]:
    """The sections of ``text`` in order; ``sent`` are the parts that reach the agent, none for nothing.

    White space at the ends of a file is no loss: the last section counts as sent when its words are.
    """
    rows: list[SectionRow] = []
    for section in outline(text):
        words = len(text[section.span.start : section.span.end].strip())
        start = section.span.start
        end = start + len(text[start : section.span.end].rstrip())
        first = start + (end - start - words)
        reached = sum(max(0, min(end, part.end) - max(start, part.start)) for part in sent)
        whole = any(part.start <= first and end <= part.end for part in sent)
        chars = len(section.span)
        rows.append(
            SectionRow(section, chars, chars if whole else reached, round(100 * chars / max(len(text), 1)))
        )
    return tuple(rows)


def largest(rows: tuple[SectionRow, ...]) -> tuple[SectionRow, ...]:
    """``rows`` by size, largest first."""
    return tuple(sorted(rows, key=lambda row: (-row.chars, row.section.span.start)))


def sent_span(brief: Brief, path: str) -> tuple[Span, ...]:
    """The parts of the file at ``path`` that are sent: its beginning, and its end if it lost its middle."""
    placed = brief.placement(path)
    if not isinstance(placed, Entry):
        return ()
    tail = placed.tail if isinstance(placed, CutAt) else None
    return (placed.sent,) if tail is None else (placed.sent, tail)


def is_omitted(brief: Brief, path: str) -> bool:
    """Whether the total limit leaves nothing for the file at ``path``."""
    placed = brief.placement(path)
    return isinstance(placed, Omitted) and placed.why == "budget"
