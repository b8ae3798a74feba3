"""What has come together on the way from the start of a talk to one of its records?

What is known at a record is made from what is known at the one above it, and kept. So a look at a talk that
grows costs the records that are new, not the whole way again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Generic, TypeVar

from agentbrief.sessions.context_used import KINDS, Kind

Entry = TypeVar("Entry")
Known = TypeVar("Known")

Chars = tuple[int, ...]
"""Code points of each of the :data:`KINDS`, in their order."""

NO_CHARS: Chars = (0,) * len(KINDS)
_PLACES = {kind: place for place, kind in enumerate(KINDS)}


class PathSums(Generic[Entry, Known]):
    """What is known at the records ``by_id``, which may grow.

    ``above`` says the identifier of the record that one hangs on, ``step`` what is known at a record by what
    is known above it (None: nothing stands there).
    """

    def __init__(
        self,
        by_id: Mapping[str, Entry],
        above: Callable[[Entry], str | None],
        step: Callable[[Known | None, Entry], Known],
    ) -> None:
        self._by_id = by_id
        self._above = above
        self._step = step
        self._known: dict[str, Known] = {}

    def at(self, leaf: str | None) -> Known | None:
        """What is known at ``leaf``; None where there is no such record."""
        way: dict[str, Entry] = {}
        current = leaf
        while current is not None and current not in self._known and current not in way:
            entry = self._by_id.get(current)
            if entry is None:
                break
            way[current] = entry
            current = self._above(entry)
        known = self._known.get(current) if current is not None else None
        for identifier in reversed(way):
            known = self._step(known, way[identifier])
            if current not in way:
                # A way that runs in a circle begins elsewhere for each of its records.
                self._known[identifier] = known
        return known

    def forget(self) -> None:
        """Keep nothing: records took another place."""
        self._known.clear()


def plus(chars: Chars, sizes: Iterable[tuple[Kind, int]], sign: int = 1) -> Chars:
    """``chars`` and ``sizes`` together; with ``sign`` -1 what is left without them."""
    found = list(chars)
    for kind, size in sizes:
        found[_PLACES[kind]] += sign * size
    return tuple(found)


def between(chars: Chars, before: Chars) -> Chars:
    """What came to ``before`` to make it ``chars``."""
    return tuple([now - then for now, then in zip(chars, before, strict=True)])


def by_kind(chars: Chars) -> dict[Kind, int]:
    """``chars`` by kind."""
    return dict(zip(KINDS, chars, strict=True))
