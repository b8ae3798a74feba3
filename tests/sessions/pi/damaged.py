"""Transcripts of pi with anything done to their bytes that a crash, an editor or another program does."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

Harm = tuple[str, int, int]

DEEP = b'{"type":"custom","id":"deep","parentId":null,"data":' + b"[" * 1100 + b"]" * 1100 + b"}"

WORDS: dict[str, tuple[bytes, bytes]] = {
    "not utf-8": (b'":"', b'":"\xff'),
    "half a pair": (b'":"', b'":"\\ud83d'),
    "half a pair as bytes": (b'":"', b'":"\xed\xa0\xbd'),
    "not a number": (b"{", b'{"n":NaN,'),
    "control character": (b'":"', b'":"\x01'),
    "long integer": (b"{", b'{"n":12345678901234567890123,'),
    "long integer in a call": (b'"arguments":{', b'"arguments":{"n":12345678901234567890123,'),
    "id twice": (b'"id":', b'"id":"00000002","id":'),
    "no id": (b'"id":', b'"was":'),
    "number as id": (b'"id":', b'"id":1,"was":'),
    "id of the header": (b'"id":', b'"id":"s-1","was":'),
    "empty id": (b'"id":', b'"id":"","was":'),
    "no type": (b'"type":', b'"was":'),
    "number as type": (b'"type":', b'"type":3,"was":'),
    "list as parent": (b'"parentId":', b'"parentId":[],"was":'),
    "number as parent": (b'"parentId":', b'"parentId":1,"was":'),
    "empty parent": (b'"parentId":', b'"parentId":"","was":'),
    "orphan": (b'"parentId":', b'"parentId":"nobody","was":'),
    "own parent": (b'"parentId":', b'"parentId":"00000001","was":'),
    "later parent": (b'"parentId":', b'"parentId":"00000005","was":'),
    "header as parent": (b'"parentId":', b'"parentId":"s-1","was":'),
    "bad time": (b"2026-03", b"2026-93"),
    "version 2": (b'"version":', b'"version":2,"was":'),
    "version 4": (b'"version":', b'"version":4,"was":'),
    "version as text": (b'"version":', b'"version":"3","was":'),
    "no version": (b'"version":', b'"was":'),
    "message gone": (b'"message":', b'"was":'),
    "message a list": (b'"message":', b'"message":[],"was":'),
    "content null": (b'"content":', b'"content":null,"was":'),
    "role a number": (b'"role":', b'"role":5,"was":'),
    "old role": (b'"role":', b'"role":"hookMessage","was":'),
}
"""What of a line is replaced by what; in JSON the last of two equal keys counts."""

LINES: dict[str, Callable[[list[bytes], int, int], list[bytes]]] = {
    "line twice": lambda lines, at, to: [*lines[:to], lines[at], *lines[to:]],
    "line gone": lambda lines, at, to: [*lines[:at], *lines[at + 1 :]],
    "line moved": lambda lines, at, to: [lines[place] for place in moved(len(lines), at, to)],
    "two on a line": lambda lines, at, to: [*lines[:at], b"".join(lines[at : at + 2]), *lines[at + 2 :]],
    "nul run": lambda lines, at, to: [*lines[:at], b"\0" * 9 + lines[at], *lines[at + 1 :]],
    "cut off": lambda lines, at, to: [*lines[:at], lines[at][: -1 - to], *lines[at + 1 :]],
    "spliced": lambda lines, at, to: [*lines[:at], lines[at][: 5 + to] + lines[at], *lines[at + 1 :]],
    "carriage return": lambda lines, at, to: [*lines[:at], lines[at] + b"\r", *lines[at + 1 :]],
    "blanks": lambda lines, at, to: [*lines[:at], b" \t" + lines[at] + b" ", *lines[at + 1 :]],
    "vertical tab": lambda lines, at, to: [*lines[:at], lines[at] + b"\v", *lines[at + 1 :]],
    "byte-order mark": lambda lines, at, to: [*lines[:at], b"\xef\xbb\xbf" + lines[at], *lines[at + 1 :]],
    "blank line": lambda lines, at, to: [*lines[:at], b"", *lines[at:]],
    "separator": lambda lines, at, to: [*lines[:at], "\u2028".encode(), *lines[at:]],
    "deep": lambda lines, at, to: [*lines[:at], DEEP, *lines[at:]],
    "array": lambda lines, at, to: [*lines[:at], b'["type","id"]', *lines[at:]],
    "text": lambda lines, at, to: [*lines[:at], b'"type"', *lines[at:]],
    "word": lambda lines, at, to: [*lines[:at], b"null", *lines[at:]],
    "second header": lambda lines, at, to: [*lines[:at], lines[0], *lines[at:]],
}
"""What is done to the lines at two places."""

HARMS = sorted((*WORDS, *LINES))


def moved(count: int, at: int, to: int) -> list[int]:
    """The numbers below ``count``, one of them moved."""
    places = list(range(count))
    places.insert(to, places.pop(at))
    return places


def harmed(data: bytes, harms: list[Harm]) -> bytes:
    """``data`` with all of ``harms`` done to it, one after another."""
    lines = data.split(b"\n")
    for name, at, to in harms:
        at, to = at % len(lines), to % len(lines)
        if name in WORDS:
            lines[at] = lines[at].replace(*WORDS[name], 1)
        else:
            lines = LINES[name](lines, at, to) or [b""]
    return b"\n".join(lines)


ALL_HARMS: st.SearchStrategy[list[Harm]] = st.lists(
    st.tuples(st.sampled_from(HARMS), st.integers(0, 40), st.integers(0, 40)), max_size=3
)
