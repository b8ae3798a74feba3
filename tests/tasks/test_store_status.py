"""How a store and its sessions stand, and what a check-up of them finds."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from datetime import UTC
from pathlib import Path
from typing import Any, get_args
from zoneinfo import ZoneInfo

import pytest

from agentbrief.disk.seam import FS
from agentbrief.maintenance.settings import Mode
from agentbrief.messages import LOCALES, say
from agentbrief.report.store_doctor import Diagnosis, doctor_lines, doctor_page, doctor_record
from agentbrief.report.store_facts import StoreFacts
from agentbrief.report.store_status_text import status_lines, status_page
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.store.doctor import diagnosis
from agentbrief.tasks.store.status import Wanted, store_status
from tests.maintenance.folders import DAY, HOUR, MINUTE, NOW
from tests.maintenance.real_folders import look_of, sessions_folder, transcript, usual, write

BERLIN = ZoneInfo("Europe/Berlin")


def laid_out(root: Path, store: dict[str, Any], *files: str, config: str = "") -> Path:
    folder = sessions_folder(root)
    write(folder / "sessions.json", json.dumps(store).encode())
    for name in files:
        write(folder / name, transcript(name.removesuffix(".jsonl")), 2 * HOUR)
    if config:
        write(root / "state" / "openclaw.json", config.encode())
    return folder


def status(folder: Path, wanted: Wanted | None = None, zone: Any = UTC) -> StoreFacts:
    return store_status(FS(), look_of(folder), Settings(), NOW, zone, wanted or Wanted())


def told(folder: Path, wanted: Wanted | None = None) -> dict[str, Any]:
    found: dict[str, Any] = dict(status(folder, wanted).record())
    return found


def test_the_numbers_of_a_store(tmp_path: Path) -> None:
    found = told(usual(tmp_path))
    assert found["agentId"] == "main"
    assert found["count"] == 4
    assert found["unreferenced"] == 1
    assert found["maintenance"] == {
        "settings": "agentbrief.maintenance", "mode": "warn", "problems": [], "sessions": 2, "files": 4,
        "bytes": sum(
            each["bytes"]
            for session in found["sessions"]
            if session["life"]["cleanup"] != "keep"
            for each in session["transcript"]["files"]
        )
        + 2,
    }  # fmt: skip
    assert [session["key"] for session in found["sessions"]] == [
        "agent:main:main", "agent:main:gone", "agent:main:topic", "agent:main:old",
    ]  # fmt: skip
    assert [session["title"] for session in found["sessions"]] == [
        "hello from new",
        "",
        "hello from t",
        "hello from old",
    ]


def test_one_session_in_full(tmp_path: Path) -> None:
    folder = laid_out(
        tmp_path,
        {
            "agent:main:telegram:group:7": {
                "sessionId": "a", "updatedAt": NOW - 3 * HOUR, "totalTokens": 150_000,
                "contextTokens": 160_000, "totalTokensFresh": True, "model": "m", "modelProvider": "p",
                "compactionCount": 2,
                "channel": "telegram", "queueMode": "interrupt", "label": "Work",
                "compactionCheckpoints": [{"checkpointId": "c1"}, {"checkpointId": "c2"}],
            }
        },
        "a.jsonl",
        config="{ session: { resetByType: { group: { mode: 'idle', idleMinutes: 120 } } } }",
    )  # fmt: skip
    write(folder / "a.jsonl", transcript("a"), 4 * HOUR)
    write(folder / ".agentbrief" / "checkpoints" / "c1.jsonl", b"x" * 50)
    write(folder / "a.jsonl.lock", json.dumps({"pid": os.getpid()}).encode())
    (session,) = told(folder, Wanted(key="AGENT:main:telegram:group:7"))["sessions"]
    assert (session["kind"], session["shape"], session["title"]) == ("group", "agent", "Work")
    tokens = session["tokens"]
    assert (tokens["window"], tokens["windowSource"]) == (160_000, "model")
    assert (tokens["percent"], tokens["freshness"]) == (94, "fresh")
    compaction = session["compaction"]
    assert (compaction["threshold"], compaction["distance"]) == (140_000, -10_000)
    assert (compaction["checkpoints"], compaction["checkpointBytes"], compaction["flush"]) == (2, 50, "due")
    life = session["life"]
    assert (life["mode"], life["idleMinutes"], life["policySource"], life["stale"]) == (
        "idle",
        120,
        "type",
        True,
    )
    assert life["lock"] == {"pid": os.getpid(), "alive": True}
    assert life["queueMode"] == "interrupt"
    assert session["transcript"]["entries"] == 1
    assert session["transcript"]["headerId"] == "a"


@pytest.mark.parametrize(
    ("version", "fields", "mode", "idle_minutes", "stale"),
    [
        ("2026.3.2", {"chatType": "channel"}, "idle", 120, True),
        ("2026.3.2", {}, "daily", 1, True),
        ("2026.4.15", {}, "daily", None, False),
    ],
)
def test_when_a_session_starts_anew_by_its_chat_and_the_version(
    version: str, fields: dict[str, Any], mode: str, idle_minutes: int | None, stale: bool, tmp_path: Path
) -> None:
    groups = "resetByType: { group: { mode: 'idle', idleMinutes: 120 } }, idleMinutes: 0"
    folder = laid_out(
        tmp_path,
        {"agent:main:guild": {"sessionId": "a", "updatedAt": NOW - 3 * HOUR, **fields}},
        "a.jsonl",
        config=f"{{ meta: {{ lastTouchedVersion: '{version}' }}, session: {{ {groups} }} }}",
    )
    (session,) = told(folder)["sessions"]
    life = session["life"]
    assert (life["mode"], life["idleMinutes"], life["stale"]) == (mode, idle_minutes, stale)


def test_the_next_boundary_is_that_of_the_hosts_zone(tmp_path: Path) -> None:
    folder = laid_out(tmp_path, {"agent:main:main": {"sessionId": "a", "updatedAt": NOW - MINUTE}}, "a.jsonl")
    (session,) = status(folder, zone=BERLIN).sessions
    assert session.next_start_ms is not None
    assert session.record()["life"]["nextStart"] == "2026-03-06T03:00:00.000Z"  # type: ignore[call-overload,index]


def test_only_what_was_active(tmp_path: Path) -> None:
    found = told(usual(tmp_path), Wanted(active_minutes=120))
    assert [session["key"] for session in found["sessions"]] == ["agent:main:main"]
    assert found["count"] == 4


@pytest.mark.parametrize("locale", LOCALES)
def test_it_is_told_in_each_language(locale: str, tmp_path: Path) -> None:
    folder = usual(tmp_path)
    for facts in (status(folder), status(folder, Wanted(key="agent:main:old"))):
        lines = list(status_lines(facts, NOW, locale))
        assert str(folder / "sessions.json") in lines[0]
        page = status_page([facts], NOW, locale)
        assert page.startswith("# ")
        assert "agent:main:old" in page.replace("\\", "")


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("mode", get_args(Mode))
def test_the_mode_of_cleanups_is_said_in_words(mode: str, locale: str, tmp_path: Path) -> None:
    facts = replace(status(usual(tmp_path)), mode=mode)
    for text in (status_page([facts], NOW, locale), "\n".join(status_lines(facts, NOW, locale))):
        assert say(locale, f"storestatus.mode.{mode}") in text
        assert mode not in text


@pytest.mark.parametrize("data", [b"{", b"", b"[]"])
def test_a_store_that_is_none_is_told_as_one(data: bytes, tmp_path: Path) -> None:
    folder = usual(tmp_path)
    (folder / "sessions.json").write_bytes(data)
    facts = status(folder)
    assert facts.problem is not None
    lines = list(status_lines(facts, NOW, "en"))
    assert len(lines) == 2


# The check-up


def checked(folder: Path, **more: Any) -> Diagnosis:
    return diagnosis(FS(), look_of(folder), Settings(), NOW, UTC, **more)


def codes(found: Diagnosis) -> set[str]:
    return {each.code for each in found.complaints}


def test_a_healthy_store(tmp_path: Path) -> None:
    folder = laid_out(tmp_path, {"agent:main:main": {"sessionId": "a", "updatedAt": NOW - HOUR}}, "a.jsonl")
    found = checked(folder)
    assert found.complaints == ()
    assert (found.read, found.of) == (1, 1)


def message(role: str, content: Any, identifier: str, parent: str | None, **more: Any) -> str:
    body = {"role": role, "content": content, "timestamp": 1, **more}
    return json.dumps(
        {
            "type": "message",
            "id": identifier,
            "parentId": parent,
            "timestamp": "2026-01-01T00:00:00Z",
            "message": body,
        }
    )


def text(words: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": words}]


def test_what_a_transcript_tells(tmp_path: Path) -> None:
    folder = laid_out(
        tmp_path,
        {
            "agent:main:main": {
                "sessionId": "a",
                "updatedAt": NOW - DAY,
                "compactionCount": 3,
                "totalTokens": 5,
            },
            "agent:broken": {"sessionId": "b", "updatedAt": NOW - DAY},
        },
        "b.jsonl",
    )
    call = [{"type": "toolCall", "id": "c1", "name": "read", "arguments": {}}]
    lines = [
        json.dumps({"type": "session", "version": 3, "id": "other", "timestamp": "2026-01-01T00:00:00Z"}),
        message("user", text("hi"), "1", None),
        message(
            "assistant", text("**NO_REPLY**"), "2", "1", api="openai-responses", provider="openai", model="m"
        ),
        message("assistant", call, "3", "2", api="openai-responses", provider="openai", model="m"),
        message("toolResult", text("x" * 300_000), "4", "3", toolCallId="c1", toolName="read", isError=False),
        message("toolResult", text("again"), "5", "4", toolCallId="c1", toolName="read", isError=False),
        "{ torn",
    ]
    write(folder / "a.jsonl", "\n".join(lines).encode(), 2 * HOUR)
    found = checked(folder)
    assert codes(found) == {
        "header-differs", "compactions-differ", "transcript-faults", "counters-old", "tool-result-large",
        "results-over-half", "key-malformed", "silent-token-near-miss", "history-sent-broken",
    }  # fmt: skip
    near = next(each for each in found.complaints if each.code == "silent-token-near-miss")
    assert (near.line, near.path) == (3, str(folder / "a.jsonl"))
    for locale in LOCALES:
        assert len(list(doctor_lines(found, locale))) > len(found.complaints)
        shown = doctor_page([found], locale)
        assert "`" in shown, "what is to be typed stands as code"
        assert "\\`" not in shown
        assert all(each["message"] for each in doctor_record(found, locale)["findings"])  # type: ignore[union-attr,index,call-overload]


def test_what_the_configuration_and_the_folder_tell(tmp_path: Path) -> None:
    folder = laid_out(
        tmp_path,
        {"agent:main:main": {"sessionId": "a", "updatedAt": NOW - HOUR, "contextTokens": 20_000}},
        "a.jsonl",
        "loose.jsonl",
        config="{ gateway: { mode: 'remote' }, meta: { lastTouchedVersion: '2026.1.3' } }",
    )
    write(folder.parent / "agent" / "openclaw-agent.sqlite", b"")
    write(folder / "z.jsonl.lock", b'{"pid": 4194303}')
    write(folder / "a.jsonl.bak-12-34", b"x")
    other = look_of(laid_out(tmp_path / "two", {"k": {"sessionId": "a"}}))
    found = checked(folder, others={"/elsewhere/sessions.json": other.folder.store})
    assert codes(found) == {
        "database", "remote-gateway", "silent-token-leaks", "session-in-two-stores",
        "transcript-unreferenced", "lock-left-behind", "file-left-behind", "window-small", "always-due",
    }  # fmt: skip
    loose = next(each for each in found.complaints if each.code == "transcript-unreferenced")
    assert "hello from loose" in loose.text("en")
    (tmp_path / "state" / "openclaw.json").write_text("{ agents")
    assert "config-not-read" in codes(checked(folder))


def test_each_fault_has_a_remedy_in_each_language(tmp_path: Path) -> None:
    found = checked(usual(tmp_path))
    assert found.complaints
    for locale in LOCALES:
        assert all(each.remedy(locale) for each in found.complaints)


def test_it_can_be_cancelled(tmp_path: Path) -> None:
    heard: list[tuple[int, int]] = []
    found = checked(
        usual(tmp_path),
        cancelled=lambda: bool(heard),
        progress=lambda done, total: heard.append((done, total)),
    )
    assert (found.read, found.of) == (1, 3)
    assert heard == [(1, 3)]
