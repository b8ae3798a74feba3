"""How does one message look on the wire?

A frame is a header part and a body of as many bytes as the header says. Names in a header are read without
regard to case (LSP specification, "Header Part"). What a stream says beyond the limits here is not guessed
at: a stream that cannot be trusted is :class:`BrokenStream`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Protocol, TypeGuard

from agentbrief import jsonio

if TYPE_CHECKING:
    import asyncio

MAX_BODY_BYTES = 64 * 1024 * 1024
"""The longest body that is read."""

MAX_HEADER_BYTES = 8 * 1024
"""The longest header line; header lines other than Content-Length may not be longer together either."""

HEAD_BYTES = 512
"""How far the id of a body that cannot be read is looked for."""

MessageId = int | str | float | None
"""What a client may use as the id of a request; JSON-RPC allows null and any number."""


class BrokenStream(Exception):
    """The bytes that follow cannot be told apart any more. Its text is ours and quotes nothing."""


class Stream(Protocol):
    """Where frames are read from."""

    def readline(self, size: int, /) -> bytes:
        """A line with its end, or its first ``size`` bytes; empty at the end of the stream."""
        ...

    def read(self, size: int, /) -> bytes:
        """``size`` bytes, fewer only at the end of the stream."""
        ...


class Header:
    """The header part, taken a line at a time."""

    __slots__ = ("_length", "_others")

    def __init__(self) -> None:
        self._length: int | None = None
        self._others = 0

    @property
    def is_empty(self) -> bool:
        """Whether no line of this header part was taken yet."""
        return self._length is None and not self._others

    def take(self, line: bytes) -> int | None:
        """The length of the body in bytes if ``line`` ends the header part, else None.

        Raises:
            BrokenStream: a line too long, a length that is missing, no number, contradictory or too great.
        """
        if len(line) > MAX_HEADER_BYTES:
            raise BrokenStream("a header line of more than 8 KiB")
        name, colon, value = line.partition(b":")
        if colon and name.strip().lower() == b"content-length":
            self._take_length(value.strip())
            return None
        if line.strip():
            self._others += len(line)
            if self._others > MAX_HEADER_BYTES:
                raise BrokenStream("a header of more than 8 KiB")
            return None
        length, others = self._length, self._others
        self._length, self._others = None, 0
        if length is None and others:
            raise BrokenStream("a header without Content-Length")
        return length

    def _take_length(self, digits: bytes) -> None:
        if not digits.isdigit():
            raise BrokenStream("a Content-Length that is no number")
        length = int(digits) if len(digits) < 20 else MAX_BODY_BYTES + 1
        if length > MAX_BODY_BYTES:
            raise BrokenStream("a body of more than 64 MiB")
        if self._length not in (None, length):
            raise BrokenStream("two different Content-Lengths")
        self._length = length


def read_frames(stream: Stream) -> Iterator[bytes]:
    """The bodies of ``stream`` in order, until it ends. A body that is cut off by the end is left out.

    Raises:
        BrokenStream: see :meth:`Header.take`.
    """
    header = Header()
    while line := stream.readline(MAX_HEADER_BYTES + 1):
        if _is_cut(line):
            return
        if (length := header.take(line)) is None:
            continue
        body = stream.read(length) if length else b""
        if len(body) < length:
            return
        yield body


_USUAL_HEADER = re.compile(rb"Content-Length: ([0-9]{1,7})\r\n\r\n")
"""The header part that nearly every message has."""


class FrameBuffer:
    """The bodies of a stream whose bytes come in pieces."""

    __slots__ = ("_data", "_header", "_length", "_start")

    def __init__(self) -> None:
        self._data = bytearray()
        self._start = 0
        self._header = Header()
        self._length: int | None = None

    @property
    def holds_bytes(self) -> bool:
        """Whether there are bytes that were not taken yet."""
        return len(self._data) > self._start

    def feed(self, piece: bytes) -> None:
        """Take the next bytes of the stream."""
        del self._data[: self._start]
        self._start = 0
        self._data += piece

    def take(self) -> bytes | None:
        """The next body; None until it is complete.

        Raises:
            BrokenStream: see :meth:`Header.take`.
        """
        data = self._data
        if (
            self._length is None
            and self._header.is_empty
            and (usual := _USUAL_HEADER.match(data, self._start)) is not None
        ):
            self._start, self._length = usual.end(), int(usual[1])
        while self._length is None:
            end = data.find(b"\n", self._start, self._start + MAX_HEADER_BYTES + 1) + 1
            if not end:
                if len(data) - self._start > MAX_HEADER_BYTES:
                    self._header.take(bytes(data[self._start : self._start + MAX_HEADER_BYTES + 1]))
                return None
            line = bytes(data[self._start : end])
            self._start = end
            self._length = self._header.take(line)
        end = self._start + self._length
        if len(data) < end:
            return None
        body = bytes(data[self._start : end])
        self._start, self._length = end, None
        if end == len(data):
            data.clear()
            self._start = 0
        return body


def _is_cut(line: bytes) -> bool:
    """Whether the stream ended inside ``line``, which then says nothing."""
    return not line.endswith(b"\n") and len(line) <= MAX_HEADER_BYTES


async def next_frame(reader: asyncio.StreamReader, header: Header) -> bytes | None:
    """The next body of ``reader``; None at its end.

    Raises:
        BrokenStream: see :meth:`Header.take`.
    """
    while True:
        try:
            line = await reader.readline()
        except ValueError as error:
            raise BrokenStream("a header line that is too long") from error
        if not line or _is_cut(line):
            return None
        if (length := header.take(line)) is None:
            continue
        try:
            return await reader.readexactly(length)
        except EOFError:
            return None


def frame(body: bytes) -> bytes:
    """``body`` with its header. The length counts bytes."""
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def is_message_id(value: object) -> TypeGuard[MessageId]:
    """Whether ``value`` can be the id of a request and can be said again in the reply."""
    if isinstance(value, float):
        return abs(value) <= 1e300
    return value is None or (isinstance(value, (int, str)) and not isinstance(value, bool))


_TOKEN = re.compile(rb'[\s,]+|([{\[])|([}\]])|("(?:[^"\\]|\\.)*")|(:)|([^\s,{}\[\]":]+)', re.DOTALL)


def first_id(body: bytes) -> MessageId:
    """The id of a message that cannot be read, if it stands whole in its first 512 bytes; else None.

    An ``id`` inside the params belongs to something else and is not taken for it.
    """
    head = body[:HEAD_BYTES]
    depth, place, is_id = 0, 0, False
    while found := _TOKEN.match(head, place):
        opened, closed, text, colon, word = found.groups()
        place = found.end()
        value = text or (word if place < len(head) or len(body) <= HEAD_BYTES else None)
        if is_id and depth == 1 and value is not None:
            return _scalar(value)
        if colon is None and found.lastindex is not None:
            is_id = depth == 1 and text == b'"id"' and head[place:].lstrip().startswith(b":")
        depth += (opened is not None) - (closed is not None)
    return None


def _scalar(token: bytes) -> MessageId:
    try:
        value = jsonio.loads(token)
    except ValueError:
        return None
    return value if is_message_id(value) else None
