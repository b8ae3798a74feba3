"""What does a summary hold, and how is it written down?

The parts are values, so that an old summary and a new one can be added up; the text is the grammar of
claw.md 6.4, which claw-code reads too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agentbrief.compaction.claw import grammar


@dataclass(frozen=True, slots=True)
class Scope:
    """How many messages were compacted. ``messages`` counts those of the system too."""

    messages: int = 0
    user: int = 0
    assistant: int = 0
    tool: int = 0

    def plus(self, other: Scope) -> Scope:
        """Both together."""
        return Scope(
            self.messages + other.messages,
            self.user + other.user,
            self.assistant + other.assistant,
            self.tool + other.tool,
        )


@dataclass(frozen=True, slots=True)
class Timeline:
    """One item a message: the first ones, how many are not listed, and the last ones.

    With nothing hidden all of them are in ``first``.
    """

    first: tuple[str, ...] = ()
    hidden: int = 0
    last: tuple[str, ...] = ()

    def capped(self) -> Timeline:
        """The timeline with the first five items and the last 45, where there are more than 50."""
        if not self.hidden and len(self.first) <= grammar.LISTED_MESSAGES:
            return self
        first = self.first[: grammar.FIRST_LISTED]
        rest = (*self.first[grammar.FIRST_LISTED :], *self.last)
        last = rest[-grammar.LAST_LISTED :]
        return Timeline(first, self.hidden + len(rest) - len(last), last)

    def then(self, later: Timeline) -> Timeline:
        """This timeline and what came later, capped."""
        if not self.hidden:
            return Timeline((*self.first, *later.first), later.hidden, later.last).capped()
        # what stands before the hidden ones stays, all the rest is before or among the last
        rest = (*self.first[grammar.FIRST_LISTED :], *self.last, *later.first)
        first = self.first[: grammar.FIRST_LISTED]
        if later.hidden:
            return Timeline(first, self.hidden + len(rest) + later.hidden, later.last).capped()
        return Timeline(first, self.hidden, rest).capped()


@dataclass(frozen=True, slots=True)
class SummaryParts:
    """A summary taken apart. Texts are on one line and without tags; None and empty parts are left out."""

    scope: Scope | None = None
    tools: tuple[str, ...] = ()
    requests: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    current: str | None = None
    notes: tuple[str, ...] = ()
    timeline: Timeline = Timeline()


def summary_text(parts: SummaryParts) -> str:
    """The summary as it is stored, between its tags."""
    return "\n".join((grammar.START, grammar.TITLE, *_lines(parts), grammar.END))


def _lines(parts: SummaryParts) -> Iterator[str]:
    if parts.scope is not None:
        scope = parts.scope
        yield grammar.HEADER + grammar.scope_line(scope.messages, scope.user, scope.assistant, scope.tool)
    if parts.tools:
        yield f"{grammar.HEADER}{grammar.TOOLS}{', '.join(parts.tools)}."
    yield from _listed(grammar.REQUESTS, parts.requests)
    yield from _listed(grammar.PENDING, parts.pending)
    if parts.files:
        yield f"{grammar.HEADER}{grammar.FILES}{', '.join(parts.files)}."
    if parts.current is not None:
        yield f"{grammar.HEADER}{grammar.CURRENT}{parts.current}"
    yield from _listed(grammar.NOTES, parts.notes)
    yield grammar.HEADER + grammar.TIMELINE
    timeline = parts.timeline
    yield from (grammar.ITEM + item for item in timeline.first)
    if timeline.hidden:
        yield grammar.ITEM + grammar.hidden_messages(timeline.hidden)
    yield from (grammar.ITEM + item for item in timeline.last)


def _listed(header: str, items: tuple[str, ...]) -> Iterator[str]:
    if items:
        yield grammar.HEADER + header
        yield from (grammar.ITEM + item for item in items)
