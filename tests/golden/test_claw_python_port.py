"""The Python side of claw-code, as recorded from it and as profile ``claw`` must differ: stored sessions, the
transcript, the history log, and the engine as a reference.
"""

from __future__ import annotations

import base64
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from agentbrief.disk.lock import Caller, Held, hold
from agentbrief.disk.seam import FS
from agentbrief.disk.spelling import valid_id
from agentbrief.history.log import HistoryLog
from agentbrief.profiles.load import profile
from agentbrief.sessions.formats.port_sessions import (
    NotStored,
    Stored,
    StoredSession,
    load_stored,
    stored_text,
)
from agentbrief.sessions.port_engine import (
    Denial,
    EngineConfig,
    EngineState,
    WordUsage,
    resumed,
    simulate,
    usage_after,
)
from agentbrief.sessions.transcript_store import TranscriptEntry, TranscriptStore
from agentbrief.sessions.workspace_session import FileSink, session_path, transcript_path
from tests.golden.claw_cases import Case, cases


@pytest.mark.parametrize("case", cases("stored_session"), ids=str)
def test_stored_session(case: Case, tmp_path: Path) -> None:
    given = case.input
    session = StoredSession(
        given["session_id"], given["messages"], given["input_tokens"], given["output_tokens"]
    )
    assert isinstance(session.messages, tuple)
    store = str(tmp_path / case.id / "store")
    if "error" in case.wanted:
        with pytest.raises(ValueError, match=case.code or ""):
            Path(session_path(store, session.session_id), stored_text(session))
        return
    wanted = case.wanted["ok"]
    path = session_path(store, session.session_id)
    text = stored_text(session)
    assert path == wanted["path"].replace("<ROOT>", str(tmp_path))
    assert text == wanted["file_text"]
    os.makedirs(store)
    Path(path).write_bytes(text.encode("ascii"))
    again = load_stored(Path(path).read_bytes(), session.session_id)
    assert isinstance(again, Stored) and again.codes <= {"odd-message"}
    assert type(again.session.messages).__name__ == wanted["loaded"]["type"]
    assert record_of(again.session) == {
        key: value for key, value in wanted["loaded"].items() if key != "type"
    }


def record_of(session: StoredSession) -> dict[str, Any]:
    return {
        "session_id": session.session_id,
        "messages": list(session.messages),
        "input_tokens": session.input_tokens,
        "output_tokens": session.output_tokens,
    }


@pytest.mark.parametrize("case", cases("load_session"), ids=str)
def test_load_session(case: Case) -> None:
    name = case.input["file"]
    if name is None:
        assert "error" in case.wanted, "a file that is not there is never a session"
        return
    data = base64.b64decode(case.input["b64"]) if "b64" in case.input else case.input["text"].encode("utf-8")
    found = load_stored(data, name.removesuffix(".json"))
    if "error" in case.wanted:
        assert isinstance(found, NotStored)
        assert found.code == (case.code or found.code)
        return
    assert isinstance(found, Stored), found
    assert record_of(found.session) == case.wanted["ok"]
    assert found.codes == set(case.extra.get("issues", ()))


def entry_of(value: Any, at_ms: int = 7) -> TranscriptEntry | str:
    if isinstance(value, str):
        return value
    return TranscriptEntry(value["kind"], value["text"], at_ms, value.get("data"))


def perform(store: TranscriptStore, operation: list[Any]) -> None:
    match operation:
        case ["append", *entries]:
            for entry in entries:
                store.append(entry_of(entry))
        case ["compact"]:
            store.compact()
        case ["compact", keep_last]:
            store.compact(keep_last)
        case ["flush"]:
            store.flush()
        case _:
            raise AssertionError(operation)


def steps_of(store: TranscriptStore, operations: list[list[Any]]) -> Iterator[dict[str, Any]]:
    for operation in operations:
        perform(store, operation)
        yield {
            "after": operation[0],
            "entries": [entry.text for entry in store.entries],
            "flushed": store.flushed,
        }


@pytest.mark.parametrize("case", cases("transcript"), ids=str)
def test_transcript(case: Case) -> None:
    store = TranscriptStore(lambda: 7)
    if "error" in case.wanted:
        with pytest.raises(ValueError, match=case.code or ""):
            list(steps_of(store, case.input["ops"]))
        return
    steps = list(steps_of(store, case.input["ops"]))
    replay = store.replay()
    wanted = case.wanted["ok"]
    assert steps == wanted["steps"]
    assert [entry.text for entry in replay] == wanted["replay"]
    assert type(replay).__name__ == wanted["replay_type"]


@pytest.mark.parametrize("case", cases("transcript_flush"), ids=str)
def test_transcript_with_a_file(case: Case, tmp_path: Path) -> None:
    path = transcript_path(str(tmp_path), "s")
    caller = Caller(1, time.time_ns, time.sleep)

    @contextmanager
    def held() -> Iterator[Held]:
        with hold(FS(), str(tmp_path), caller) as found:
            yield found

    store = TranscriptStore(lambda: 7, FileSink(held, path))
    if "error" in case.wanted:
        with pytest.raises(ValueError, match=case.code or ""):
            list(steps_of(store, case.input["ops"]))
        return
    for operation in case.input["ops"]:
        perform(store, operation)
    file = Path(path)
    assert {
        "file_text": file.read_text("utf-8") if file.exists() else "",
        "entries": [entry.text for entry in store.entries],
        "flushed": store.flushed,
    } == case.wanted["ok"]


@pytest.mark.parametrize("case", cases("history"), ids=str)
def test_history(case: Case) -> None:
    log = HistoryLog()
    for title, detail in case.input["events"]:
        log = log.add(title, detail)
    assert log.as_markdown() == case.wanted["ok"]


@pytest.mark.parametrize("case", cases("valid_id"), ids=str)
def test_valid_id(case: Case) -> None:
    assert [valid_id(text) for text in case.input["ids"]] == case.wanted["ok"]


@pytest.mark.parametrize("case", cases("usage_add_turn"), ids=str)
def test_words_of_a_turn(case: Case) -> None:
    start = WordUsage(*case.input["start"])
    assert list(usage_after(start, case.input["prompt"], case.input["output"])) == case.wanted["ok"]


@pytest.mark.parametrize("case", cases("query_engine"), ids=str)
def test_engine(case: Case) -> None:
    defaults = profile("claw-code").python_engine
    assert defaults is not None
    given = case.input["config"]
    config = EngineConfig(
        given.get("max_turns", defaults.max_turns),
        given.get("max_budget_tokens", defaults.max_budget_tokens),
        given.get("compact_after_turns", defaults.compact_after_turns),
        given.get("structured_output", False),
    )
    state = EngineState("fixed")
    if stored := case.input.get("stored"):
        state = resumed("fixed", stored["messages"], stored["input_tokens"], stored["output_tokens"])
    denials = [Denial("bash", "gated")] * case.input["denied"]
    got = [
        {
            "stop_reason": turn.stop_reason,
            "output": turn.output,
            "usage": list(turn.state.usage),
            "messages": list(turn.state.messages),
            "transcript": list(turn.state.transcript),
        }
        for turn in simulate(config, state, case.input["prompts"], denials)
    ]
    assert got == case.wanted["ok"]
