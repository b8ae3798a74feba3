"""Which areas of the user cases are run against the readers of sessions, and which not yet?

``SUPPORTED`` has for each area the cases that are run, None for all. ``tests/cases/test_coverage.py`` lists
the rest by area, so that nothing is left out without a word.
"""

from __future__ import annotations

from tests.cases.build import UserCase

SUPPORTED: dict[str, frozenset[str] | None] = {
    "transcript": None,
    "storage": None,
    "compaction": None,
    "token-counts": frozenset(("usage-double-count", "usage-codex-reemit")),
    "duplication": frozenset(("nested-repeat",)),
}


def supported(case: UserCase) -> bool:
    """Whether the case is run in ``test_session_cases.py``."""
    if case.area not in SUPPORTED:
        return False
    ids = SUPPORTED[case.area]
    return ids is None or case.id in ids or bool(case.repro.get("transcripts"))
