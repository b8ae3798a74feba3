"""How the house reads: short modules, each with the question it answers, names that say something, no banned
calls.
"""

from __future__ import annotations

import ast

import pytest

from tests.house.sources import FEATURES, ROOT, SERVER, Source, sources

ALL = (*sources(FEATURES), *sources(SERVER))
NAMES = {"utils", "util", "helpers", "helper", "manager", "base", "common", "misc", "tools"}


@pytest.mark.parametrize("source", ALL, ids=lambda source: source.name)
def test_a_module_is_short_named_and_says_what_it_answers(source: Source) -> None:
    assert len(source.text.split("\n")) <= 301
    assert ast.get_docstring(source.tree), "no docstring"
    assert not NAMES & set(source.path.stem.split("_"))


def test_str_splitlines_is_banned() -> None:
    everywhere = [*FEATURES.rglob("*.py"), *SERVER.rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")]
    found = [
        str(path.relative_to(ROOT))
        for path in everywhere
        if ".splitlines(" in path.read_text(encoding="utf-8")
    ]
    assert found == []


def test_no_marker_is_left() -> None:
    markers = ("TO" + "DO", "FIX" + "ME", "XX" + "X", "raise NotImplemented" + "Error")
    found = [
        f"{source.name}: {marker}"
        for source in ALL
        for marker in markers
        if marker in source.text and source.room != "redact"
    ]
    assert found == []
