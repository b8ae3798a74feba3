"""How full is the context of a pi or OpenClaw session that is being written?

The last reply that states what its context took counts, and what follows it is estimated.

Source: openclaw.md 8.3; badlogic/pi-mono packages/coding-agent/src/core/compaction/compaction.ts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.context_used import ContextUsed, Kind, chars_of, context_used, tokens_of_chars
from agentbrief.sessions.lines import Record
from agentbrief.sessions.model import Text, Thinking, ToolResult, ToolUse
from agentbrief.sessions.pi_messages import is_delivery_mirror, messages_of
from agentbrief.sessions.pi_versions import VERSION, as_current
from agentbrief.sessions.tree import TreeEntry

_PARTS = ("input", "output", "cacheRead", "cacheWrite")
Sizes = tuple[tuple[Kind, int], ...]


@dataclass(frozen=True, slots=True)
class _Kept:
    """An entry without its words. ``reported`` are the tokens that a reply says its context took."""

    id: str
    parent_id: str | None
    is_compaction: bool
    first_kept_id: str | None
    line: int
    sizes: Sizes
    reported: int
    model: str | None


class PiContext:
    """Keeps an entry a record; of two with one identifier the last."""

    def __init__(self) -> None:
        self._by_id: dict[str, _Kept] = {}
        self._leaf: str | None = None
        self.compactions = 0

    def take(self, record: Record) -> None:
        """Take the next record."""
        identifier = record.value.get("id")
        if record.value.get("type") == "session" or not isinstance(identifier, str):
            return
        kept = _kept(record, identifier)
        self._by_id[identifier] = kept
        self._leaf = identifier
        self.compactions += kept.is_compaction

    def used(self) -> ContextUsed:
        """The context at the last entry."""
        path = self._context()
        model = next((kept.model for kept in reversed(path) if kept.model), None)
        at = next((at for at in range(len(path) - 1, -1, -1) if path[at].reported), None)
        chars = chars_of(size for kept in path for size in kept.sizes)
        if at is None:
            return context_used(chars, None, model=model)
        trailing = sum(tokens_of_chars(sum(size for _, size in kept.sizes)) for kept in path[at + 1 :])
        found = context_used(chars, path[at].reported + trailing, model=model, line=path[at].line)
        if not trailing:
            return found
        return ContextUsed(found.tokens, False, found.by_kind, model, found.line)

    def _context(self) -> list[_Kept]:
        """The entries that the model sees, from the last compaction on, with what it kept."""
        path: list[_Kept] = []
        seen: set[str] = set()
        current = self._leaf
        while current is not None and current in self._by_id and current not in seen:
            seen.add(current)
            path.append(self._by_id[current])
            current = path[-1].parent_id
        path.reverse()
        at = next((at for at in range(len(path) - 1, -1, -1) if path[at].is_compaction), None)
        if at is None:
            return path
        first = path[at].first_kept_id
        start = next((index for index in range(at) if path[index].id == first), at)
        # What stood before the summary took place in a context that is gone.
        kept = [_without_report(entry) for entry in path[start:at]]
        return [path[at], *kept, *path[at + 1 :]]


def _kept(record: Record, identifier: str) -> _Kept:
    value = as_current(record.value, VERSION, (), ())
    kind, parent = value.get("type"), value.get("parentId")
    entry = TreeEntry(
        identifier,
        parent if isinstance(parent, str) else None,
        kind if isinstance(kind, str) else "",
        record.line,
        None,
        None,
        value,
    )
    first_kept = value.get("firstKeptEntryId")
    raw = value.get("message")
    message: Mapping[str, JsonValue] = raw if isinstance(raw, dict) else {}
    model = message.get("model")
    return _Kept(
        identifier,
        entry.parent_id,
        entry.type == "compaction",
        first_kept if isinstance(first_kept, str) else None,
        record.line,
        tuple(_sizes(entry)),
        _reported(message),
        model if isinstance(model, str) and not is_delivery_mirror(message) else None,
    )


def _sizes(entry: TreeEntry) -> Iterable[tuple[Kind, int]]:
    for message in messages_of((entry,)):
        for block in message.blocks:
            match block:
                case Text(text):
                    is_summary = entry.type in ("compaction", "branch_summary")
                    yield "summary" if is_summary else "messages", len(text)
                case Thinking(text):
                    yield "messages", len(text)
                case ToolUse(name=name, stored=stored):
                    yield "tool-calls", len(name) + len(stored)
                case ToolResult(output=output):
                    yield "tool-results", len(output)
                case _:
                    pass


def _reported(message: Mapping[str, JsonValue]) -> int:
    usage = message.get("usage")
    if message.get("role") != "assistant" or not isinstance(usage, dict) or is_delivery_mirror(message):
        return 0
    if message.get("stopReason") in ("aborted", "error"):
        return 0
    return _count(usage.get("totalTokens")) or sum(_count(usage.get(part)) for part in _PARTS)


def _count(value: JsonValue) -> int:
    is_count = isinstance(value, int | float) and not isinstance(value, bool) and 0 < value < 1e18
    return int(value) if is_count and isinstance(value, int | float) else 0


def _without_report(kept: _Kept) -> _Kept:
    return _Kept(
        kept.id,
        kept.parent_id,
        kept.is_compaction,
        kept.first_kept_id,
        kept.line,
        kept.sizes,
        0,
        kept.model,
    )
