"""An agent's limits and defaults are written in its data and nowhere else."""

from __future__ import annotations

import ast

from tests.house.sources import FEATURES, SERVER, Source, sources

LIMITS = {
    4000,
    12000,
    10000,
    20000,
    16384,
    32768,
    40000,
    60000,
    150000,
    176000,
    180000,
    200000,
    13000,
    25600,
    3000,
    1800,
}


def numbers(source: Source) -> list[tuple[int, int]]:
    return [
        (node.value, node.lineno)
        for node in ast.walk(source.tree)
        if isinstance(node, ast.Constant) and type(node.value) is int and node.value in LIMITS
    ]


def test_limits_stand_in_profile_data() -> None:
    found = [
        f"{source.name}:{line} {value}"
        for source in (*sources(FEATURES), *sources(SERVER))
        for value, line in numbers(source)
    ]
    assert found == []


def test_the_rule_sees_a_planted_number() -> None:
    tree = ast.parse("limit = 4_000")
    assert numbers(Source("x", FEATURES, "", tree)) == [(4000, 1)]
