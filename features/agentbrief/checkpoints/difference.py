"""How many messages come and go when one state of a session takes the place of another?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from agentbrief.sessions.model import Message


@dataclass(frozen=True, slots=True)
class Difference:
    """So many messages are gone afterwards, and so many are new; the others stay."""

    removed: int
    added: int


def difference(before: Sequence[Message], after: Sequence[Message]) -> Difference:
    """What changes from ``before`` to ``after``.

    Messages are equal if they say the same, wherever they stand.

    One that only moved is not counted.
    """
    old, new = Counter(map(_said, before)), Counter(map(_said, after))
    return Difference((old - new).total(), (new - old).total())


def _said(message: Message) -> Hashable:
    return message.role, message.blocks, message.usage, message.id
