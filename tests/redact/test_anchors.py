"""No anchor that stands in a text is overlooked."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agentbrief.redact.anchors import Anchors
from agentbrief.redact.shapes import SHAPES

ANCHORS = tuple(dict.fromkeys(anchor for shape in SHAPES for anchor in shape.anchors))
PIECES = st.sampled_from(
    [*ANCHORS, *(anchor[:-1] for anchor in ANCHORS), *(anchor[1:] for anchor in ANCHORS)]
)


@given(st.lists(PIECES | st.text(max_size=3), max_size=8))
def test_each_that_is_there_is_possible(pieces: list[str]) -> None:
    text = "".join(pieces)
    assert {anchor for anchor in ANCHORS if anchor in text} <= Anchors(ANCHORS).possible_in(text)


def test_prose_holds_none() -> None:
    prose = (
        "The quick task-list of a risky mask: ask_for_it, e.g. 10.5 % of what Kay did; see README.md. " * 20
    )
    assert Anchors(ANCHORS).possible_in(prose) <= {each for each in ANCHORS if "-" in each}
    assert Anchors(ANCHORS).possible_in("what is said in plain words") == frozenset()


def test_an_anchor_alone_is_found_by_any_character() -> None:
    for anchor in ("a", "ab", "::", "a.b", "-----BEGIN", "日本"):
        assert anchor in Anchors([anchor]).possible_in(f"x{anchor}y")
        assert Anchors([anchor]).possible_in("nothing of it" if anchor != "a" else "xyz") == frozenset()
