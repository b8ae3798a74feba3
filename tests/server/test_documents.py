"""Open documents: values, positions of the client in three encodings, and nothing read from the disk."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types as lsp

from agentbrief.text.line_index import Encoding
from agentbrief.text.span import Span
from agentbrief_server.documents import BriefWorkspace, OpenDocument, line_index

ENCODINGS: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")
CHARACTERS = "aé规한🚀👩\u200d\u0301\n\r\u2028\u2029\x0b\x0c\x1c\x85\ufeff"
TEXTS = st.lists(st.sampled_from([*CHARACTERS, "\r\n"]), max_size=30).map("".join)


def document(text: str, encoding: Encoding = "utf-16") -> OpenDocument:
    return OpenDocument("file:///w/app/CLAUDE.md", "/w/app/CLAUDE.md", text, 1, "markdown", encoding)


def workspace(*folders: str, root: str | None = None) -> BriefWorkspace:
    named = [lsp.WorkspaceFolder(uri, "name") for uri in folders]
    return BriefWorkspace(lsp.PositionEncodingKind.Utf16, root, named)


def opened(text: str = "text", uri: str = "file:///w/app/CLAUDE.md") -> BriefWorkspace:
    space = workspace()
    space.put_text_document(lsp.TextDocumentItem(uri, "markdown", 1, text))
    return space


@given(TEXTS, st.sampled_from(ENCODINGS), st.data())
def test_offsets_and_positions_come_back(text: str, encoding: Encoding, data: st.DataObject) -> None:
    held = document(text, encoding)
    offset = data.draw(st.integers(0, len(text)))
    position = held.position_of(offset)
    back = held.offset_of(position)
    assert back == offset or text[offset - 1 : offset + 1] == "\r\n"
    assert held.position_of(back) == position


@given(TEXTS, st.sampled_from(ENCODINGS), st.integers(0, 40), st.integers(0, 90))
def test_a_position_of_the_client_is_never_changed(
    text: str, encoding: Encoding, line: int, column: int
) -> None:
    position = lsp.Position(line, column)
    offset = document(text, encoding).offset_of(position)
    assert (position.line, position.character) == (line, column)
    assert 0 <= offset <= len(text)


@given(TEXTS, st.sampled_from(ENCODINGS), st.data())
def test_ranges_and_spans_come_back(text: str, encoding: Encoding, data: st.DataObject) -> None:
    # no place lies between the two characters of a line end
    held = document(re.sub(r"\r+\n", "\n", text), encoding)
    ends = st.integers(0, len(held.text))
    span = Span(*sorted((data.draw(ends), data.draw(ends))))
    place = held.range_of(span)
    assert held.span_of(place) == span
    assert held.span_of(lsp.Range(place.end, place.start)) == span


@given(TEXTS, TEXTS, st.sampled_from(ENCODINGS), st.data())
def test_a_ranged_change_is_the_models(text: str, new: str, encoding: Encoding, data: st.DataObject) -> None:
    held = document(text, encoding)
    ends = st.integers(0, len(text))
    start, end = sorted((data.draw(ends), data.draw(ends)))
    place = held.range_of(Span(start, end))
    span = held.span_of(place)
    changed = held.changed(lsp.TextDocumentContentChangePartial(place, new), 2)
    assert changed.text == text[: span.start] + new + text[span.end :]
    assert changed.version == 2
    assert held.text == text


def test_the_lines_of_a_string_are_found_once() -> None:
    text = "a\nb" * 10
    assert line_index(text) is line_index(text)
    same_letters = "".join(list(text))
    assert line_index(same_letters) is not line_index(text)
    for number in range(200):
        assert line_index(f"{number}\n").text == f"{number}\n"
    assert line_index(text).text is text


def test_a_document_keeps_its_text_when_another_takes_its_place() -> None:
    space = opened("old")
    held, texts = space.document("file:///w/app/CLAUDE.md"), space.texts
    identifier = lsp.VersionedTextDocumentIdentifier(2, "file:///w/app/CLAUDE.md")
    space.update_text_document(identifier, lsp.TextDocumentContentChangeWholeDocument("new"))
    assert held is not None
    assert (held.text, held.version) == ("old", 1)
    assert texts == {"/w/app/CLAUDE.md": "old"}
    assert space.texts == {"/w/app/CLAUDE.md": "new"}
    assert space.texts is space.texts
    space.remove_text_document("file:///w/app/CLAUDE.md")
    assert space.document("file:///w/app/CLAUDE.md") is None
    assert space.texts == {}
    assert texts == {"/w/app/CLAUDE.md": "old"}


@pytest.mark.parametrize(
    "uri", ["file:///w/app/CLAUDE.md", "file:///w/app/%43LAUDE.md", "FILE://localhost/w/./app//CLAUDE%2emd"]
)
def test_a_document_is_found_however_its_uri_is_escaped(uri: str) -> None:
    space = opened()
    found = space.document(uri)
    assert found is not None
    assert found.uri == "file:///w/app/CLAUDE.md"
    space.remove_text_document(uri)
    assert space.documents == ()


def test_a_file_that_is_open_keeps_the_clients_spelling() -> None:
    space = opened(uri="file:///w/app/%43LAUDE.md")
    assert space.uri_of("/w/app/CLAUDE.md") == "file:///w/app/%43LAUDE.md"
    assert space.uri_of("/w/app/a b.md") == "file:///w/app/a%20b.md"


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "git:/w/app/CLAUDE.md", "file:///w/../CLAUDE.md"])
def test_a_text_that_is_no_file_we_look_at_is_held_all_the_same(uri: str) -> None:
    space = opened("text", uri)
    found = space.document(uri)
    assert found is not None
    assert (found.text, found.path) == ("text", None)
    assert space.texts == {}


def test_files_that_are_not_open_are_never_read(tmp_path: Path) -> None:
    file = tmp_path / "CLAUDE.md"
    file.write_text("on disk", encoding="utf-8")
    seen: list[object] = []
    armed = [True]
    sys.addaudithook(lambda event, args: seen.append(args[0]) if armed[0] and event == "open" else None)
    space = workspace(tmp_path.as_uri())
    assert space.document(file.as_uri()) is None
    with pytest.raises(LookupError):
        space.get_text_document(file.as_uri())
    identifier = lsp.VersionedTextDocumentIdentifier(2, file.as_uri())
    with pytest.raises(LookupError):
        space.update_text_document(identifier, lsp.TextDocumentContentChangeWholeDocument("x"))
    space.remove_text_document(file.as_uri())
    armed[0] = False
    assert seen == []


def test_folders_of_the_client() -> None:
    assert workspace("file:///w/app", "file:///w/b%20c").folder_paths == ("/w/app", "/w/b c")
    assert workspace("vscode-vfs://github/x", "file:///w/app").folder_paths == ("/w/app",)
    assert workspace(root="file:///w/root").folder_paths == ("/w/root",)
    assert workspace("file:///w/app", root="file:///w/root").folder_paths == ("/w/app",)
    assert workspace().folder_paths == ()
    assert workspace(root="http://[").folder_paths == ()
