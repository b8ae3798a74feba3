from orchard.trees import SORTS


def test_sorts():
    assert SORTS
