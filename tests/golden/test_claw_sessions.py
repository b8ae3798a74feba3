"""Session files of claw-code, as recorded from it and as profile ``claw`` must differ: read, written, longer
by a message, masked, named by the path of their workspace.
"""

from __future__ import annotations

import base64
import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from agentbrief.profiles.load import profile
from agentbrief.sessions.claw.messages import message_of, message_value
from agentbrief.sessions.claw.redaction import claw_code_spelling, redacted
from agentbrief.sessions.formats.claw_reading import load
from agentbrief.sessions.formats.claw_records import Compaction
from agentbrief.sessions.formats.claw_session import ClawSession, Loaded, NotLoaded
from agentbrief.sessions.formats.claw_store import fingerprint
from agentbrief.sessions.formats.claw_writing import (
    appended,
    compacted,
    json_form,
    message_record,
    pushed,
    snapshot,
    snapshot_of_claw_code,
)
from agentbrief.sessions.model import Message, Text
from tests.golden.claw_cases import Case, cases

MTIME_MS = 1_790_000_000_321
NOW_MS = 1_790_000_000_654
SESSION_FILE = profile("claw-code").session_file
assert SESSION_FILE is not None
MAX_FIELD_CHARS = SESSION_FILE.max_field_chars


def file_bytes(given: dict[str, Any]) -> bytes:
    return base64.b64decode(given["b64"]) if "b64" in given else given["text"].encode("utf-8")


def record_of(session: ClawSession) -> dict[str, Any]:
    compaction = session.compaction
    fork = session.fork
    return {
        "version": session.version,
        "session_id": session.session_id,
        "created_at_ms": session.created_at_ms,
        "updated_at_ms": session.updated_at_ms,
        "messages": [without_unknown(message) for message in session.messages],
        "compaction": None
        if compaction is None
        else {
            "count": compaction.count,
            "removed_message_count": compaction.removed_message_count,
            "summary": compaction.summary,
        },
        "fork": None
        if fork is None
        else {"parent_session_id": fork.parent_session_id}
        | ({"branch_name": fork.branch_name} if fork.branch_name is not None else {}),
        "workspace_root": session.workspace_root,
        "model": session.model,
        "prompt_history": [
            {"type": "prompt_history", "timestamp_ms": entry.timestamp_ms, "text": entry.text}
            for entry in session.prompt_history
        ],
    }


def without_unknown(message: Message) -> dict[str, Any]:
    return {key: value for key, value in message_value(message).items() if key not in message.extra}


def same(got: Any, wanted: Any, generated: Any, now: int) -> bool:
    """Whether ``got`` is ``wanted``, ``<generated>`` and ``<now>`` standing for the given values."""
    if wanted == "<generated>":
        return bool(got == generated)
    if wanted == "<now>":
        return bool(got == now)
    if isinstance(wanted, dict):
        return isinstance(got, dict) and all(
            key in got and same(got[key], value, generated, now) for key, value in wanted.items()
        )
    if isinstance(wanted, list):
        return (
            isinstance(got, list)
            and len(got) == len(wanted)
            and all(same(one, other, generated, now) for one, other in zip(got, wanted, strict=True))
        )
    if isinstance(wanted, str) and isinstance(got, str) and "<" in wanted:
        pattern = re.escape(wanted).replace("<now>", r"\d+").replace("<generated>", r"[A-Za-z0-9._-]+")
        return re.fullmatch(pattern.replace(r'"\d+"', r"\d+"), got) is not None
    return bool(got == wanted) and isinstance(got, bool) == isinstance(wanted, bool)


@pytest.mark.parametrize("case", cases("load"), ids=str)
def test_load(case: Case) -> None:
    name = case.input["file"]
    found = load(file_bytes(case.input), name, MTIME_MS, case.profile)  # type: ignore[arg-type]
    if "error" in case.wanted:
        assert isinstance(found, NotLoaded)
        assert found.code == (case.code or found.code)
        return
    assert isinstance(found, Loaded), found
    got = record_of(found.session)
    assert same(got, case.wanted["ok"], os.path.splitext(name)[0], MTIME_MS), (got, case.wanted["ok"])
    if "issues" in case.extra:
        assert found.codes == set(case.extra["issues"])
    elif case.profile == "claw":
        assert found.codes == set()


def given_session(value: dict[str, Any]) -> Loaded:
    found = load(json.dumps(value, ensure_ascii=False).encode("utf-8"), "given.json", MTIME_MS)
    assert isinstance(found, Loaded), found
    return found


@pytest.mark.parametrize("case", cases("save"), ids=str)
def test_save(case: Case) -> None:
    session = given_session(case.input["session"]).session
    written = snapshot(session) if case.profile == "claw" else snapshot_of_claw_code(session, MAX_FIELD_CHARS)
    wanted = case.wanted["ok"]
    assert written == wanted["file_text"]
    again = load(written.encode("utf-8"), "s.jsonl", MTIME_MS, case.profile)  # type: ignore[arg-type]
    assert isinstance(again, Loaded)
    assert same(record_of(again.session), wanted["reloaded"], None, 0)
    if "json_text" in case.extra:
        assert json_form(session) == case.extra["json_text"]
        reread = load(case.extra["json_text"].encode("utf-8"), "s.json", MTIME_MS)
        assert isinstance(reread, Loaded) and record_of(reread.session) == record_of(session)


@pytest.mark.parametrize("case", cases("push"), ids=str)
def test_push(case: Case) -> None:
    session = ClawSession("jsonl", "session-1-0", 1, 1)
    data = b""
    for value in case.input["messages"]:
        message = message_of(value)
        if case.profile == "claw":
            data = appended(data, pushed(data, Loaded(session), message, NOW_MS))
        elif data:
            data += message_record(message, claw_code_spelling(MAX_FIELD_CHARS)) + b"\n"
        else:
            first = session.with_message(message, NOW_MS)
            data = snapshot_of_claw_code(first, MAX_FIELD_CHARS).encode("utf-8")
        session = session.with_message(message, NOW_MS)
    assert same(data.decode("utf-8"), case.wanted["ok"], None, NOW_MS)


@pytest.mark.parametrize("case", cases("load_push"), ids=str)
def test_load_push(case: Case) -> None:
    data = file_bytes(case.input)
    found = load(data, case.input["file"], MTIME_MS)
    assert isinstance(found, Loaded)
    after = appended(data, pushed(data, found, Message("user", (Text("appended"),)), NOW_MS))
    wanted = case.wanted["ok"]
    assert same(after.decode("utf-8"), wanted["file_text"], None, NOW_MS)
    again = load(after, case.input["file"], MTIME_MS)
    assert isinstance(again, Loaded)
    assert len(again.session.messages) == wanted["reload"]


@pytest.mark.parametrize("case", cases("rotate"), ids=str)
def test_save_over_a_large_file_rotates_nothing(case: Case, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(b"x" * case.input["size"])
    for number in range(5):
        (tmp_path / f"s.rot-{number}.jsonl").write_bytes(b"x")
    session = ClawSession("jsonl", "session-1743000000123-0", 1743000000123, 1743000000456)
    (tmp_path / "s.jsonl").write_bytes(snapshot(session).encode("utf-8"))
    listing = sorted(f"{path.name}:{path.stat().st_size}" for path in tmp_path.iterdir())
    assert [line for line in listing if not line.startswith(".agentbrief")] == case.wanted["ok"]


@pytest.mark.parametrize("case", cases("fingerprint"), ids=str)
def test_fingerprint(case: Case) -> None:
    assert fingerprint(case.input["path"]) == case.wanted["ok"]


@pytest.mark.parametrize("case", cases("redact"), ids=str)
def test_redact(case: Case) -> None:
    assert redacted(case.input["text"]).text == case.wanted["ok"]
    assert redacted(case.wanted["ok"]).text == case.wanted["ok"]


@pytest.mark.parametrize("case", cases("compact_file"), ids=str)
def test_rewriting_after_a_compaction(case: Case) -> None:
    """The summary and what it covers come from the case; here only the new file is judged."""
    data = case.input["text"].encode("utf-8")
    found = load(data, case.input["file"], MTIME_MS)
    wanted = case.wanted.get("ok", case.input["text"])
    if wanted == case.input["text"]:
        pytest.skip("nothing was compacted")
    wanted_found = load(wanted.encode("utf-8"), case.input["file"], MTIME_MS)
    assert isinstance(found, Loaded) and isinstance(wanted_found, Loaded)
    after = wanted_found.session
    assert after.compaction is not None
    first_kept = len(found.session.messages) - (len(after.messages) - 1)
    record = Compaction(
        after.compaction.count, after.compaction.removed_message_count, after.compaction.summary
    )
    summary = Message("system", after.messages[0].blocks)
    assert (
        compacted(data, found.session, record, summary, first_kept, case.input["now_ms"]).decode() == wanted
    )
