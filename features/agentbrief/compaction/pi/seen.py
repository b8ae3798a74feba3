"""What does a provider see of messages of pi or OpenClaw?

Each message is made when it is looked at: a long session is told without a second copy of it in memory.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import overload

from agentbrief.sessions.model import Message
from agentbrief.sessions.pi.context import RawMessage, provider_view
from agentbrief.sessions.pi.messages import messages_of
from agentbrief.sessions.tree import TreeEntry


class SeenMessages(Sequence[Message]):
    """Messages as a provider gets them, as the values that all formats share: users, assistants, results.

    Never changed; the same message is made anew each time.
    """

    __slots__ = ("_raw",)

    def __init__(self, messages: Iterable[RawMessage]) -> None:
        self._raw = tuple(provider_view(messages))

    def __len__(self) -> int:
        return len(self._raw)

    def __iter__(self) -> Iterator[Message]:
        return (_value(raw) for raw in self._raw)

    @overload
    def __getitem__(self, index: int) -> Message: ...
    @overload
    def __getitem__(self, index: slice) -> SeenMessages: ...
    def __getitem__(self, index: int | slice) -> Message | SeenMessages:
        if isinstance(index, slice):
            return SeenMessages(self._raw[index])
        return _value(self._raw[index])


def _value(raw: RawMessage) -> Message:
    return messages_of((TreeEntry("", None, "message", 0, None, None, {"message": raw}),))[0]
