"""Frames as bytes: headers, limits, and cuts at every byte."""

from __future__ import annotations

import asyncio
import io
import json
import subprocess
from pathlib import Path

import pytest

from agentbrief_server.transport.frames import (
    MAX_BODY_BYTES,
    MAX_HEADER_BYTES,
    BrokenStream,
    FrameBuffer,
    Header,
    first_id,
    frame,
    next_frame,
    read_frames,
)
from tests.protocol.raw_client import TINY_SERVER, RawClient, body_of, environment, frame_of, packet, tiny


def bodies(stream: bytes) -> list[bytes]:
    """The bodies in ``stream``, read in all ways, which must agree."""
    blocking = list(read_frames(io.BytesIO(stream)))
    for size in (1, 7, len(stream) or 1):
        assert in_pieces(stream, size) == blocking

    async def read() -> list[bytes]:
        reader, header, found = asyncio.StreamReader(limit=MAX_HEADER_BYTES), Header(), []
        reader.feed_data(stream)
        reader.feed_eof()
        while (body := await next_frame(reader, header)) is not None:
            found.append(body)
        return found

    assert asyncio.run(read()) == blocking
    return blocking


def in_pieces(stream: bytes, size: int) -> list[bytes]:
    """The bodies in ``stream``, of which ``size`` bytes come at a time."""
    buffer, found = FrameBuffer(), []
    for start in range(0, len(stream), size):
        buffer.feed(stream[start : start + size])
        while (body := buffer.take()) is not None:
            found.append(body)
    return found


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: 2\r\n\r\n",
        b"content-length: 2\r\n\r\n",
        b"CONTENT-LENGTH:2\r\n\r\n",
        b"Content-Length : 2 \r\n\r\n",
        b"Content-Length: 2\n\n",
        b"Content-Length: 2\r\nContent-Length: 2\r\n\r\n",
        b"Content-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 2\r\n\r\n",
        b"Content-Length: 2\r\nX-Other: 9\r\nno colon\r\n\r\n",
        b"\r\n\r\nContent-Length: 2\r\n\r\n",
        b"X: " + b"x" * (MAX_HEADER_BYTES - 5) + b"\r\nContent-Length: 2\r\n\r\n",
    ],
)
def test_headers_that_are_understood(header: bytes) -> None:
    assert bodies((header + b"{}") * 2) == [b"{}", b"{}"]


@pytest.mark.parametrize(
    "header",
    [
        b"Content-Length: 99999999999\r\n\r\n",
        b"Content-Length: " + b"9" * 5_000 + b"\r\n\r\n",
        b"Content-Length: %d\r\n\r\n" % (MAX_BODY_BYTES + 1),
        b"Content-Length: -1\r\n\r\n",
        b"Content-Length: +2\r\n\r\n",
        b"Content-Length: 2_0\r\n\r\n",
        b"Content-Length: 0x2\r\n\r\n",
        b"Content-Length: 2.0\r\n\r\n",
        b"Content-Length:\r\n\r\n",
        b"Content-Length: \xd9\xa2\r\n\r\n",
        b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n",
        b"Content-Type: x\r\n\r\n",
        b"X: " + b"x" * (MAX_HEADER_BYTES - 4) + b"\r\n",
        b"x" * (2 * MAX_HEADER_BYTES),
        b"X: 1\r\n" * 2_000,
    ],
)
def test_headers_that_cannot_be_trusted(header: bytes) -> None:
    with pytest.raises(BrokenStream):
        list(read_frames(io.BytesIO(header + b"{}")))
    with pytest.raises(BrokenStream):
        bodies_async(header + b"{}")
    for size in (1, 100, 100_000):
        with pytest.raises(BrokenStream):
            in_pieces(header + b"{}", size)


def bodies_async(stream: bytes) -> None:
    async def read() -> None:
        reader, header = asyncio.StreamReader(limit=MAX_HEADER_BYTES), Header()
        reader.feed_data(stream)
        reader.feed_eof()
        while await next_frame(reader, header) is not None:
            pass

    asyncio.run(read())


def test_the_greatest_length_is_taken() -> None:
    header = Header()
    assert header.take(b"Content-Length: %d\r\n" % MAX_BODY_BYTES) is None
    assert header.take(b"\r\n") == MAX_BODY_BYTES


def test_an_empty_body_is_a_body() -> None:
    assert bodies(b"Content-Length: 0\r\n\r\n" + frame_of(b"{}")) == [b"", b"{}"]


def test_a_stream_that_ends_anywhere() -> None:
    stream = frame_of(b"one") + frame_of(b"two")
    for end in range(len(stream)):
        whole = 0 if end < len(frame_of(b"one")) else 1
        assert bodies(stream[:end]) == [b"one"][:whole]


def test_the_length_counts_bytes() -> None:
    body = json.dumps("é规🚀", ensure_ascii=False).encode()
    assert frame(body).startswith(b"Content-Length: %d\r\n\r\n" % len(body))
    assert bodies(frame(body)) == [body]


def test_what_was_taken_is_not_kept() -> None:
    buffer = FrameBuffer()
    buffer.feed(frame_of(b"x" * 1_000_000) + b"Content-")
    assert buffer.take() is not None
    assert buffer.take() is None
    buffer.feed(b"Length: 2\r\n\r\n{}")
    assert buffer.take() == b"{}"
    assert not buffer.holds_bytes


def test_input_from_a_plain_file(tmp_path: Path) -> None:
    """An event loop cannot wait for one: a thread reads it."""
    initialize = {"id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}}
    (tmp_path / "input").write_bytes(packet(initialize, {"id": 2, "method": "shutdown"}, {"method": "exit"}))
    with (tmp_path / "input").open("rb") as given:
        done = subprocess.run(
            TINY_SERVER, stdin=given, stdout=subprocess.PIPE, timeout=60, env=environment(tmp_path)
        )
    answers = [json.loads(body) for body in bodies(done.stdout)]
    assert [answer["id"] for answer in answers] == [1, 2]
    assert done.returncode == 0


def test_an_id_is_looked_for_in_the_first_512_bytes_only() -> None:
    start = b'{"x":"' + b"y" * 491 + b'","id":'
    assert len(start) == 504
    assert first_id(start + b"1234567,") == 1234567
    assert first_id(start + b"12345678,") is None
    assert first_id(start + b"12345678") == 12345678
    assert first_id(start + b'"12345",') == "12345"
    assert first_id(start + b'"1234567",') is None
    assert first_id(start + b"1234567") == 1234567


def test_frames_that_arrive_in_two_parts_cut_at_every_byte(client: RawClient) -> None:
    data = packet(
        {"id": "é🚀", "method": "tiny/echo", "params": {"a": "规"}}, {"id": 2, "method": "tiny/echo"}
    )
    for cut in range(1, len(data)):
        client.send_bytes(data[:cut])
        client.send_bytes(data[cut:])
        assert client.receive()["id"] == "é🚀"
        assert client.receive()["id"] == 2


def test_frames_that_arrive_byte_by_byte(client: RawClient) -> None:
    for byte in packet({"id": 1, "method": "tiny/echo", "params": {"a": "规"}}):
        client.send_bytes(bytes([byte]))
    assert client.receive()["result"] == {"a": "规"}


@pytest.mark.parametrize("count", [2, 500])
def test_many_messages_in_one_packet(client: RawClient, count: int) -> None:
    client.send_bytes(packet(*({"id": number, "method": "tiny/echo"} for number in range(count))))
    assert [client.receive()["id"] for _ in range(count)] == list(range(count))


def test_a_header_in_lower_case(client: RawClient) -> None:
    body = body_of({"id": 1, "method": "tiny/echo"})
    client.send_bytes(
        b"content-type: application/vscode-jsonrpc; charset=utf8\r\ncontent-length:%d\r\n\r\n" % len(body)
    )
    client.send_bytes(body)
    assert client.receive()["id"] == 1


def test_a_large_body_both_ways(client: RawClient) -> None:
    text = "规🚀x" * 400_000
    assert client.ask(1, "tiny/echo", {"text": text}) == {"text": text}


@pytest.mark.parametrize("over", ["stdio", "tcp"])
@pytest.mark.parametrize(
    "data",
    [
        b"Content-Length: 99999999999\r\n\r\n",
        b"X: " + b"x" * 9_000,
        b"Content-Length: x\r\n\r\n",
        b"Y: 1\r\n\r\n",
    ],
)
@pytest.mark.parametrize("is_shut_down", [False, True])
def test_a_stream_that_cannot_be_trusted_ends_the_server(
    home: Path, over: str, data: bytes, is_shut_down: bool
) -> None:
    with tiny(home, over=over) as client:
        client.initialize()
        if is_shut_down:
            client.ask(1, "shutdown")
        client.send_bytes(data)
        assert client.process.wait(5) == 1
        assert client.rest() == []
        assert "cannot be trusted" in client.logged()


def test_a_broken_stream_before_initialize_is_logged_in_the_cache_folder(home: Path) -> None:
    with tiny(home) as client:
        client.send_bytes(b"Content-Length: 99999999999\r\n\r\n")
        assert client.process.wait(5) == 1
    log = home / "cache" / "agentbrief" / "agentbrief.log"
    assert "cannot be trusted" in log.read_text(encoding="utf-8")
    assert log.stat().st_mode & 0o777 == 0o600
    assert log.parent.stat().st_mode & 0o777 == 0o700
