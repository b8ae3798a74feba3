"""S5 Whatever stands in a file: it is read as it is, or the first bad byte is named; lines end at LF only."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.disk.read import read_text, real_roots
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.disk.stream import RawLine, Stream, lines, streamed
from agentbrief.disk.values import MAX_RECORD_BYTES, FileText, ReadProblem
from tests.disk.faults import planted, scratch


def read(path: Path) -> FileText | ReadProblem | None:
    return read_text(FS(), str(path), real_roots(FS(), (str(path.parent),)))


TEXTS = {
    "empty": "",
    "only blanks": " \t \n\n  \r\n",
    "byte-order mark": "\ufeffabc\n",
    "NUL": "a\0b",
    "lone CR": "a\rb\rc",
    "CRLF": "a\r\nb\r\n",
    "U+2028, U+2029, U+0085": "a\u2028b\u2029c\u0085d",
    "100,000 lines": "line\n" * 100_000,
    "a line of 3 MB": "x" * 3_000_000,
    "combining marks": "e" + "\u0301" * 1_000_000,
    "right to left": "\u0645\u0631\u062d\u0628\u0627 \u05e9\u05dc\u05d5\u05dd\n" * 100,
    "beyond 16 bits": "\U0001f680\U0001f469\u200d\U0001f680" * 1000,
    "not assigned": "\uffff\U0010ffff\ufdd0",
    "no line end": "abc",
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_text_is_read_as_it_is(name: str) -> None:
    with scratch() as folder:
        path = folder / "CLAUDE.md"
        path.write_bytes(TEXTS[name].encode())
        found = read(path)
        assert isinstance(found, FileText)
        assert found.text == TEXTS[name]
        assert found.stamp.size == len(TEXTS[name].encode())


def test_the_first_bad_byte_is_named_at_200_offsets() -> None:
    chance = random.Random(5)
    good = ("abc \u00e9\u4e2d\U0001f680" * 300).encode()
    starts = [offset for offset in range(len(good)) if good[offset] & 0xC0 != 0x80]
    with scratch() as folder:
        path = folder / "CLAUDE.md"
        for _ in range(200):
            offset = chance.choice(starts)
            bad = chance.choice(
                [b"\xff", b"\xc0\xae", b"\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x28\xa1"]
            )
            path.write_bytes(good[:offset] + bad + good[offset:])
            found = read(path)
            assert isinstance(found, ReadProblem)
            assert (found.kind, found.offset, found.detail) == ("not-utf8", offset, "")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le-bom", "utf-16-be-bom"])
def test_utf_16_is_named(encoding: str) -> None:
    data = {
        "utf-16": "abc".encode("utf-16"),
        "utf-16-le-bom": b"\xff\xfe" + "abc".encode("utf-16-le"),
        "utf-16-be-bom": b"\xfe\xff" + "abc".encode("utf-16-be"),
    }[encoding]
    with scratch() as folder:
        path = folder / "CLAUDE.md"
        path.write_bytes(data)
        found = read(path)
        assert isinstance(found, ReadProblem)
        assert (found.kind, found.offset, found.detail) == ("not-utf8", 0, "utf-16")


def expected_lines(data: bytes, limit: int) -> list[RawLine]:
    """Counted by another way: byte by byte."""
    found: list[RawLine] = []
    start = 0
    for offset, byte in enumerate(data):
        if byte == 10:
            piece = data[start:offset]
            found.append(RawLine(start, len(piece), piece if len(piece) <= limit else None, True))
            start = offset + 1
    if start < len(data):
        piece = data[start:]
        found.append(RawLine(start, len(piece), piece if len(piece) <= limit else None, False))
    return found


@settings(max_examples=300)
@given(
    st.binary(max_size=60).map(lambda data: data.replace(b"\x01", b"\n").replace(b"\x02", b"\r")),
    st.lists(st.integers(1, 9), max_size=20),
    st.integers(0, 12),
)
def test_lines_do_not_depend_on_how_the_bytes_come(data: bytes, sizes: list[int], limit: int) -> None:
    def pieces() -> Iterator[bytes]:
        start = 0
        for size in sizes:
            yield data[start : start + size]
            start += size
        yield data[start:]

    assert list(lines(pieces(), max_bytes=limit)) == expected_lines(data, limit)


def test_a_line_of_100_mb_is_measured_and_not_held() -> None:
    size = 100 * 1024 * 1024
    with scratch() as folder:
        path = folder / "s.jsonl"
        with path.open("wb") as file:
            file.write(b"{}\n")
            file.truncate(3 + size)
            file.seek(0, 2)
            file.write(b"\n[]\n")
        with streamed(FS(), str(path), real_roots(FS(), (str(folder),))) as stream:
            assert isinstance(stream, Stream)
            assert list(stream.lines()) == [
                RawLine(0, 2, b"{}", True),
                RawLine(3, size, None, True),
                RawLine(4 + size, 2, b"[]", True),
            ]


@pytest.mark.parametrize("length", [MAX_RECORD_BYTES - 1, MAX_RECORD_BYTES, MAX_RECORD_BYTES + 1])
def test_the_longest_line_that_is_held(length: int) -> None:
    (line,) = lines([b"x" * length + b"\n"])
    assert (line.data is None) == (length > MAX_RECORD_BYTES)
    assert line.length == length


class BreaksWhileRead(FS):
    """The disk reports an error in the middle of a file."""

    def pread(self, descriptor: int, size: int, offset: int) -> bytes:
        if offset:
            raise planted("EIO")
        return super().pread(descriptor, size, offset)


def test_an_error_in_the_middle_is_a_refusal_not_an_end() -> None:
    with scratch() as folder:
        path = folder / "s.jsonl"
        path.write_bytes(b"{}\n" * 400_000)
        with streamed(BreaksWhileRead(), str(path), real_roots(FS(), (str(folder),))) as stream:
            assert isinstance(stream, Stream)
            with pytest.raises(Refused) as raised:
                list(stream.lines())
            assert raised.value.what == "failed"


def test_a_file_that_grows_while_it_is_streamed_ends_where_it_ended() -> None:
    with scratch() as folder:
        path = folder / "s.jsonl"
        path.write_bytes(b'{"n":1}\n')
        with streamed(FS(), str(path), real_roots(FS(), (str(folder),))) as stream:
            assert isinstance(stream, Stream)
            with path.open("ab") as file:
                file.write(b'{"n":2}\n')
            assert [line.data for line in stream.lines()] == [b'{"n":1}']
