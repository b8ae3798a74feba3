"""Sessions of the workspace's own: begun, made longer, saved, flushed, put into the trash."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from agentbrief.changes.apply import apply
from agentbrief.disk.lock import Caller
from agentbrief.disk.refusal import Conflict
from agentbrief.disk.seam import FS
from agentbrief.history.log import HistoryEvent
from agentbrief.sessions.formats.port_sessions import StoredSession
from agentbrief.sessions.transcript_store import TranscriptStore
from agentbrief.tasks.sessions.flush import flush_events, transcript_sink, unflushed
from agentbrief.tasks.sessions.list import sessions_of
from agentbrief.tasks.sessions.own import (
    NotOwn,
    OwnFile,
    claw_file,
    kept_copies,
    loaded,
    message_of,
    own_file,
    port_file,
    steps_to_append,
    steps_to_begin,
    steps_to_save,
)
from agentbrief.tasks.sessions.trash import steps_to_trash, trash_site
from agentbrief.tasks.sessions.write import planned_and_written, site_for, write
from tests.tasks.homes import NOW_MS, Home, built

FSYS = FS()
CALLER = Caller(1, lambda: NOW_MS * 1_000_000, lambda seconds: None)


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return built(tmp_path)


def begin(home: Home, session_id: str = "new") -> OwnFile:
    file = port_file(str(home.workspace), session_id)
    steps = steps_to_begin(FSYS, file, NOW_MS)
    assert not isinstance(steps, NotOwn)
    write(site_for(FSYS, file, CALLER), steps)
    return file


def append(file: OwnFile, text: str, role: str = "user", now_ms: int = NOW_MS) -> object:
    site = site_for(FSYS, file, CALLER)
    message = message_of(role, text)  # type: ignore[arg-type]
    return planned_and_written(site, lambda: steps_to_append(FSYS, file, message, now_ms))


def test_a_plan_writes_nothing(home: Home, tmp_path: Path) -> None:
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    file = port_file(str(home.workspace), "new")
    steps_to_begin(FSYS, file, NOW_MS)
    steps_to_append(FSYS, port_file(str(home.workspace), "plan"), message_of("user", "x"), NOW_MS)
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before


def test_begun_and_made_longer(home: Home) -> None:
    file = begin(home)
    append(file, "Hello")
    append(file, "Hi\nthere", "assistant", NOW_MS + 1)
    top = json.loads(Path(file.path).read_text())
    assert top["messages"][0] == "Hello"
    assert top["messages"][1] == {"role": "assistant", "blocks": [{"type": "text", "text": "Hi\nthere"}]}
    assert (top["session_id"], top["input_tokens"], top["output_tokens"]) == ("new", 0, 0)
    assert Path(file.path).stat().st_mode & 0o777 == 0o600
    copies = [Path(path) for path, _ in kept_copies(FSYS, file)]
    assert len(copies) == 1
    assert json.loads(copies[0].read_text())["messages"] == ["Hello"], "what it was before the last change"


def test_a_taken_id_is_left_alone(home: Home) -> None:
    before = home.port.read_bytes()
    assert steps_to_begin(FSYS, port_file(str(home.workspace), "plan"), NOW_MS) == NotOwn(
        "exists", str(home.port)
    )
    assert home.port.read_bytes() == before


@pytest.mark.parametrize("session_id", ["", "..", "a/b", "CON", "x.", "a\n", "é", "~", "a" * 129])
def test_no_identifier_no_path(home: Home, session_id: str) -> None:
    with pytest.raises(ValueError, match="bad-id"):
        port_file(str(home.workspace), session_id)
    with pytest.raises(ValueError, match="bad-id"):
        claw_file(FSYS, str(home.workspace), session_id)


def test_unknown_keys_and_odd_messages_stay(home: Home) -> None:
    odd = {"session_id": "odd", "messages": [{"x": 1}], "input_tokens": 1, "output_tokens": 2, "more": [1]}
    home.port.with_name("odd.json").write_text(json.dumps(odd))
    append(port_file(str(home.workspace), "odd"), "more")
    top = json.loads(home.port.with_name("odd.json").read_text())
    assert top == {**odd, "messages": [{"x": 1}, "more"]}


def test_what_another_program_wrote_meanwhile_is_not_lost(home: Home) -> None:
    file = port_file(str(home.workspace), "plan")
    found = loaded(FSYS, file)
    assert not isinstance(found, NotOwn)
    steps = steps_to_save(FSYS, file, found[0].session.with_message("ours"), found[1], NOW_MS)
    other = json.loads(home.port.read_text()) | {"input_tokens": 99}
    home.port.write_text(json.dumps(other))
    with pytest.raises(Conflict):
        apply(site_for(FSYS, file, CALLER), steps)
    assert json.loads(home.port.read_text()) == other
    append(file, "ours")
    top = json.loads(home.port.read_text())
    assert (top["input_tokens"], top["messages"][-1]) == (99, "ours")


def test_saving_the_same_writes_nothing(home: Home) -> None:
    file = begin(home)
    found = loaded(FSYS, file)
    assert not isinstance(found, NotOwn)
    assert steps_to_save(FSYS, file, found[0].session, found[1], NOW_MS) == ()


def test_flushed_once(home: Home) -> None:
    file = begin(home)
    append(file, "one")
    append(file, "two", now_ms=NOW_MS + 1)

    def flush() -> int:
        found = loaded(FSYS, file)
        assert not isinstance(found, NotOwn)
        waiting = unflushed(FSYS, file, found[0].session, NOW_MS)
        TranscriptStore(lambda: NOW_MS, transcript_sink(FSYS, file, CALLER), waiting).flush()
        return len(waiting)

    assert (flush(), flush()) == (2, 0)
    append(file, "three", now_ms=NOW_MS + 2)
    assert flush() == 1
    lines = Path(file.store, "new.transcript.jsonl").read_text().split("\n")[:-1]
    assert [json.loads(line)["text"] for line in lines] == ["one", "two", "three"]
    assert lines[0] == f'{{"at_ms":{NOW_MS},"kind":"message","text":"one"}}'


def test_events_are_flushed_into_the_history(home: Home) -> None:
    file = port_file(str(home.workspace), "fresh")
    events = [(NOW_MS, HistoryEvent("Compaction", "212 messages")), (NOW_MS + 1, HistoryEvent("Edit", "x"))]
    assert flush_events(FSYS, file, events, CALLER) == 2
    assert flush_events(FSYS, file, [], CALLER) == 0
    lines = Path(file.store, "fresh.history.jsonl").read_text().split("\n")[:-1]
    assert json.loads(lines[0]) == {"at_ms": NOW_MS, "detail": "212 messages", "title": "Compaction"}


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_a_session_of_claw_code(home: Home, form: str) -> None:
    file = claw_file(FSYS, str(home.workspace), "c1", form)  # type: ignore[arg-type]
    steps = steps_to_begin(FSYS, file, NOW_MS)
    assert not isinstance(steps, NotOwn)
    write(site_for(FSYS, file, CALLER), steps)
    assert own_file(FSYS, str(home.workspace), "c1") == file
    append(file, "Hello", now_ms=NOW_MS + 1)
    append(file, "Hi", "assistant", now_ms=NOW_MS + 2)
    item = next(
        item for item in sessions_of(home.setup(), str(home.workspace)).items if item.session_id == "c1"
    )
    assert (item.agent, item.messages, item.cwd) == ("claw-code", 2, str(home.workspace))
    assert file.path.endswith(f".{form}")


def test_a_line_more_leaves_the_lines_before_alone(home: Home) -> None:
    before = home.claw.read_bytes()
    append(own_file(FSYS, str(home.workspace), home.claw.stem), "more")
    after = home.claw.read_bytes()
    assert after.startswith(before)
    assert json.loads(after[len(before) :]) == {
        "type": "message",
        "message": {"role": "user", "blocks": [{"type": "text", "text": "more"}]},
    }


def test_a_torn_file_is_repaired_first(home: Home) -> None:
    home.claw.write_bytes(home.claw.read_bytes()[:-5])
    before = home.claw.read_bytes()
    found = append(own_file(FSYS, str(home.workspace), home.claw.stem), "more")
    assert found == NotOwn("torn-tail", str(home.claw))
    assert home.claw.read_bytes() == before


def test_the_trash_takes_all_files_of_a_session(home: Home) -> None:
    file = port_file(str(home.workspace), "plan")
    flush_events(FSYS, file, [(NOW_MS, HistoryEvent("a", "b"))], CALLER)
    item = next(item for item in sessions_of(home.setup(), str(home.workspace)).items if item.agent == "claw")
    steps = steps_to_trash(FSYS, item)
    assert not isinstance(steps, NotOwn)
    receipt = apply(trash_site(FSYS, item, CALLER), steps)
    assert not home.port.exists()
    assert sorted(Path(done.path).name for done in receipt.done) == ["plan.history.jsonl", "plan.json"]


@pytest.mark.parametrize("agent", ["claude-code", "codex", "openclaw"])
def test_what_belongs_to_others_stays(home: Home, agent: str) -> None:
    item = next(item for item in sessions_of(home.setup(), str(home.workspace)).items if item.agent == agent)
    assert steps_to_trash(FSYS, item) == NotOwn("read-only", item.path)


def test_a_session_that_is_being_written_stays(home: Home) -> None:
    os.utime(home.claw, (NOW_MS / 1000 - 3, NOW_MS / 1000 - 3))
    item = next(
        item for item in sessions_of(home.setup(), str(home.workspace)).items if item.agent == "claw-code"
    )
    assert steps_to_trash(FSYS, item) == NotOwn("running", item.path)


def test_counts_are_not_touched() -> None:
    session = StoredSession("s", ("a",), 3, 4)
    assert session.with_message("b").input_tokens == 3
