"""How are an earlier summary and a new one added up, so that nothing is nested, lost or growing for ever?

Source: claw.md 6.7, 6.11.
"""

from __future__ import annotations

from collections.abc import Iterable

from agentbrief.compaction.claw import grammar
from agentbrief.compaction.claw.cleaning import cut
from agentbrief.compaction.claw.summary import SummaryParts
from agentbrief.text.whitespace import trim_end


def merged(old: SummaryParts, new: SummaryParts) -> SummaryParts:
    """The summary of what ``old`` and then ``new`` sum up."""
    scope = new.scope
    if old.scope is not None:
        scope = old.scope if scope is None else old.scope.plus(scope)
    current = new.current
    if current is None and old.current is not None:
        current = cut(old.current, grammar.WORK_CHARS)
    notes = dict.fromkeys(cut(note, grammar.WORK_CHARS) for note in (*old.notes, *new.notes))
    return SummaryParts(
        scope,
        tuple(sorted({*old.tools, *new.tools})),
        _last_items(old.requests, new.requests),
        _last_items(old.pending, new.pending),
        tuple(sorted(list(dict.fromkeys((*new.files, *old.files)))[: grammar.MERGED_FILES])),
        current,
        tuple(notes)[-grammar.MERGED_NOTES :],
        old.timeline.then(new.timeline),
    )


def _last_items(old: Iterable[str], new: Iterable[str]) -> tuple[str, ...]:
    """The last six of both; of items that differ in blanks at their end only, the last stays."""
    found: dict[str, str] = {}
    for item in (*(cut(item, grammar.ITEM_CHARS) for item in old), *new):
        key = trim_end(item)
        found.pop(key, None)
        found[key] = item
    return tuple(found.values())[-grammar.MERGED_ITEMS :]
