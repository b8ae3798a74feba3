"""How full is the context of a pi or OpenClaw session that is being written?

The last reply that states what its context took counts, and what follows it is estimated.

Source: openclaw.md 8.3; badlogic/pi-mono packages/coding-agent/src/core/compaction/compaction.ts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.context_used import ContextUsed, Kind, context_used, tokens_of_chars
from agentbrief.sessions.jsonl.lines import Record
from agentbrief.sessions.model import Text, Thinking, ToolResult, ToolUse
from agentbrief.sessions.path_sums import NO_CHARS, Chars, PathSums, between, by_kind, plus
from agentbrief.sessions.pi.messages import is_delivery_mirror, messages_of
from agentbrief.sessions.pi.versions import VERSION, as_current
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


class _Upto(NamedTuple):
    """What the entries from the root up to ``kept`` come to.

    ``above`` is that of the entry before; ``compaction_above`` that of the last compaction above, and so on:
    the last that reports tokens, the last that names a model. ``tokens`` are the estimate, entry by entry.
    """

    kept: _Kept
    above: _Upto | None
    compaction_above: _Upto | None
    reported_above: _Upto | None
    model_above: _Upto | None
    depth: int
    chars: Chars
    tokens: int

    @property
    def compaction(self) -> _Upto | None:
        """The last compaction."""
        return self if self.kept.is_compaction else self.compaction_above

    @property
    def reported(self) -> _Upto | None:
        """The last entry that says how many tokens its context took."""
        return self if self.kept.reported else self.reported_above

    @property
    def model(self) -> _Upto | None:
        """The last entry that names a model."""
        return self if self.kept.model else self.model_above


class PiContext:
    """Keeps an entry a record; of two with one identifier the last."""

    def __init__(self) -> None:
        self._by_id: dict[str, _Kept] = {}
        self._missed: set[str] = set()
        self._sums: PathSums[_Kept, _Upto] = PathSums(self._by_id, lambda kept: kept.parent_id, _with)
        self._leaf: str | None = None
        self.compactions = 0

    def take(self, record: Record) -> None:
        """Take the next record."""
        identifier = record.value.get("id")
        if record.value.get("type") == "session" or not isinstance(identifier, str):
            return
        kept = _kept(record, identifier)
        if identifier in self._by_id or identifier in self._missed:
            self._sums.forget()
        self._by_id[identifier] = kept
        if kept.parent_id is not None and kept.parent_id not in self._by_id:
            self._missed.add(kept.parent_id)
        self._leaf = identifier
        self.compactions += kept.is_compaction

    def used(self) -> ContextUsed:
        """The context at the last entry: from the last compaction on, with what that kept."""
        at = self._sums.at(self._leaf)
        if at is None:
            return context_used({}, None)
        compaction = at.compaction
        start = self._first_kept(compaction) if compaction is not None else None
        model = at.model
        if model is not None and compaction is not None and model.depth < (start or compaction).depth:
            model = None
        name = model.kept.model if model is not None else None
        chars = by_kind(_chars_from(at, compaction, start))
        reported = at.reported
        # What stood before the summary took place in a context that is gone.
        if reported is None or (compaction is not None and reported.depth < compaction.depth):
            return context_used(chars, None, model=name)
        trailing = at.tokens - reported.tokens
        line = reported.kept.line
        found = context_used(chars, reported.kept.reported + trailing, model=name, line=line)
        if not trailing:
            return found
        return ContextUsed(found.tokens, False, found.by_kind, name, line)

    def _first_kept(self, compaction: _Upto) -> _Upto | None:
        """The first entry that ``compaction`` kept; None if it kept none of those above it."""
        first = compaction.kept.first_kept_id
        at = compaction.above if first in self._by_id else None
        while at is not None and at.kept.id != first:
            at = at.above
        return at


def _with(before: _Upto | None, kept: _Kept) -> _Upto:
    """What the entries come to with ``kept`` behind those ``before``."""
    chars = before.chars if before is not None else NO_CHARS
    return _Upto(
        kept,
        before,
        before.compaction if before is not None else None,
        before.reported if before is not None else None,
        before.model if before is not None else None,
        before.depth + 1 if before is not None else 0,
        plus(chars, kept.sizes) if kept.sizes else chars,
        (before.tokens if before is not None else 0) + tokens_of_chars(sum(size for _, size in kept.sizes)),
    )


def _chars_from(at: _Upto, compaction: _Upto | None, start: _Upto | None) -> Chars:
    """The code points up to ``at`` from ``compaction`` on, with those that it kept from ``start`` on."""
    if compaction is None:
        return at.chars
    first = start or compaction
    above = first.above.chars if first.above is not None else NO_CHARS
    return between(at.chars, above)


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
    # A compaction is no reply, whatever else it holds.
    message: Mapping[str, JsonValue] = raw if isinstance(raw, dict) and entry.type != "compaction" else {}
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
