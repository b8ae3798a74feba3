"""Which identifiers of a Claude Code transcript were used twice, and where did two programs write at once?

Source: agents.md 8 (``transcript-duplicate-id``, ``transcript-forked-in-place``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agentbrief.sessions.facts import RepeatedId, TwoWriters
from agentbrief.sessions.formats.claude_chain import Chain
from agentbrief.sessions.formats.claude_entry import Entry
from agentbrief.sessions.times import ms_of

_ASIDE = frozenset(("attachment", "progress", "system"))
"""Types that stand between a prompt and the message it answers."""


def repeated_ids(entries: Iterable[Entry], chain: Chain) -> Iterable[RepeatedId]:
    """Records that share an identifier but not a parent, and calls of two messages that share one."""
    callers: dict[str, Entry] = {}
    for entry in entries:
        first = chain.by_id.get(entry.id or "")
        if entry.id and first is not None and first.line != entry.line:
            if first.parent_id != entry.parent_id:
                yield RepeatedId("record", entry.id, first.line, entry.line)
            continue
        for use in entry.blocks.uses:
            caller = callers.setdefault(use, entry)
            if (caller.message_id or caller.id) != (entry.message_id or entry.id):
                yield RepeatedId("tool-use", use, caller.line, entry.line)


def two_writers(chain: Chain) -> Iterable[TwoWriters]:
    """Prompts that answer one message while both of their branches were being written."""
    prompts: dict[str, list[Entry]] = {}
    for entry in chain.entries:
        if entry.is_prompt and (answered := _answered(entry, chain)):
            prompts.setdefault(answered, []).append(entry)
    forks = {answered: found for answered, found in prompts.items() if len(found) > 1}
    if not forks:
        return
    ends = _ends(chain)
    for answered, found in forks.items():
        first, latest_end = found[0], ends.get(found[0].id or "", 0)
        for other in found[1:]:
            if latest_end > _moment(other):
                yield TwoWriters(answered, first.line, other.line)
                break
            latest_end = max(latest_end, ends.get(other.id or "", 0))


def _answered(prompt: Entry, chain: Chain) -> str | None:
    """The record of the conversation that ``prompt`` follows, whatever was noted in between."""
    seen: set[str] = set()
    current = prompt.parent_id
    while current is not None and current not in seen:
        seen.add(current)
        entry = chain.by_id.get(current)
        if entry is None or entry.type not in _ASIDE or entry.compaction is not None:
            return current if entry is not None else None
        current = entry.parent_id
    return None


def _ends(chain: Chain) -> Mapping[str, int]:
    """For each record when the branch below it was last written to."""
    found: dict[str, int] = {}
    for entry in reversed(chain.entries):
        if entry.id is None:
            continue
        end = max(found.get(entry.id, 0), 0 if entry.type in _ASIDE else _moment(entry))
        found[entry.id] = end
        if entry.parent_id is not None:
            found[entry.parent_id] = max(found.get(entry.parent_id, 0), end)
    return found


def _moment(entry: Entry) -> int:
    """When the record was written, in ms; its line where it has no time."""
    moment = ms_of(entry.time)
    return entry.line if moment is None else moment
