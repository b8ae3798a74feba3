"""Which message of a history became which, and what did a step do to it?"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.pi.context import RawMessage

Block = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Held:
    """A message on its way through the steps. ``origin`` is its place in the history that was given, from 0;

    None for one that was made on the way.
    """

    value: RawMessage = field(hash=False)
    origin: int | None

    @property
    def role(self) -> str:
        """The role as the file has it."""
        role = self.value.get("role")
        return role if isinstance(role, str) else ""

    @property
    def blocks(self) -> list[JsonValue] | None:
        """The content if it is a list."""
        content = self.value.get("content")
        return content if isinstance(content, list) else None

    def with_value(self, value: RawMessage) -> Held:
        """The same message, said otherwise; itself where ``value`` is its own."""
        return self if value is self.value else Held(value, self.origin)

    def with_blocks(self, blocks: list[JsonValue]) -> Held:
        """The same message with other content."""
        return Held({**self.value, "content": blocks}, self.origin)


@dataclass(frozen=True, slots=True)
class StepReport:
    """What one step did: the places, in the history that was given, of the messages it changed, dropped and

    moved, and how many it made up.
    """

    step: str
    changed: tuple[int, ...] = ()
    dropped: tuple[int, ...] = ()
    moved: tuple[int, ...] = ()
    made: int = 0

    @property
    def is_idle(self) -> bool:
        """Whether the step left the history alone."""
        return not (self.changed or self.dropped or self.moved or self.made)


def report(step: str, before: Sequence[Held], after: Sequence[Held]) -> StepReport:
    """What ``step`` did between ``before`` and ``after``."""
    old = {held.origin: held for held in before if held.origin is not None}
    stayed = {held.origin: held for held in after if held.origin is not None}
    expected = [origin for origin in old if origin in stayed]
    return StepReport(
        step,
        tuple(origin for origin in expected if stayed[origin].value is not old[origin].value),
        tuple(origin for origin in old if origin not in stayed),
        tuple(origin for origin, other in zip(stayed, expected, strict=True) if origin != other),
        _made(after) - _made(before),
    )


def _made(messages: Iterable[Held]) -> int:
    return sum(held.origin is None for held in messages)


def each(messages: Iterable[Held], role: str, change: Callable[[Held], Held | None]) -> list[Held]:
    """``messages``, those of ``role`` changed, or dropped where ``change`` gives None."""
    found: list[Held] = []
    for held in messages:
        changed = change(held) if held.role == role else held
        if changed is not None:
            found.append(changed)
    return found
