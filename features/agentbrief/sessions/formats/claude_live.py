"""How full is the context of a Claude Code session that is being written?

A record that hangs on one that is known adds to what is known there. What moves other records, such as a
compaction that keeps some, or a record that was missed before, has the chain made anew.
"""

from __future__ import annotations

from typing import NamedTuple

from agentbrief.sessions.context_used import ContextUsed, context_used
from agentbrief.sessions.formats.claude_chain import Chain, chain_of
from agentbrief.sessions.formats.claude_code import context_on
from agentbrief.sessions.formats.claude_entry import Entry, entry_of
from agentbrief.sessions.jsonl.lines import Record
from agentbrief.sessions.path_sums import NO_CHARS, Chars, PathSums, by_kind, plus

_NONE_KEPT = frozenset[str]()


class _Upto(NamedTuple):
    """What the records come to from the last compaction on up to ``entry``.

    ``above`` is that of the record before, None at a compaction. ``call_above`` is that of the last record
    above that states a call, ``kept`` are those messages among the records that the compaction kept,
    ``last_line`` is the largest line number. ``model`` may be stated before the compaction.
    """

    entry: Entry
    above: _Upto | None
    call_above: _Upto | None
    boundary: Entry | None
    kept: frozenset[str]
    chars: Chars
    last_line: int
    model: str | None

    @property
    def call(self) -> _Upto | None:
        """The last record that states a call."""
        return self if self.entry.is_call else self.call_above


class ClaudeContext:
    """Keeps an entry a record."""

    def __init__(self) -> None:
        self._entries: list[Entry] = []
        self._is_current = True
        self.compactions = 0
        self._arrange(chain_of(()))

    def take(self, record: Record) -> None:
        """Take the next record."""
        entry = entry_of(record)
        self._entries.append(entry)
        self.compactions += entry.compaction is not None
        if entry.id is None or not self._is_current:
            return
        if self._leaf is not None and entry.is_sidechain != self._leaf.is_sidechain:
            # A subagent's record is no part of the chain; the first of the session itself ends one of those.
            self._is_current = entry.is_sidechain
        elif entry.id in self._by_id:
            return
        elif entry.id in self._missed or self._moves_others(entry):
            self._is_current = False
        else:
            self._by_id[entry.id] = entry
            self._parents[entry.id] = entry.parent_id
            self._note(entry)

    def used(self) -> ContextUsed:
        """What the last call on the chain took in, else an estimate."""
        if not self._is_current:
            self._arrange(chain_of(self._entries))
            self._is_current = True
        at = self._sums.at(self._leaf.id) if self._leaf is not None else None
        if at is None:
            return context_used({}, None)
        boundary = at.boundary.compaction if at.boundary is not None else None
        if boundary is not None and any(each in self._by_id for each in boundary.kept if each not in at.kept):
            # Messages that the compaction kept and that nothing hangs on: they are put in their place.
            return context_on(Chain((at.entry,), self._by_id, self._parents).model_path(), at.model)
        call = at.call
        if call is None:
            after = boundary.boundary.after_tokens if boundary is not None else None
            return context_used(by_kind(at.chars), after, model=at.model)
        usage = call.entry.usage
        reported = usage.input + usage.cache_creation_input + usage.cache_read_input if usage else None
        return context_used(by_kind(self._chars_before(call)), reported, model=at.model, line=call.entry.line)

    def _arrange(self, chain: Chain) -> None:
        """Start from ``chain``."""
        self._by_id = dict(chain.by_id)
        self._parents = dict(chain.parents)
        self._leaf: Entry | None = None
        self._missed: set[str] = set()
        self._reply_lines: dict[str, int] = {}
        self._sums: PathSums[Entry, _Upto] = PathSums(self._by_id, self._above, _with)
        for entry in chain.entries:
            self._note(entry)

    def _note(self, entry: Entry) -> None:
        """Know ``entry``, the last one of the chain, by what it names."""
        self._leaf = entry
        if entry.message_id is not None:
            self._reply_lines.setdefault(entry.message_id, entry.line)
        named = [self._above(entry), entry.compaction.head if entry.compaction is not None else None]
        self._missed.update(each for each in named if each is not None and each not in self._by_id)

    def _above(self, entry: Entry) -> str | None:
        """The record that ``entry`` hangs on for a reader, whom a compaction does not stop."""
        parent = self._parents[entry.id] if entry.id is not None else None
        return entry.logical_parent_id if parent is None and entry.compaction is not None else parent

    def _moves_others(self, entry: Entry) -> bool:
        """Whether ``entry`` gives records before it another place: it kept some, or they may hang on it."""
        above = self._by_id.get(entry.parent_id) if entry.is_summary and entry.parent_id else None
        compaction = above.compaction if above is not None else entry.compaction
        return compaction is not None and compaction.head is not None

    def _chars_before(self, call: _Upto) -> Chars:
        """What the model was sent at ``call``: the records above it, less the other lines of its reply."""
        message_id = call.entry.message_id
        chars = plus(call.chars, call.entry.sizes, -1)
        at = call.above
        # No line of the reply stands before the first of them.
        while message_id is not None and at is not None and at.last_line >= self._reply_lines[message_id]:
            if at.entry.message_id == message_id:
                chars = plus(chars, at.entry.sizes, -1)
            at = at.above
        return chars


def _with(before: _Upto | None, entry: Entry) -> _Upto:
    """What the records come to with ``entry`` behind those ``before``."""
    model = entry.model or (before.model if before is not None else None)
    if before is None or entry.compaction is not None:
        boundary = entry if entry.compaction is not None else None
        chars = plus(NO_CHARS, entry.sizes)
        return _Upto(entry, None, None, boundary, _NONE_KEPT, chars, entry.line, model)
    boundary, kept = before.boundary, before.kept
    if boundary is not None and boundary.compaction is not None and entry.id in boundary.compaction.kept:
        kept = kept | {entry.id}
    chars = plus(before.chars, entry.sizes) if entry.sizes else before.chars
    last_line = max(before.last_line, entry.line)
    return _Upto(entry, before, before.call, boundary, kept, chars, last_line, model)
