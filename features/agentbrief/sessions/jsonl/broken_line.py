"""Which whole records stand on a line that is no record?

Two writers, a crash between two writes or a lost newline put more than one record, or pieces of some, on one
line. A whole record is offered by a repair only if it is not merely an inner value of the piece around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.jsonl.json_tokens import walk

_RECORD_KEYS = frozenset(("parentId", "parentUuid", "timestamp"))
"""An inner value of a record has none of these beside its ``type``; every agent's records have one."""

_NUL_RUN = re.compile(rb"\x00+")
_BLANK = b" \t\r\n\v\f"


class Whole(NamedTuple):
    """A complete object on a line: ``[start, end)`` in bytes of the line."""

    start: int
    end: int
    value: dict[str, JsonValue]


class Parts(NamedTuple):
    """What a line consists of: its complete objects in order, and whether anything else stands on it."""

    whole: tuple[Whole, ...]
    has_pieces: bool

    @property
    def records(self) -> tuple[Whole, ...]:
        """The complete objects that say what they are."""
        return tuple(part for part in self.whole if isinstance(part.value.get("type"), str))


def parts(line: bytes, loads: Callable[[bytes], JsonValue]) -> Parts:
    """What ``line`` consists of; ``loads`` decides whether a complete object can be read."""
    whole: list[Whole] = []
    has_pieces = False
    position = _skip_blank(line, 0)
    while position < len(line):
        followed = walk(line, position) if line[position : position + 1] == b"{" else None
        found = None
        if followed is not None and followed.end is not None:
            found = _object(line, position, followed.end, loads)
            following = followed.end
        elif followed is not None and followed.inner is not None:
            found = _object(line, *followed.inner, loads)
            if found is not None and not _is_record(found.value):
                found = None
            has_pieces = True
            following = followed.inner[1] if found else followed.stop
        else:
            following = (
                _next_start(line, position, followed.stop, followed.string) if followed else position + 1
            )
        if found is not None:
            whole.append(found)
        else:
            has_pieces = True
            following = line.find(b"{", max(following, position + 1))
            if following < 0:
                break
        position = _skip_blank(line, following)
    return Parts(tuple(whole), has_pieces)


def parts_between_nuls(line: bytes, loads: Callable[[bytes], JsonValue]) -> Parts:
    """What stands on ``line`` before, between and behind its runs of NUL bytes."""
    whole: list[Whole] = []
    start = 0
    for run in [*_NUL_RUN.finditer(line), None]:
        end = run.start() if run else len(line)
        found = parts(line[start:end], loads)
        whole += [Whole(start + part.start, start + part.end, part.value) for part in found.whole]
        start = run.end() if run else end
    return Parts(tuple(whole), True)


def _next_start(line: bytes, position: int, stop: int, string: tuple[int, int] | None) -> int:
    """Where the next record may begin after a piece that goes wrong at ``stop``.

    A record that was written into an open string ends that string with its own first quote: the brace before
    it is then the last one inside the string. A brace that stands at ``stop`` itself needs no such guess.
    """
    if string is not None and line[stop : stop + 1] != b"{":
        brace = line.rfind(b"{", max(string[0], position + 1), string[1])
        if brace >= 0:
            return brace
    return stop


def _object(line: bytes, start: int, end: int, loads: Callable[[bytes], JsonValue]) -> Whole | None:
    try:
        value = loads(line[start:end])
    except ValueError:
        return None
    return Whole(start, end, value) if isinstance(value, dict) else None


def _is_record(value: dict[str, JsonValue]) -> bool:
    return isinstance(value.get("type"), str) and not _RECORD_KEYS.isdisjoint(value)


def _skip_blank(line: bytes, position: int) -> int:
    while position < len(line) and line[position] in _BLANK:
        position += 1
    return position
