"""What are the shapes of the messages in a JSONL session, read as fast as a JSON library can?

Only plain files are read so: each line one object with the parts of the right types, as the strict reader
wants them. Of any other file nothing is said, and the strict reader has the word. No message is made before
it is asked for.

Source: claw.md 5.2, 5.3.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, overload

from agentbrief.jsonio import loads_inexact
from agentbrief.sessions.claw.messages import MAX_UINT32, ROLES, message_of
from agentbrief.sessions.model import Message, Slice
from agentbrief.sessions.shapes import Shape

_OTHER_TYPES = frozenset({"session_meta", "compaction", "prompt_history"})
_LISTS = frozenset((list,))
_BYTES_A_TOKEN = 4
_NOTHING: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class QuickLines:
    """The lines of a file: the shapes of its messages, and the places of all lines in bytes, LF left out.

    ``starts`` and ``ends`` are those of the messages, ``others`` the places of the other lines.
    """

    shapes: tuple[Shape, ...]
    starts: Sequence[int]
    ends: Sequence[int]
    others: tuple[Slice, ...]


class _Odd(Exception):
    """The file is for the strict reader."""


def quick_lines(data: bytes) -> QuickLines | None:
    """The lines of the file ``data``; None where the strict reader has to look."""
    shapes: list[Shape] = []
    starts, ends = array("q"), array("q")
    others: list[Slice] = []
    view = memoryview(data)
    position, size = 0, len(data)
    load, find = loads_inexact, data.find
    try:
        while position < size:
            end = find(b"\n", position)
            if end < 0:
                end = size
            if end > position:
                value = load(view[position:end])
                kind = value["type"]
                if kind == "message":
                    shapes.append(_shape(value["message"]))
                    starts.append(position)
                    ends.append(end)
                elif kind in _OTHER_TYPES and "messages" not in value:
                    others.append(Slice(position, end - position))
                else:
                    return None
            position = end + 1
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError, _Odd):
        return None
    return QuickLines(tuple(shapes), starts, ends, tuple(others)) if shapes else None


def _shape(message: dict[str, Any]) -> Shape:
    """The shape of the message that ``message`` is.

    Raises where the strict reader would, or where it differs.

    Everything is in one loop without calls: it runs for each block of a file of any size.
    """
    blocks = message["blocks"]
    if message["role"] not in ROLES or type(blocks) not in _LISTS:
        raise _Odd
    tokens = 0
    calls = results = _NOTHING
    opens_with_result = False
    for block in blocks:
        kind = block["type"]
        if kind == "text":
            text = block["text"]
            tokens += (len(text) if text.isascii() else len(text.encode())) // _BYTES_A_TOKEN + 1
        elif kind == "tool_result":
            name, text, call = block["tool_name"], block["output"], block["tool_use_id"]
            if type(call) is not str or type(block["is_error"]) is not bool:
                raise _Odd
            size = len(text) if text.isascii() else len(text.encode())
            tokens += (size + len(name.encode())) // _BYTES_A_TOKEN + 1
            if block is blocks[0]:
                opens_with_result = True
            results = (*results, call) if results else (call,)
        elif kind == "tool_use":
            name, text, call = block["name"], block["input"], block["id"]
            if type(call) is not str:
                raise _Odd
            size = len(text) if text.isascii() else len(text.encode())
            tokens += (size + len(name.encode())) // _BYTES_A_TOKEN + 1
            calls = (*calls, call) if calls else (call,)
        elif kind == "thinking":
            tokens += len(block["thinking"].encode()) // _BYTES_A_TOKEN
            signature = block.get("signature")
            if type(signature) is str:
                tokens += len(signature.encode()) // _BYTES_A_TOKEN + 1
        else:
            raise _Odd
    if "usage" in message:
        usage = message["usage"]
        first, second = usage["input_tokens"], usage["output_tokens"]
        third, fourth = usage["cache_creation_input_tokens"], usage["cache_read_input_tokens"]
        if not (
            type(first) is type(second) is type(third) is type(fourth) is int
            and 0 <= first <= MAX_UINT32
            and 0 <= second <= MAX_UINT32
            and 0 <= third <= MAX_UINT32
            and 0 <= fourth <= MAX_UINT32
        ):
            raise _Odd
    # the constructor of a named tuple takes twice as long
    return tuple.__new__(  # pyright: ignore[reportUnknownMemberType]
        Shape, (tokens, calls, results, opens_with_result)
    )


class QuickMessages(Sequence[Message]):
    """The messages that stand in ``data`` between ``starts`` and ``ends``, made when they are asked for."""

    def __init__(self, data: bytes, starts: Sequence[int], ends: Sequence[int]) -> None:
        self._data = data
        self._view = memoryview(data)
        self._starts = starts
        self._ends = ends

    def __len__(self) -> int:
        return len(self._starts)

    @overload
    def __getitem__(self, index: int) -> Message: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Message]: ...

    def __getitem__(self, index: int | slice) -> Message | Sequence[Message]:
        if isinstance(index, slice):
            return QuickMessages(self._data, self._starts[index], self._ends[index])
        return self._message(self._starts[index], self._ends[index])

    def __iter__(self) -> Iterator[Message]:
        return map(self._message, self._starts, self._ends)

    def _message(self, start: int, end: int) -> Message:
        value = loads_inexact(self._view[start:end])
        return message_of(value["message"], slice=Slice(start, end - start))
