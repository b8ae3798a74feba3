"""The workspace's own sessions: their file, their transcript on disk, and what a full disk leaves."""

from __future__ import annotations

import errno
import json
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.disk.lock import Caller, Held, hold
from agentbrief.disk.refusal import Refused
from agentbrief.disk.seam import FS
from agentbrief.sessions.formats.port_sessions import (
    NotStored,
    Stored,
    StoredSession,
    load_stored,
    read,
    render,
    stored_text,
    value_of,
)
from agentbrief.sessions.model import Message, Text, ToolUse, Usage
from agentbrief.sessions.transcript_store import TranscriptEntry, TranscriptStore
from agentbrief.sessions.workspace_session import (
    FileSink,
    history_path,
    ids_among,
    session_path,
    store_folder,
    transcript_in,
    transcript_path,
)
from tests.sessions.claw.strategies import JSON_VALUES, NAMES, TEXTS

COUNTS = st.integers(0, 2**80)
STORED = st.builds(
    StoredSession,
    st.from_regex(r"\A[A-Za-z0-9][A-Za-z0-9_-]{0,20}\Z").filter(
        lambda text: text.lower() not in ("con", "nul")
    ),
    st.lists(TEXTS | JSON_VALUES, max_size=4),
    COUNTS,
    COUNTS,
    st.dictionaries(NAMES, JSON_VALUES, max_size=2),
)


@settings(max_examples=150)
@given(STORED)
def test_saved_and_loaded_it_is_the_same(session: StoredSession) -> None:
    text = stored_text(session)
    found = load_stored(text.encode("ascii"), session.session_id)
    assert isinstance(found, Stored)
    assert found.session == session
    assert stored_text(found.session) == text
    assert list(json.loads(text))[:4] == ["session_id", "messages", "input_tokens", "output_tokens"]


def test_a_later_change_of_the_list_does_not_show() -> None:
    messages = ["a"]
    session = StoredSession("s", messages, 0, 0)  # type: ignore[arg-type]
    messages.append("b")
    assert session.messages == ("a",)
    assert session.with_message("c").messages == ("a", "c")


def test_unknown_keys_stay_in_their_order_and_do_not_win() -> None:
    data = b'{"z":1,"session_id":"q","messages":[],"a":[1e2],"input_tokens":1,"output_tokens":2}'
    found = load_stored(data, "q")
    assert isinstance(found, Stored)
    assert list(json.loads(stored_text(found.session)))[4:] == ["z", "a"]
    forged = StoredSession("q", (), 1, 2, {"messages": ["x"]})
    assert json.loads(stored_text(forged))["messages"] == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("[]", "bad-top-level"),
        ("null", "bad-top-level"),
        ('{"session_id":"q","messages":[],"input_tokens":1}', "missing-field"),
        ('{"session_id":1,"messages":[],"input_tokens":1,"output_tokens":2}', "bad-id"),
        ('{"session_id":"q","messages":{},"input_tokens":1,"output_tokens":2}', "bad-messages"),
        ('{"session_id":"q","messages":[],"input_tokens":true,"output_tokens":2}', "bad-count"),
        ('{"session_id":"q","messages":[],"input_tokens":1.0,"output_tokens":2}', "bad-count"),
        ('{"session_id":"q","messages":[],"input_tokens":-1,"output_tokens":2}', "bad-count"),
        ("{", "bad-json"),
        ("\ufeff{}", "bad-json"),
        ("[" * 100_000, "bad-json"),
    ],
)
def test_a_file_that_is_none(text: str, code: str) -> None:
    found = load_stored(text.encode("utf-8"), "q")
    assert isinstance(found, NotStored)
    assert found.code == code
    view = read(text.encode("utf-8"), "/w/.port_sessions/q.json")
    assert [damage.code for damage in view.damage] == [code]
    assert not view.ref.writable


def test_what_a_view_shows() -> None:
    odd = [{"role": "user"}, 3, {"role": "tool", "blocks": [{"type": "text", "text": "t"}]}, "typed"]
    data = json.dumps(
        {"session_id": "other", "messages": odd, "input_tokens": 1, "output_tokens": 2}
    ).encode()
    view = read(data, "/w/.port_sessions/q.json")
    assert [(message.role, message.text) for message in view.messages] == [("tool", "t"), ("user", "typed")]
    assert view.usage == Usage(1, 2)
    assert view.ref.session_id == "q"
    assert [(one.code, one.detail) for one in view.damage] == [
        ("id-mismatch", "other"),
        ("odd-message", "0"),
        ("odd-message", "1"),
    ]


def test_words_of_the_user_are_a_text_and_all_else_an_object() -> None:
    assert value_of(Message("user", (Text("hi"),))) == "hi"
    assert value_of(Message("assistant", (Text("hi"),))) == {
        "role": "assistant",
        "blocks": [{"type": "text", "text": "hi"}],
    }
    assert render(Message("user", (Text("é"),))) == b'"\\u00e9"'
    assert value_of(Message("user", (ToolUse("1", "n", {}, "{}"),))) != "{}"


def test_paths_lie_in_the_workspace_folder_and_identifiers_are_checked_first() -> None:
    store = store_folder("/w/app")
    assert session_path(store, "a.b") == "/w/app/.port_sessions/a.b.json"
    assert transcript_path(store, "a") == "/w/app/.port_sessions/a.transcript.jsonl"
    assert history_path(store, "a") == "/w/app/.port_sessions/a.history.jsonl"
    for path in (session_path, transcript_path, history_path):
        with pytest.raises(ValueError, match="bad-id"):
            path(store, "../a")
    names = ["b.json", "a.json", "a.transcript.jsonl", ".agentbrief.lock", "x y.json", "CON.json"]
    assert ids_among(names) == ("a", "b")


def holder(folder: Path, fs: FS | None = None) -> Callable[[], AbstractContextManager[Held]]:
    caller = Caller(1, time.time_ns, time.sleep)

    @contextmanager
    def held() -> Iterator[Held]:
        with hold(fs or FS(), str(folder), caller) as found:
            yield found

    return held


class FullAfter(FS):
    """The disk is full after some records."""

    def __init__(self, records: int) -> None:
        self.left = records

    def write(self, descriptor: int, data: bytes) -> int:
        if b'"kind"' in data:
            if self.left == 0:
                raise OSError(errno.ENOSPC, "No space left on device")
            self.left -= 1
        return super().write(descriptor, data)


@pytest.mark.parametrize("room_for", range(4))
def test_a_full_disk_forgets_nothing_and_repeats_nothing(tmp_path: Path, room_for: int) -> None:
    path = tmp_path / "s.transcript.jsonl"
    disk = FullAfter(room_for)
    store = TranscriptStore(lambda: 7, FileSink(holder(tmp_path, disk), str(path)))
    for word in "abc":
        store.append(word)
    if room_for < 3:
        with pytest.raises(Refused):
            store.flush()
        assert [entry.text for entry in store.replay()] == ["a", "b", "c"]
        assert not store.flushed
        disk.left = 99
    store.flush()
    assert store.flushed
    entries, damage = transcript_in(path.read_bytes())
    assert [entry.text for entry in entries] == ["a", "b", "c"]
    assert damage == ()


def test_a_compaction_that_cannot_write_drops_nothing(tmp_path: Path) -> None:
    disk = FullAfter(1)
    store = TranscriptStore(lambda: 7, FileSink(holder(tmp_path, disk), str(tmp_path / "t.jsonl")))
    for word in "abc":
        store.append(word)
    with pytest.raises(Refused):
        store.compact(1)
    assert len(store.entries) == 3
    disk.left = 99
    assert store.compact(1) == 2
    store.flush()
    entries, _ = transcript_in((tmp_path / "t.jsonl").read_bytes())
    assert [entry.text for entry in entries] == ["a", "b", "c"]


@settings(max_examples=100)
@given(
    st.lists(
        st.one_of(
            st.tuples(st.just("append"), TEXTS),
            st.tuples(st.just("compact"), st.integers(0, 5)),
            st.just(("flush", 0)),
        )
    )
)
def test_every_entry_is_written_once_in_order(operations: list[tuple[str, str | int]]) -> None:
    written: list[bytes] = []

    class Kept:
        def write(self, records: Sequence[bytes]) -> tuple[int, Refused | None]:
            written.extend(records)
            return len(records), None

    store = TranscriptStore(lambda: 7, Kept())
    texts = []
    for name, value in operations:
        if isinstance(value, str):
            texts.append(value)
            store.append(value)
        elif name == "compact":
            store.compact(value)
            assert len(store.entries) <= value
        else:
            store.flush()
            assert store.entries == ()
            assert store.flushed
    store.flush()
    assert [json.loads(line)["text"] for line in written] == texts


def test_a_negative_bound_is_the_callers_mistake() -> None:
    with pytest.raises(ValueError, match="bad-keep-last"):
        TranscriptStore(lambda: 7).compact(-1)


def test_a_transcript_with_bad_lines_gives_the_rest() -> None:
    good = TranscriptEntry("event", "saved\n", 7, {"n": [1]}).record()
    data = (
        good + b'\n{"kind":"odd","text":"x","at_ms":1}\n{"kind":"event","te\n' + good + b"\n" + b'{"kind":"ev'
    )
    entries, damage = transcript_in(data)
    assert [(entry.kind, entry.text, entry.data) for entry in entries] == [
        ("event", "saved\n", {"n": [1]})
    ] * 2
    assert [(one.line, one.code) for one in damage] == [(2, "bad-record"), (3, "not-json"), (5, "torn-tail")]
