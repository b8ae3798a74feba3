"""Where in the text of ``sessions.json`` do its keys and fields stand? Places in code points."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from agentbrief import jsonio
from agentbrief.sessions.store.text import Member, members
from agentbrief.text.span import Span

_STRING = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"', re.DOTALL)


@dataclass(frozen=True, slots=True)
class EntrySpan:
    """An entry in the text: its key, and its value."""

    name: str
    key: Span
    value: Span

    @property
    def whole(self) -> Span:
        """The key and the value."""
        return Span(self.key.start, self.value.end)


@dataclass(frozen=True, slots=True)
class StoreSpans:
    """The entries of a text by key, in file order; of a key that stands there twice the last."""

    text: str = field(repr=False)
    entries: Mapping[str, EntrySpan] = field(hash=False)

    def key(self, name: str) -> Span | None:
        """Where the key ``name`` stands."""
        found = self.entries.get(name)
        return found.key if found is not None else None

    def fields(self, name: str) -> Mapping[str, EntrySpan]:
        """The fields of the entry ``name``; none where it is no object."""
        found = self.entries.get(name)
        return _members(self.text, found.value) if found is not None else {}

    def at(self, offset: int) -> EntrySpan | None:
        """The entry whose key or value holds ``offset``."""
        return next(
            (each for each in self.entries.values() if each.whole.start <= offset <= each.whole.end), None
        )


def store_spans(text: str) -> StoreSpans:
    """The places of the entries of ``text``; none where it is no JSON object."""
    return StoreSpans(text, _members(text, Span(0, len(text))))


def error_place(text: str) -> int:
    """Where ``text`` stops being JSON; 0 where that is not known, or it is JSON."""
    try:
        jsonio.loads(text)
    except ValueError as error:
        found = getattr(error, "pos", 0)
        return min(found, max(0, len(text) - 1)) if isinstance(found, int) else 0
    return 0


def _members(text: str, span: Span) -> dict[str, EntrySpan]:
    piece = text[span.start : span.end]
    try:
        found = members(piece)
    except ValueError:
        return {}
    return {member.key: _entry(text, member, span.start) for member in found}


def _entry(text: str, member: Member, start: int) -> EntrySpan:
    key = _STRING.match(text, start + member.start)
    end = key.end() if key is not None else start + member.start
    return EntrySpan(
        member.key,
        Span(start + member.start, end),
        Span(start + member.value_start, start + member.end),
    )
