"""Does each colour of a bar stand in the table below it?"""

from __future__ import annotations

import re

from agentbrief.report import bars
from agentbrief.report.bars import COLOURS, MOST_SEGMENTS, Segment
from agentbrief.report.session_bars import session_section
from agentbrief.sessions.context_used import KINDS, Kind, SessionStatus

MARK = re.compile(r"!\[\d\]\[(c\d)\]")


def test_what_is_hatched_free_empty_or_drawn_with_others_has_no_square() -> None:
    plain = [Segment(f"part {place}", 100 - place, COLOURS[place % 6]) for place in range(20)]
    marks = bars.marks([*plain, Segment("lost", 5, style="cut"), Segment("none", 0, COLOURS[0])])
    shown = [place for place, mark in enumerate(marks) if mark]
    assert shown == list(range(MOST_SEGMENTS - 2))
    assert marks[1] == bars.mark(COLOURS[1])


def test_each_square_has_its_picture() -> None:
    text = f"{bars.mark(COLOURS[1])} and {bars.mark(COLOURS[4])}"
    assert [line.split(":")[0] for line in bars.swatch_references(text)] == ["[c1]", "[c4]"]


def test_the_kinds_of_a_session_have_theirs() -> None:
    sizes: tuple[tuple[Kind, int], ...] = tuple((kind, 1000 * place) for place, kind in enumerate(KINDS, 1))
    status = SessionStatus(
        "/s.jsonl", "s", sum(size for _, size in sizes), False, 200_000, sizes, None, "idle"
    )
    page = session_section(status, "A title", "en", pictures=True)
    named = MARK.findall(page)
    assert len(named) == len(KINDS)
    assert all(f"\n[{name}]: data:image/svg+xml;base64," in page for name in named)
    plain = session_section(status, "A title", "en", pictures=False)
    assert not MARK.findall(plain)
    assert "data:" not in plain
