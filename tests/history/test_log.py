"""The history log is one list, whatever its titles and details hold."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.history.log import HistoryEvent, HistoryLog

TEXTS = st.text(st.characters(codec="utf-8"), max_size=20)


def test_add_gives_a_new_log() -> None:
    empty = HistoryLog()
    one = empty.add("t", "d")
    assert empty.as_markdown() == "# Session History\n"
    assert one.as_markdown() == "# Session History\n\n- t: d"
    assert one == HistoryLog((HistoryEvent("t", "d"),))


@pytest.mark.parametrize(
    ("title", "shown"),
    [
        ("a\nb", "a b"),
        ("a \r\n\t b", "a b"),
        ("a\u2028b\x85c\x0bd", "a b c d"),
        ("a  b", "a  b"),
        ("\n", " "),
        ("a\u200b\nb", "a\u200b b"),
        ("a\x1cb", "a\x1cb"),
        ("a" + " " * 400_000 + "b", "a" + " " * 400_000 + "b"),
    ],
    ids=range(8),
)
def test_line_breaks_of_a_title_become_one_space(title: str, shown: str) -> None:
    assert HistoryEvent(title, "d").as_markdown() == f"- {shown}: d"


@settings(max_examples=200)
@given(st.lists(st.tuples(TEXTS, TEXTS), max_size=4))
def test_an_item_begins_only_where_an_event_does(events: list[tuple[str, str]]) -> None:
    log = HistoryLog(tuple(HistoryEvent(*event) for event in events))
    lines = log.as_markdown().split("\n")[2:]
    assert sum(line.startswith("- ") for line in lines) == len(events)
    assert all(line.startswith(("- ", "  ")) or not line for line in lines)


def test_a_record_is_one_line_with_its_time() -> None:
    record = HistoryEvent("t\n", "漢").record(7)
    assert record.decode() == '{"at_ms":7,"detail":"漢","title":"t\\n"}'
    assert json.loads(record) == {"at_ms": 7, "detail": "漢", "title": "t\n"}
