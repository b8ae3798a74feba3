"""Which messages must stay together though no call and no result ties them?

Parts of one reply, and a thought with what it led to: told to the boundary as a call and its result, so that
one rule keeps all of them whole.
"""

from __future__ import annotations

from collections.abc import Sequence

from agentbrief.sessions.model import Message
from agentbrief.sessions.shapes import Shape, shape_of


def tied_shapes(messages: Sequence[Message], ties: Sequence[bool]) -> tuple[Shape, ...]:
    """The shapes of ``messages``; ``ties[i]`` says that message ``i`` must stay with the one before it."""
    found: list[Shape] = []
    for index, message in enumerate(messages):
        shape = shape_of(message)
        if index + 1 < len(messages) and ties[index + 1]:
            shape = shape._replace(calls=(*shape.calls, _tie(index)))
        if index and ties[index]:
            shape = shape._replace(results=(*shape.results, _tie(index - 1)))
        found.append(shape)
    return tuple(found)


def _tie(index: int) -> str:
    # no identifier of a call has a NUL in it
    return f"\0{index}"
