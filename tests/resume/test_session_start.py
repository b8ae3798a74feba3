"""How sessions begin and end, beyond the recorded cases."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC
from typing import Any

import pytest

from agentbrief.jsonio import JsonValue
from agentbrief.resume.group_keys import group_of
from agentbrief.resume.new_entry import KEPT_ON_REQUEST
from agentbrief.resume.reset_policy import thread_of
from agentbrief.resume.reset_trigger import rest_after_trigger
from agentbrief.resume.session_end import delete_session, reset_session
from agentbrief.resume.session_start import Inbound, SessionStart, start_session
from agentbrief.sessions.store.folder import StoreFolder
from agentbrief.sessions.store.text import REMOVED
from tests.golden.openclaw_cases import openclaw_data
from tests.maintenance.folders import HOUR, NOW, file, folder

DATA = openclaw_data().resets
KEY = "agent:main:main"


def start(found: StoreFolder, message: Inbound, config: dict[str, Any] | None = None) -> SessionStart:
    return start_session(found, message, config or {}, DATA, now_ms=NOW, host_zone=UTC, new_id="new")


def fresh(**more: Any) -> dict[str, Any]:
    return {"sessionId": "a", "updatedAt": NOW - HOUR, **more}


@pytest.mark.parametrize(
    ("body", "rest"),
    [
        ("/new", ""),
        ("  /RESET  ", ""),
        ("/new  Hello there", "Hello there"),
        ("/new\nHello", "Hello"),
        ("/newer", None),
        ("say /new", None),
        ("", None),
    ],
)
def test_what_a_trigger_leaves(body: str, rest: str | None) -> None:
    assert rest_after_trigger(body, DATA.triggers) == rest


@pytest.mark.parametrize(
    ("key", "base", "thread"),
    [
        (None, None, None),
        ("a:main", "a:main", None),
        ("a:c:TOPIC:7", "a:c", "7"),
        ("a:c:thread:1:topic: 2:3 ", "a:c:thread:1", "2:3"),
        ("a:c:thread: ", "a:c", None),
    ],
)
def test_the_thread_that_a_key_names(key: str | None, base: str | None, thread: str | None) -> None:
    assert thread_of(key) == (base, thread)


def test_only_an_authorised_sender_resets() -> None:
    found = folder({KEY: fresh()}, file("a.jsonl"))
    refused = start(found, Inbound("/new", KEY))
    assert (refused.is_new, refused.body, refused.put_away) == (False, "/new", ())
    done = start(found, Inbound("/new", KEY, authorized=True))
    assert (done.is_new, done.body, done.previous_session_id) == (True, "", "a")
    assert [(away.name, away.new_name) for away in done.put_away] == [
        ("a.jsonl", "a.jsonl.reset.2026-03-05T12-00-00.000Z")
    ]


def test_a_transcript_that_another_session_uses_is_not_put_away() -> None:
    found = folder({KEY: fresh(), "agent:main:other": fresh()}, file("a.jsonl"))
    assert start(found, Inbound("/new", KEY, authorized=True)).put_away == ()
    assert delete_session(found, "agent:main:other", now_ms=NOW).put_away == ()


def test_what_a_new_session_keeps() -> None:
    old = fresh(
        **dict.fromkeys(KEPT_ON_REQUEST, "x"),
        mine={"n": 1},
        chatType="group",
        lastTo="y",
        queueMode="steer",
        totalTokens=5,
    )
    found = folder({KEY: old}, file("a.jsonl"))
    asked = start(found, Inbound("/new", KEY, authorized=True)).entry
    stale = start(found, Inbound("hi", KEY), {"session": {"reset": {"mode": "idle", "idleMinutes": 5}}}).entry
    assert set(KEPT_ON_REQUEST) <= set(asked)
    assert set(KEPT_ON_REQUEST).isdisjoint(stale)
    for entry in (asked, stale):
        assert (entry["mine"], entry["chatType"], entry["lastTo"]) == ({"n": 1}, "group", "y")
        assert {"queueMode", "totalTokens"}.isdisjoint(entry)
        assert entry["sessionFile"] == "/s/new.jsonl"


def test_all_spellings_of_a_key_become_one() -> None:
    found = folder(
        {"agent:main:Main": fresh(updatedAt=1), " AGENT:main:main": fresh(sessionId="b")}, file("b.jsonl")
    )
    done = start(found, Inbound("hi", KEY))
    assert (done.is_new, done.session_id) == (False, "b")
    assert done.changes["agent:main:Main"] is REMOVED
    assert done.changes[" AGENT:main:main"] is REMOVED
    assert done.changes[KEY] == done.entry


@pytest.mark.parametrize("session_file", ["/etc/passwd", "../x.jsonl", " ", 5])
def test_a_path_that_leads_elsewhere_is_not_taken_over(session_file: Any) -> None:
    found = folder({KEY: fresh(sessionFile=session_file)}, file("a.jsonl"))
    assert start(found, Inbound("hi", KEY)).entry["sessionFile"] == "/s/a.jsonl"


@pytest.mark.parametrize(
    ("fields", "thread", "path"),
    [
        ({}, None, "/s/a.jsonl"),
        ({}, 77, "/s/a-topic-77.jsonl"),
        ({}, "om/x", "/s/a-topic-om%2Fx.jsonl"),
        ({"sessionFile": " "}, 77, "/s/a-topic-77.jsonl"),
        ({"sessionFile": "kept.jsonl"}, 77, "/s/kept.jsonl"),
        ({"sessionFile": "/state/agents/work/sessions/b.jsonl"}, None, "/state/agents/work/sessions/b.jsonl"),
        ({"sessionFile": "/elsewhere/b.jsonl"}, 77, "/s/a.jsonl"),
    ],
)
def test_the_file_of_a_session_that_goes_on(
    fields: dict[str, Any], thread: int | str | None, path: str
) -> None:
    found = replace(folder({KEY: fresh(**fields)}), shared={"/state/agents/work/sessions/b.jsonl": True})
    done = start(found, Inbound("hi", KEY, thread_id=thread))
    assert (done.is_new, done.entry["sessionFile"]) == (False, path)


@pytest.mark.parametrize(
    ("parent", "with_file", "limit", "decision"),
    [
        ({"totalTokens": 100_000}, True, None, "fork"),
        ({"totalTokens": 100_001}, True, None, "too-large"),
        ({"totalTokens": 900_000}, True, 0, "fork"),
        ({"totalTokens": 900_000, "totalTokensFresh": False}, True, None, "too-large"),
        ({}, True, None, "fork"),
        ({}, False, None, "no-parent-file"),
    ],
)
def test_a_thread_begins_with_a_copy_unless_the_parent_is_too_large(
    parent: dict[str, Any], with_file: bool, limit: int | None, decision: str
) -> None:
    found = folder({"agent:main:c": fresh(**parent)}, *([file("a.jsonl")] if with_file else []))
    message = Inbound("hi", "agent:main:c:thread:t", parent_key="AGENT:main:c", thread_id="t")
    done = start(found, message, {"session": {"parentForkMaxTokens": limit}} if limit is not None else {})
    assert done.fork_decision == decision
    assert (done.fork is not None) is (decision == "fork")
    assert done.entry.get("forkedFromParent", False) is (decision in ("fork", "too-large"))
    assert "a" not in (away.name for away in done.put_away)


def test_a_thread_that_goes_on_is_never_replaced_by_a_copy() -> None:
    key = "agent:main:c:thread:t"
    found = folder({"agent:main:c": fresh(), key: fresh(sessionId="b")}, file("a.jsonl"), file("b.jsonl"))
    done = start(found, Inbound("hi", key, parent_key="agent:main:c", thread_id="t"))
    assert (done.is_new, done.session_id, done.fork) == (False, "b", None)


def test_the_main_session_may_be_reset_but_not_deleted() -> None:
    found = folder({KEY: fresh(label="L")}, file("a.jsonl"))
    assert delete_session(found, "main", now_ms=NOW).refused == "main-session"
    assert delete_session(found, " AGENT:MAIN:MAIN ", now_ms=NOW).refused == "main-session"
    done = reset_session(found, "main", now_ms=NOW, new_id="new")
    assert (done.key, done.done, done.refused) == (KEY, True, None)
    assert done.entry is not None
    assert done.entry["label"] == "L"
    assert reset_session(found, "nobody", now_ms=NOW, new_id="new").refused == "no-session"
    other: dict[str, JsonValue] = {"session": {"mainKey": "home"}}
    assert delete_session(found, KEY, now_ms=NOW, config=other).done


def test_a_deleted_session_may_leave_its_transcript() -> None:
    found = folder({"agent:main:x": fresh()}, file("a.jsonl"))
    done = delete_session(found, "agent:main:x", now_ms=NOW, keep_transcript=True)
    assert (done.done, done.put_away, dict(done.changes)) == (True, (), {"agent:main:x": REMOVED})
    assert delete_session(found, "agent:main:gone", now_ms=NOW).done is False


@pytest.mark.parametrize(
    ("sender", "chat_type", "provider", "key"),
    [
        ("Telegram:Group:-1", None, None, "telegram:group:-1"),
        ("slack:C1", "channel", None, "slack:channel:c1"),
        ("x:channel:9", None, "matrix", "matrix:channel:x:channel:9"),
        ("1@G.US", None, None, "whatsapp:group:1@g.us"),
        ("telegram:5", "direct", None, None),
        (None, "group", "telegram", None),
    ],
)
def test_groups(sender: str | None, chat_type: str | None, provider: str | None, key: str | None) -> None:
    found = group_of(sender, chat_type, provider)
    assert (found.key if found else None) == key
