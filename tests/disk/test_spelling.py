"""S1 What a path or an identifier says is judged before anything is opened."""

from __future__ import annotations

import os
from typing import Any

import pytest

from agentbrief.disk.append import append
from agentbrief.disk.create import create
from agentbrief.disk.lock import hold
from agentbrief.disk.read import read_text, real_roots
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.disk.spelling import path_below, refused_relative, refused_spelling, valid_id
from agentbrief.disk.values import FileText, ReadProblem
from tests.data_folders import CORPORA, is_own, records
from tests.disk.faults import caller, scratch, tree
from tests.disk.watching import opened_files

PAYLOADS = records(CORPORA / "traversal.jsonl")
ACCEPTED = records(CORPORA / "ids-accepted.jsonl")
ROOT = "/w/app"


def text_of(case: dict[str, Any]) -> str:
    """The payload as a name of the file system comes in: bytes that are no UTF-8 are escaped."""
    if "payload" in case:
        return str(case["payload"])
    return os.fsdecode(bytes.fromhex(case["payload_hex"]))


def cases(entry: str) -> list[Any]:
    return [pytest.param(text_of(case), id=case["id"]) for case in PAYLOADS if entry in case["entry"]]


def test_the_corpus_is_there() -> None:
    assert {entry for case in PAYLOADS for entry in case["entry"]} <= {"id", "path", "uri"}
    assert not is_own(CORPORA) or len(PAYLOADS) >= 96


@pytest.mark.parametrize("text", cases("id"))
def test_no_payload_is_an_identifier(text: str) -> None:
    with opened_files() as seen:
        assert not valid_id(text)
    assert seen == []


@pytest.mark.parametrize("value", [pytest.param(case["value"], id=case["id"]) for case in ACCEPTED])
def test_ordinary_identifiers_are_accepted(value: str) -> None:
    assert valid_id(value)
    assert path_below(ROOT, value + ".jsonl") == f"{ROOT}/{value}.jsonl"


@pytest.mark.parametrize("text", cases("path"))
def test_no_payload_is_a_path_below_a_folder(text: str) -> None:
    with opened_files() as seen:
        assert path_below(ROOT, text) is None
        assert path_below("/", text) is None or text.startswith("/")
    assert seen == []


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a.jsonl", f"{ROOT}/a.jsonl"),
        ("sub/a b.jsonl", f"{ROOT}/sub/a b.jsonl"),
        (".claude/CLAUDE.md", f"{ROOT}/.claude/CLAUDE.md"),
        ("a//b", f"{ROOT}/a/b"),
        (f"{ROOT}/a.jsonl", f"{ROOT}/a.jsonl"),
        ("\u89c4\u5219/\U0001f4c1.md", f"{ROOT}/\u89c4\u5219/\U0001f4c1.md"),
        ("console/com10.md", f"{ROOT}/console/com10.md"),
        ("100%.md", f"{ROOT}/100%.md"),
        (f"{ROOT}/../b", None),
        (f"{ROOT}-evil/b", None),
        (ROOT, None),
        (f"{ROOT}/", None),
        ("x" * 256, None),
        ("x/" * 3000 + "y", None),
        ("", None),
    ],
)
def test_a_path_below_a_folder(text: str, expected: str | None) -> None:
    assert path_below(ROOT, text) == expected


@pytest.mark.parametrize(
    ("path", "refused"),
    [
        ("/w/app/CLAUDE.md", False),
        ("C:\\w\\app\\CLAUDE.md", False),
        ("~/x", False),
        ("", True),
        ("/w/a\0b", True),
        ("/w/a\nb", True),
        ("\\\\host.invalid\\share", True),
        ("//host.invalid/share", True),
        ("\\\\?\\C:\\x", True),
        ("\\??\\C:\\x", True),
        ("C:x", True),
        ("~user/x", True),
        ("/w/NUL", True),
        ("/w/com1.txt/x", True),
    ],
)
def test_a_path_of_the_file_system(path: str, refused: bool) -> None:
    assert (refused_spelling(path) is not None) == refused


@pytest.mark.parametrize("text", ["a", "a/b.md", "-x", "a+b", "x y"])
def test_an_ordinary_relative_path_has_no_fault(text: str) -> None:
    assert refused_relative(text) is None


@pytest.mark.parametrize("text", ["/w/a\0b", "/w/a\nb", "//host.invalid/share", "/w/NUL"])
def test_writing_refuses_by_spelling_before_it_looks(text: str) -> None:
    with scratch() as folder, hold(FS(), str(folder), caller()) as held, opened_files() as seen:
        with pytest.raises(ValueError, match="no path"):
            append(held, text, b"{}")
        with pytest.raises(ValueError, match="no path"):
            create(FS(), text, b"{}", held.roots)
        assert seen == []


@pytest.mark.parametrize("spelled", ["link/x.md", "link.md", "deep/link/x.md", "back/../link/x.md"])
def test_a_link_that_leads_out_is_seen_whatever_the_spelling(spelled: str) -> None:
    with scratch() as folder:
        root, outside = folder / "root", folder / "outside"
        (root / "deep").mkdir(parents=True)
        (root / "back").mkdir()
        outside.mkdir()
        (outside / "x.md").write_text("secret")
        for link, target in (
            (root / "link", outside),
            (root / "deep" / "link", outside),
            (root / "link.md", outside / "x.md"),
        ):
            link.symlink_to(target)
        roots = real_roots(FS(), (str(root),))
        with opened_files() as seen:
            found = read_text(FS(), str(root / spelled), roots)
            assert isinstance(found, ReadProblem) and found.kind == "outside-roots"
            assert seen == []
        before = tree(outside)
        with hold(FS(), str(root), caller()) as held, pytest.raises(Refused):
            append(held, f"{root}/{spelled}", b"{}")
        assert tree(outside) == before


def test_a_link_that_stays_inside_is_followed() -> None:
    with scratch() as folder:
        (folder / "sub").mkdir()
        (folder / "sub" / "AGENTS.md").write_text("text")
        (folder / "CLAUDE.md").symlink_to("sub/AGENTS.md")
        (folder / "other").symlink_to("sub")
        for path in ("CLAUDE.md", "other/AGENTS.md"):
            found = read_text(FS(), str(folder / path), real_roots(FS(), (str(folder),)))
            assert isinstance(found, FileText)
            assert (found.text, found.real_path) == ("text", str(folder / "sub" / "AGENTS.md"))
