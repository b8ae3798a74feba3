"""What do the first and the last records of a transcript say about it?

Enough for a row in a list; the records between are not read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol

from agentbrief.jsonio import JsonValue, loads

Value = dict[str, JsonValue]


@dataclass(frozen=True, slots=True)
class Sketch:
    """What is known of a session without reading it whole; None: nothing says it.

    ``given_title`` by the user, ``made_title`` by the agent. ``telling_prompt`` is the first typed prompt
    that is more than a greeting. ``used_tokens`` is what the last call took in, as the agent reports it, and
    ``window_tokens`` the context of the model where the session states it. ``parent_id``: the session that
    this one was forked from or works for.
    """

    session_id: str | None = None
    cwd: str | None = None
    version: str | None = None
    model: str | None = None
    branch: str | None = None
    first_time: str | None = None
    last_time: str | None = None
    given_title: str | None = None
    made_title: str | None = None
    prompt: str | None = None
    telling_prompt: str | None = None
    parent_id: str | None = None
    is_subagent: bool = False
    used_tokens: int | None = None
    window_tokens: int | None = None


NOTHING = Sketch()


class Sketcher(Protocol):
    """How one format is sketched."""

    def sketch(self, head: Sequence[bytes], tail: Sequence[bytes]) -> Sketch:
        """What the complete lines at the head and at the tail of a file say, in their order."""
        ...

    def prompt_in(self, line: bytes) -> str | None:
        """What a person typed on ``line``; None for any other line, quickly."""
        ...


def values_of(lines: Iterable[bytes]) -> list[Value]:
    """The objects that ``lines`` hold; a line that holds none is passed over."""
    return [value for line in lines if (value := value_of(line)) is not None]


def value_of(line: bytes) -> Value | None:
    """The object that ``line`` holds; None if it holds none."""
    try:
        value = loads(line)
    except ValueError:
        return None
    return value if isinstance(value, dict) else None


def with_any(lines: Iterable[bytes], words: Sequence[bytes]) -> list[bytes]:
    """Those ``lines`` that hold one of ``words``; what they mean is told by decoding them."""
    return [line for line in lines if any(word in line for word in words)]


def last_of(lines: Sequence[bytes], word: bytes, wanted: Callable[[Value], bool]) -> Value | None:
    """The last object among the lines with ``word`` that is ``wanted``."""
    for line in reversed(lines):
        if word in line and (value := value_of(line)) is not None and wanted(value):
            return value
    return None


def first_text(values: Iterable[Value], key: str) -> str | None:
    """The first text that one of ``values`` has at ``key``."""
    return next((found for value in values if isinstance(found := value.get(key), str) and found), None)
