"""R7 A file that another process changes between our read and our rewrite is refused, and stays as it is."""

from __future__ import annotations

from tests.disk.checks import hooks_of_a_rewrite


def test_a_change_before_any_call_is_a_conflict() -> None:
    tried = list(hooks_of_a_rewrite())
    assert [wrong for wrong in tried if wrong] == []
    assert len(tried) >= 5 * 20
