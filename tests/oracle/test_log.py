"""A log of the hook, in whatever shape users' hooks leave it."""

from __future__ import annotations

import json

import pytest
from hypothesis import given as drawn
from hypothesis import settings
from hypothesis import strategies as st

from agentbrief.oracle.log import END_BYTES, Loaded, read_log
from tests.oracle.written import given, line, pretty

A, B, C = "/w/CLAUDE.md", "/w/api/CLAUDE.md", "/w/.claude/rules/py.md"
GLOBS = ["**/*.{ts,tsx}", "src/**"]

WHOLE = {
    "lines": line(A) + b"\n" + line(B) + b"\n" + line(C) + b"\n",
    "no last newline": line(A) + b"\n" + line(B) + b"\n" + line(C),
    "glued": line(A) + line(B) + line(C),
    "glued in pairs": line(A) + line(B) + b"\n\n" + line(C) + b"\n",
    "windows newlines": line(A) + b"\r\n" + line(B) + b"\r\n" + line(C) + b"\r\n",
    "blank lines": b"\n \n" + line(A) + b"\n\n\n" + line(B) + b"\n\t\n" + line(C),
    "pretty": pretty(A) + pretty(B, globs=GLOBS) + pretty(C),
    "pretty and glued": pretty(A).rstrip() + pretty(B, globs=GLOBS).rstrip() + pretty(C),
    "pretty with windows newlines": (pretty(A) + pretty(B) + pretty(C)).replace(b"\n", b"\r\n"),
    "mixed": line(A) + b"\n" + pretty(B) + line(C),
    "byte-order mark": b"\xef\xbb\xbf" + line(A) + b"\n" + line(B) + b"\n" + line(C),
    "commas": line(A) + b",\n" + line(B) + b",\n" + line(C) + b",\n",
    "a time before each": b"".join(
        b"2026-09-21T10:00:0%dZ " % number + line(path) + b"\n" for number, path in enumerate((A, B, C))
    ),
    "a time on a line of its own": b"".join(
        b"2026-09-21 10:00:00,5+02:00\r\n" + line(path) + b"\n" for path in (A, B, C)
    ),
    "a time in brackets, glued": b"".join(b"[2026-09-21T10:00Z]: " + line(path) for path in (A, B, C)),
    "a time behind the last": line(A) + b"\n" + line(B) + b"\n" + line(C) + b"\n2026-09-21\n",
    "a time as a key": b"\n".join(line(path, ts="2026-09-21T10:00:00Z") for path in (A, B, C)),
    "other events": line(A) + line(B, hook_event_name="Stop") + b"\n" + line(B) + b"\n" + line(C)
    + b'\n{"hook_event_name":"SessionEnd"}\n',
    "escapes": json.dumps(given(A)).replace("/", "\\/").encode() + line(B, note='}{"\\') + line(C),
}  # fmt: skip


@pytest.mark.parametrize("data", WHOLE.values(), ids=WHOLE.keys())
def test_whole_logs(data: bytes) -> None:
    found = read_log(data)
    assert [each.file_path for each in found.records] == [A, B, C]
    assert found.damages == ()


DAMAGED: dict[str, tuple[bytes, list[str], list[tuple[int, str]]]] = {
    "empty": (b"", [], []),
    "blank": (b" \n\r\n\t", [], []),
    "torn at the end": (line(A) + b"\n" + line(B)[:60], [A], [(2, "torn")]),
    "torn in a string": (line(A) + b"\n" + line(B)[:-3], [A], [(2, "torn")]),
    "torn, then a line": (line(A)[:60] + b"\n" + line(B) + b"\n", [B], [(1, "torn")]),
    "torn behind a colon, then a line": (b'{"cwd":\n' + line(B), [B], [(1, "torn")]),
    "torn in a string, then glued": (line(A)[:100] + line(B) + b"\n" + line(C), [B, C], [(1, "torn")]),
    "torn at a brace of a glob, then glued": (
        line(A, globs=GLOBS).partition(b"ts,")[0] + line(B) + b"\n",
        [B],
        [(1, "torn")],
    ),
    "torn and pretty": (pretty(A) + pretty(B)[:60] + b"\n" + pretty(C), [A, C], [(10, "torn")]),
    "zero bytes": (line(A) + b"\n" + b"\0" * 512 + b"\n" + line(B), [A, B], [(2, "nul-run")]),
    "zero bytes in an object": (line(A)[:50] + b"\0" * 9 + line(B), [B], [(1, "nul-run")]),
    "not UTF-8": (line(A).replace(b"CLAUDE", b"\xff") + b"\n" + line(B), [B], [(1, "not-utf8")]),
    "UTF-16": (("\ufeff" + line(A).decode()).encode("utf-16-le"), [], [(1, "utf-16")]),
    "words": (b"hello\n" + line(A) + b"\nPARSE-FAILED\n", [A], [(1, "not-json"), (3, "not-json")]),
    "words behind an object": (line(A) + b" ok\n" + line(B), [A, B], [(1, "not-json")]),
    "other values": (line(A) + b'\nnull\n"x"\n[1]\n', [A], [(2, "not-json")]),
    "one other value": (line(A) + b"\n[1]\n" + line(B), [A, B], [(2, "not-object")]),
    "no file": (b'{"a":1}\n' + line(A, file_path=7) + b"\n" + line(B), [B], [(1, "no-file"), (2, "no-file")]),
    "empty file": (line(A, file_path="") + b"\n" + line(B), [B], [(1, "no-file")]),
    "a relative path and no folder": (line("CLAUDE.md", cwd=None) + line(B), [B], [(1, "relative-path")]),
    "nested too deeply": (b'{"a":' * 100_000 + b"\n" + line(B), [B], [(1, "torn")]),
    "braces": (b"{" * 10_000 + b"\n" + line(B), [B], [(1, "not-json")]),
}


@pytest.mark.parametrize(("data", "paths", "damages"), DAMAGED.values(), ids=DAMAGED.keys())
def test_damaged_logs(data: bytes, paths: list[str], damages: list[tuple[int, str]]) -> None:
    found = read_log(data)
    assert [each.file_path for each in found.records] == paths
    assert [(each.line, each.reason) for each in found.damages] == damages


def test_every_word_of_the_hook() -> None:
    said = line(
        C,
        "path_glob_match",
        globs=GLOBS,
        trigger_file_path="/w/a.ts",
        parent_file_path="/w/CLAUDE.md",
        memory_type="Local",
    )
    assert read_log(said).records == (
        Loaded(C, "Local", "path_glob_match", tuple(GLOBS), "/w/a.ts", "/w/CLAUDE.md", "s1", "/w"),
    )


def test_what_the_hook_does_not_say_is_empty() -> None:
    assert read_log(b'{"file_path":"/w/CLAUDE.md"}').records == (Loaded("/w/CLAUDE.md"),)
    nothing = line(cwd="", session_id="", globs=[], memory_type=None, load_reason=None)
    assert read_log(nothing).records == (Loaded("/w/CLAUDE.md"),)


def test_newer_words_and_other_types_are_kept_as_text() -> None:
    said = line(A, "moon_phase", memory_type=["x"], globs="*.md", session_id=7, cwd=None, more={"deep": [1]})
    assert read_log(said).records == (Loaded(A, '["x"]', "moon_phase", ("*.md",), session_id="7"),)
    assert read_log(line(globs=[1, None, "a"])).records[0].globs == ("1", "a")
    assert read_log(line(globs={"a": 1})).records[0].globs == ('{"a":1}',)


def test_half_a_surrogate_pair_can_be_shown() -> None:
    found = read_log(b'{"file_path":"/w/\\ud800.md","load_reason":"\\udfff"}').records[0]
    assert (found.file_path, found.load_reason) == ("/w/\ufffd.md", "\ufffd")


def test_a_relative_path_stands_where_the_folder_is_named() -> None:
    assert read_log(line("CLAUDE.md")).records[0].file_path == "CLAUDE.md"


@pytest.mark.parametrize("path", ["C:\\w\\CLAUDE.md", "c:/w/CLAUDE.md", "\\\\host\\share\\CLAUDE.md"])
def test_windows_paths_are_whole(path: str) -> None:
    assert [each.file_path for each in read_log(line(path, cwd=None)).records] == [path]


@pytest.mark.parametrize("between", [b"\n", b"", b"\r\n\r\n"])
def test_a_log_of_any_size(between: bytes) -> None:
    data = between.join(line(f"/w/{number}/CLAUDE.md") for number in range(25_000))
    assert len(data) > 5 * END_BYTES
    found = read_log(data[-END_BYTES:], is_end=True)
    assert found.damages == ()
    assert [each.file_path for each in found.records] == [
        f"/w/{number}/CLAUDE.md" for number in range(25_000 - len(found.records), 25_000)
    ]
    assert len(found.records) > 3000


@pytest.mark.parametrize("name", ["lines", "glued", "pretty", "a time before each", "pretty and glued"])
def test_cut_anywhere_the_end_of_a_log_loses_only_what_was_cut(name: str) -> None:
    data = WHOLE[name]
    starts = [data.index(b"{", data.rindex(b"}", 0, end) if b"}" in data[:end] else 0) for end in ends(data)]
    for cut in range(len(data)):
        found = read_log(data[cut:], is_end=True)
        expected = [path for path, start in zip((A, B, C), starts, strict=True) if start >= cut]
        assert [each.file_path for each in found.records] == expected, cut
        assert found.damages == (), cut


def ends(data: bytes) -> list[int]:
    """Where the file of each of the three objects is named."""
    return [data.index(json.dumps(path).encode()) for path in (A, B, C)]


@settings(max_examples=150)
@drawn(
    st.lists(
        st.one_of(
            st.binary(max_size=40).map(lambda junk: junk.replace(b"\n", b"").replace(b"\xff\xfe", b"")),
            st.integers(0, 200).map(lambda cut: line(B)[:cut]),
            st.sampled_from([b"{", b'{"a":"', b'{"a":{', b"}", b'"', b"\\", b"\0", b"2026-09-21T10:00:00Z"]),
        ),
        max_size=8,
    ),
    st.integers(0, 8),
)
def test_a_whole_object_on_its_own_line_is_found_whatever_the_others_hold(
    junk: list[bytes], place: int
) -> None:
    lines = [*junk[:place], line("/w/found.md"), *junk[place:]]
    data = b"\n".join([b"", *lines])
    for is_end in (False, True):
        found = read_log(data, is_end=is_end)
        assert "/w/found.md" in [each.file_path for each in found.records]
        assert all(1 <= each.line <= len(lines) + 1 for each in found.damages)
        assert [each.line for each in found.damages] == sorted(each.line for each in found.damages)
