"""Which records does a damaged file hold?"""

from __future__ import annotations

import json
from typing import Any

import pytest

from agentbrief.sessions.jsonl.lines import (
    BadLine,
    LongLine,
    Record,
    repeated_ids,
    with_recovered,
    without_parent,
)
from agentbrief.sessions.jsonl.records import read_lines, read_records
from tests.sessions.damaged_files import Damaged, damaged_files

HEADER = b'{"type":"session","version":3,"id":"s1","timestamp":"2026-03-05T10:00:00.000Z"}\n'


def ids(records: tuple[Record, ...]) -> list[Any]:
    return [record.value.get("id") for record in records]


def told(bad: BadLine | None, with_line: bool = True) -> dict[str, Any] | None:
    if bad is None:
        return None
    found: dict[str, Any] = {"line": bad.line} if with_line else {}
    return found | {
        "offset": bad.offset,
        "length": bad.length,
        "reason": bad.reason,
        "recovered": ids(bad.recovered),
    }


@pytest.mark.parametrize("case", damaged_files(), ids=str)
def test_damaged_file(case: Damaged) -> None:
    before = bytes(case.data)
    file = read_records(case.data)
    recovered = [record for line in file.lines if isinstance(line, BadLine) for record in line.recovered]
    duplicates = {"duplicate-ids"} if repeated_ids(file.records) else set()
    assert {
        "lines": len(file.lines),
        "parsed": len(file.records),
        "torn_tail": told(file.torn_tail, with_line=False),
        "bad": [told(bad) for bad in file.bad],
        "ids": ids(file.records),
        "recovered_ids": ids(tuple(recovered)),
        "flags": sorted(set(file.notes) | duplicates),
        "orphans": ids(without_parent(file.records)),
        "orphans_after_repair": ids(without_parent(with_recovered(file))),
    } == case.expected | {"flags": sorted(case.expected["flags"])}
    assert case.data == before


@pytest.mark.parametrize("case", damaged_files(), ids=str)
def test_chunks_of_any_size_give_the_same(case: Damaged) -> None:
    whole = read_records(case.data)
    for size in (1, 7, 64, 4096) if len(case.data) < 20_000 else (4096,):
        pieces = [case.data[at : at + size] for at in range(0, len(case.data), size)]
        assert read_records(pieces) == whole


def test_every_slice_is_its_record() -> None:
    data = "\ufeff".encode() + HEADER + '  {"id":"a","text":"é\u2028"} \r\n\n{"id":"b"}'.encode()
    for record in read_records(data).records:
        assert json.loads(data[record.offset : record.offset + record.length]) == record.value
    assert [record.line for record in read_records(data).records] == [1, 2, 4]


def test_reading_on_from_the_last_line_end() -> None:
    data = HEADER + b'{"id":"a"}\n\n{"id":"b"}\n{"id":'
    whole = tuple(read_lines([data]))
    cut = len(HEADER)
    rest = tuple(read_lines([data[cut:]], offset=cut, line=2))
    assert whole[1:] == rest


def test_a_long_line_is_skipped_and_counted() -> None:
    line = b'{"a":{"type":"inner"},"type":"message","text":"' + b"x" * 500 + b'"}'
    data = HEADER + line + b"\n" + b'{"id":"b"}\n' + line
    expected = (
        LongLine(2, len(HEADER), len(line), "message"),
        LongLine(4, len(data) - len(line), len(line), "message"),
    )
    for size in (3, 100, 10_000):
        pieces = [data[at : at + size] for at in range(0, len(data), size)]
        file = read_records(pieces, max_bytes=200)
        assert (file.long, ids(file.records)) == (expected, ["s1", "b"])
        assert file.torn_tail is None


@pytest.mark.parametrize(
    ("head", "kind"),
    [
        (b'{"type":"a"', "a"),
        (b'{"x":[{"type":"b"}],"type":"c"', "c"),
        (b'{"type":{"type":"d"}', None),
        (b'["type","e"', None),
        (b'{"x":"type","y":', None),
        (b'{"type":"cut', None),
    ],
)
def test_the_type_of_a_long_line_is_the_one_at_its_top(head: bytes, kind: str | None) -> None:
    (found,) = read_records(head + b"." * 300, max_bytes=100).long
    assert found.type == kind


@pytest.mark.parametrize(
    ("line", "reason", "recovered"),
    [
        # A block of a cut message is an inner value of it, no record.
        ('{"type":"message","id":"m","message":{"content":[{"type":"text","text":"x"}', "not-json", []),
        (
            '{"type":"message","id":"m","message":{"content":[{"type":"toolCall","id":"t"},{"ty',
            "not-json",
            [],
        ),
        # A record where the cut one had room for a value.
        ('{"type":"message","message":{"type":"message","id":"n","parentId":null}', "spliced", ["n"]),
        ('{"type":"mes{"type":"mess{"type":"message","id":"n"}', "spliced", ["n"]),
        ('{"type":"x","id":"a"}{"type":"x","i{"type":"x","id":"b"}', "spliced", ["a", "b"]),
        ('{"type":"x","text":"use {x} or {"{"type":"x","id":"b"}', "spliced", ["b"]),
        ('{"type":"x","text":"a\\{"type":"x","id":"b"}', "spliced", ["b"]),
        ('{"type":"x","n":tru{"type":"x","id":"b"}', "spliced", ["b"]),
        ('{"type":"x","n":12{"type":"x","id":"b"}', "spliced", ["b"]),
        ('{"type":"x","id":"a"},', "spliced", ["a"]),
        ('{"id":"a"}{"id":"b"}', "two-records", ["a", "b"]),
        ('{"id":"a"} and more', "not-json", []),
        ('{"type":"x","id":"a"}}', "spliced", ["a"]),
        ("[1,2]", "not-object", []),
        ('{"type":"x","text":"{\\"type\\":\\"y\\",\\"id\\":\\"z\\"}"', "not-json", []),
    ],
)
def test_what_stands_on_a_bad_line(line: str, reason: str, recovered: list[str]) -> None:
    (bad,) = read_records(line.encode() + b"\n").bad
    assert (bad.reason, ids(bad.recovered)) == (reason, recovered)
    tail = read_records(line.encode()).torn_tail
    assert tail is not None
    assert tail.reason == (reason if reason in ("two-records", "spliced") else "torn")
    assert ids(tail.recovered) == recovered


@pytest.mark.parametrize("levels", [990, 1000, 1022, 1023])
def test_a_deep_record_reads_the_same_with_and_without_a_library(levels: int) -> None:
    data = b'{"type":"x","id":"d","d":' + b"[" * levels + b"]" * levels + b"}"
    (record,) = read_records(data).records
    value, count = record.value["d"], 0
    while isinstance(value, list):
        value, count = (value[0] if value else None), count + 1
    assert count == levels


def test_one_level_too_many() -> None:
    data = b'{"type":"x","id":"d","d":' + b"[" * 1024 + b"]" * 1024 + b"}\n"
    (bad,) = read_records(data).bad
    assert bad.reason == "too-deep"


def test_an_integer_of_any_length_is_read() -> None:
    (record,) = read_records(b'{"id":"n","n":' + b"9" * 5000 + b"}\n").records
    assert record.value["n"] == float("inf")


def test_long_broken_lines_take_linear_time() -> None:
    for unit in (b'{"', b"{", b'{"a":"', b'"{', b"\\", b'{"type":"x"', b'[{"a":', b"\0{"):
        file = read_records(unit * 40_000)
        assert len(file.lines) == 1


def talk(count: int) -> bytes:
    lines = [HEADER]
    for number in range(1, count):
        parent = f'"m{number - 1}"' if number > 1 else "null"
        text = f"line {number} of the talk, 第{number}行 🙂"
        lines.append(
            (
                f'{{"type":"message","id":"m{number}","parentId":{parent},"timestamp":"2026-03-05T10:00:00.000Z",'
                f'"message":{{"role":"user","content":[{{"type":"text","text":"{text}"}}]}}}}\n'
            ).encode()
        )
    return b"".join(lines)


def test_every_cut_of_a_file_loses_only_the_cut_record() -> None:
    data = talk(40)
    ends = [at for at, byte in enumerate(data) if byte == 10]
    for cut in range(len(data)):
        file = read_records(data[:cut])
        whole = sum(end < cut for end in ends)
        if cut in ends:
            assert len(file.records) == whole + 1
            assert file.torn_tail is None
        else:
            assert len(file.records) == whole
            rest = cut - (ends[whole - 1] + 1 if whole else 0)
            assert (
                (file.torn_tail.reason, file.torn_tail.length) == ("torn", rest)
                if file.torn_tail
                else not rest
            )
            assert not file.torn_tail or not file.torn_tail.recovered
        assert not file.bad


def test_a_flipped_bit_loses_only_the_record_it_hits() -> None:
    data = talk(12)
    lines = data.split(b"\n")[:-1]
    wanted = [json.loads(line)["id"] for line in lines]
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for at in range(0, len(data), 3):
        flipped = bytearray(data)
        flipped[at] ^= 1 << (at // 3 % 8)
        found = {str(record.value.get("id")) for record in read_records(bytes(flipped)).records}
        hit = next(number for number, end in enumerate(starts[1:]) if at < end)
        lost = {wanted[hit]} | ({wanted[hit + 1]} if data[at] == 10 and hit + 1 < len(wanted) else set())
        assert set(wanted) - found <= lost
