"""What did a session cost? Each call to a model once, however often its numbers stand in the files.

Source: agents.md 9.1 (Usage); ryoppippi/ccusage rust/crates/ccusage/src/adapter/claude/mod.rs for the key.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from agentbrief.sessions.model import Usage

NOTHING = Usage()


class Call(NamedTuple):
    """The numbers of one call as one line has them.

    ``key`` and ``request`` name the call (None: the line is a call of its own); ``line`` counts from 1.
    ``is_copied``: the line was taken over from another session, which counts it.
    """

    line: int
    usage: Usage
    key: str | None = None
    request: str | None = None
    is_sidechain: bool = False
    is_copied: bool = False


def distinct(calls: Iterable[Call]) -> tuple[Call, ...]:
    """One line for each call, in the order of first mention.

    Two lines are one call if key and request are equal; the key alone decides where one of them has no
    request or where one of them is sidechain and the other is not. Of the copies the one on the main chain
    stays, then the one with the largest sum.
    """
    groups: dict[str, list[int]] = {}
    kept: list[Call] = []
    for call in calls:
        if call.key is None:
            kept.append(call)
            continue
        known = groups.setdefault(call.key, [])
        for place in known:
            if _same(kept[place], call):
                kept[place] = _better(kept[place], call)
                break
        else:
            known.append(len(kept))
            kept.append(call)
    return tuple(kept)


def summed(calls: Iterable[Call]) -> Usage:
    """The sum over ``calls`` as they are; :func:`distinct` first, or copies count again."""
    return total(call.usage for call in calls)


def session_usage(calls: Iterable[Call]) -> Usage:
    """What the session itself spent: its distinct calls, lines copied from another session left out."""
    return summed(distinct(call for call in calls if not call.is_copied))


def total(parts: Iterable[Usage]) -> Usage:
    """The sum of ``parts``."""
    parts = tuple(parts)
    return Usage(
        sum(part.input for part in parts),
        sum(part.output for part in parts),
        sum(part.cache_creation_input for part in parts),
        sum(part.cache_read_input for part in parts),
    )


def _same(one: Call, other: Call) -> bool:
    if one.request is None or other.request is None or one.is_sidechain != other.is_sidechain:
        return True
    return one.request == other.request


def _better(one: Call, other: Call) -> Call:
    if one.is_sidechain != other.is_sidechain:
        return other if one.is_sidechain else one
    return other if other.usage.total > one.usage.total else one
