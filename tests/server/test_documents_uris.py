"""URIs and paths: what is refused by its spelling, before anything is opened."""

from __future__ import annotations

import os
import sys
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrief_server.uris import path_of, path_within, uri_of
from tests.data_folders import CORPORA, records

ROOT = "/w/app"
PAYLOADS = records(CORPORA / "traversal.jsonl")

pytestmark = pytest.mark.skipif(os.name == "nt", reason="paths of POSIX")


def payload_of(record: dict[str, Any]) -> bytes:
    if "payload" in record:
        return str(record["payload"]).encode("utf-8", "surrogatepass")
    return bytes.fromhex(record["payload_hex"])


@pytest.mark.parametrize(
    "record", [r for r in PAYLOADS if "uri" in r["entry"]], ids=lambda record: record["id"]
)
def test_a_uri_of_the_corpus_is_refused(record: dict[str, Any]) -> None:
    assert path_within(str(record["payload"]), (ROOT,)) is None


@pytest.mark.parametrize("record", PAYLOADS, ids=lambda record: record["id"])
def test_no_payload_of_the_corpus_leaves_its_root_as_a_uri(record: dict[str, Any]) -> None:
    payload = payload_of(record)
    spelled = payload.decode("utf-8", "replace")
    escaped = quote(payload, safe="/")
    for uri in (
        spelled,
        f"file:{spelled}",
        f"file://{spelled}",
        f"file:///w/app/{escaped}",
        f"file://{escaped}",
    ):
        path = path_within(uri, (ROOT,))
        if path is not None:
            assert path == ROOT or path.startswith(ROOT + "/")
            assert os.path.normpath(path) == path
            assert not any(ord(char) < 32 for char in path)


def test_refusing_opens_nothing() -> None:
    seen: list[object] = []
    armed = [True]
    sys.addaudithook(
        lambda event, args: seen.append(args[0]) if armed[0] and event in ("open", "os.listdir") else None
    )
    for record in PAYLOADS:
        path_of(f"file:///w/app/{quote(payload_of(record))}")
    armed[0] = False
    assert seen == []


@pytest.mark.parametrize(
    "uri",
    [
        "",
        "/w/app/CLAUDE.md",
        "http://host.invalid/w/app/CLAUDE.md",
        "vscode-remote://ssh/w/app",
        "untitled:Untitled-1",
        "file:CLAUDE.md",
        "file://",
        "file://host.invalid/w/app/CLAUDE.md",
        "file://127.0.0.1/w/app/CLAUDE.md",
        "file:////host.invalid/share/x",
        "file:///%2fhost.invalid/share/x",
        "file:///C:/Windows/win.ini",
        "file:///c%3A/Windows/win.ini",
        "file:///w/app/../x",
        "file:///w/app/%2e%2e/x",
        "file:///w/app/.%2E/x",
        "file:///w/app/..%2fx",
        "file:///w/app/..%5cx",
        "file:///w/app/..\\x",
        "file:///w/app/a%2fb",
        "file:///w/app/%252e%252e/x",
        "file:///w/app/%252fx",
        "file:///w/app/x%2500",
        "file:///w/app/x%00.md",
        "file:///w/app/x\0.md",
        "file:///w/app/x%0a",
        "file:///w/app/x\n",
        "file:///w/app/x%7f",
        "file:///w/app/x%c2%85",
        "file:///w/app/x%e2%80%a8",
        "file:///w/app/%c0%ae%c0%ae/x",
        "file:///w/app/%e0%80%ae/x",
        "file:///w/app/%ff",
        "file:///w/app/%ed%a0%80",
        "file:///w/app/\ud800",
        "file:///w/app/%",
        "file:///w/app/%4",
        "file:///w/app/%zz",
        "file:///w/app/x?query",
        "file:///w/app/x#fragment",
        "file:///w/app/con",
        "file:///w/app/" + "a" * 256,
        "file:///w/app/" + "é" * 128,
        "file:///" + "a/" * 2_100,
        "file:///" + "a" * 100_000,
    ],
)
def test_what_a_uri_may_not_say(uri: str) -> None:
    assert path_of(uri) is None


@pytest.mark.parametrize(
    ("uri", "path"),
    [
        ("file:///w/app/CLAUDE.md", "/w/app/CLAUDE.md"),
        ("file://localhost/w/app/CLAUDE.md", "/w/app/CLAUDE.md"),
        ("file:/w/app/CLAUDE.md", "/w/app/CLAUDE.md"),
        ("FILE:///w/app/CLAUDE.md", "/w/app/CLAUDE.md"),
        ("file:///w/a%20b/CLAUDE.md", "/w/a b/CLAUDE.md"),
        ("file:///w/a b/CLAUDE.md", "/w/a b/CLAUDE.md"),
        ("file:///w/%E8%A7%84/%F0%9F%9A%80.md", "/w/规/🚀.md"),
        ("file:///w/规/🚀.md", "/w/规/🚀.md"),
        ("file:///w/100%25/x", "/w/100%/x"),
        ("file:///w/a%23b%3Fc", "/w/a#b?c"),
        ("file:///w/a:b/x", "/w/a:b/x"),
        ("file:///w/...x/..y/z..", "/w/...x/..y/z.."),
        ("file:///w//app/./x", "/w/app/x"),
        ("file:///w/app/", "/w/app"),
        ("file:///", "/"),
        ("file:///w/" + "a" * 255, "/w/" + "a" * 255),
    ],
)
def test_what_a_uri_names(uri: str, path: str) -> None:
    assert path_of(uri) == path


def test_within_is_by_whole_names() -> None:
    folders = ("/w/app", "/other/")
    assert path_within("file:///w/app", folders) == "/w/app"
    assert path_within("file:///w/app/x", folders) == "/w/app/x"
    assert path_within("file:///other/x", folders) == "/other/x"
    assert path_within("file:///w/app-evil/x", folders) is None
    assert path_within("file:///w", folders) is None
    assert path_within("file:///w/APP/x", folders) is None
    assert path_within("file:///x", ("/",)) == "/x"
    assert path_within("file:///x", ()) is None


NAMES = st.text(
    st.characters(exclude_categories=["Cc", "Cs", "Zl", "Zp"], exclude_characters="/\\%"),
    min_size=1,
    max_size=9,
)


@given(st.lists(NAMES, min_size=1, max_size=5))
def test_paths_come_back(names: list[str]) -> None:
    path = "/" + "/".join(names)
    back = path_of(uri_of(path))
    assert back == path or {".", ".."} & set(names) or back is None
    if back is None:
        from agentbrief.disk.spelling import refused_spelling

        assert refused_spelling(path) or ".." in names


@given(st.text(max_size=40))
def test_any_text_is_a_path_or_refused(text: str) -> None:
    for uri in (text, "file://" + text, "file:///" + text):
        path = path_of(uri)
        if path is not None:
            assert path.startswith("/")
            assert ".." not in path.split("/")
            assert path_of(uri_of(path)) == path
