"""What stays, and the reason that is given for it."""

from __future__ import annotations

from typing import Any

import pytest

from agentbrief.maintenance.plan import clock_has_jumped, plan_cleanup
from agentbrief.maintenance.recheck import recheck
from agentbrief.maintenance.values import Guard, MaintenancePlan, Refusal
from agentbrief.sessions.store.entries import read_store
from agentbrief.sessions.store.folder import StoreFolder
from tests.golden.openclaw_cases import openclaw_data
from tests.maintenance.folders import DAY, HOUR, MINUTE, NOW, file, folder

DATA = openclaw_data().maintenance
OLD = NOW - 60 * DAY
KEY = "agent:main:old"


def old_entry(**more: Any) -> dict[str, Any]:
    return {"sessionId": "a", "updatedAt": OLD, **more}


def cleaned(found: StoreFolder, guard: Guard) -> MaintenancePlan:
    plan = plan_cleanup(found, {}, DATA, NOW, guard=guard)
    assert isinstance(plan, MaintenancePlan)
    return plan


@pytest.mark.parametrize(
    ("guard", "why"),
    [
        (Guard(active_key=" AGENT:Main:OLD "), "active"),
        (Guard(open_session_ids=frozenset({"a"})), "open"),
        (Guard(open_files=frozenset({"a.jsonl"})), "open"),
        (Guard(locked_files=frozenset({"a.jsonl"})), "locked"),
    ],
)
def test_what_is_in_use_stays(guard: Guard, why: str) -> None:
    found = folder({KEY: old_entry()}, file("a.jsonl"))
    plan = cleaned(found, guard)
    assert plan.items == ()
    assert [(spared.what, spared.why, spared.reason) for spared in plan.spared] == [(KEY, why, "prune-stale")]
    assert [item.action for item in cleaned(found, Guard()).items] == ["drop-entry", "archive"]


@pytest.mark.parametrize(
    ("age_ms", "why"),
    [(5 * MINUTE - 1, "recent"), (0, "recent"), (-1, "future"), (5 * MINUTE, None), (HOUR, None)],
)
def test_a_file_that_changed_just_now_keeps_its_session(age_ms: int, why: str | None) -> None:
    plan = cleaned(folder({KEY: old_entry()}, file("a.jsonl", age_ms=age_ms)), Guard())
    assert [spared.why for spared in plan.spared] == ([why] if why else [])
    assert plan.after_count == (1 if why else 0)


def test_a_running_session_stays() -> None:
    assert cleaned(folder({KEY: old_entry(status="running")}), Guard()).after_count == 1
    assert cleaned(folder({KEY: old_entry(status="done")}), Guard()).after_count == 0


@pytest.mark.parametrize(
    ("fork_key", "fork", "parents"),
    [
        (f"{KEY}:thread:t1", {"forkedFromParent": True}, {}),
        ("agent:main:dashboard:u", {"parentSessionKey": "AGENT:main:old"}, {}),
        ("agent:main:other", {}, {"b.jsonl": "a.jsonl"}),
    ],
)
def test_the_parent_of_a_live_fork_stays(
    fork_key: str, fork: dict[str, Any], parents: dict[str, str]
) -> None:
    store = {KEY: old_entry(), fork_key: {"sessionId": "b", "updatedAt": OLD, "status": "running", **fork}}
    plan = cleaned(folder(store, file("a.jsonl"), file("b.jsonl")), Guard(fork_parents=parents))
    assert plan.actions == {KEY: "keep", fork_key: "keep"}
    assert {spared.why for spared in plan.spared} == {"parent-of-live-fork", "running"}
    store[fork_key]["status"] = "done"
    assert (
        cleaned(folder(store, file("a.jsonl"), file("b.jsonl")), Guard(fork_parents=parents)).after_count == 0
    )


def test_the_cap_takes_unprotected_sessions_from_the_tail_upwards() -> None:
    store = {f"k{n}": {"sessionId": f"s{n}", "updatedAt": NOW - n * HOUR} for n in range(6)}
    plan = plan_cleanup(folder(store), {"maxEntries": 3}, DATA, NOW, guard=Guard(active_key="k5"))
    assert isinstance(plan, MaintenancePlan)
    assert [key for key, action in plan.actions.items() if action == "cap-overflow"] == ["k2", "k3", "k4"]


def test_a_folder_from_another_time_asks_first() -> None:
    assert clock_has_jumped(folder({KEY: old_entry()}, file("a.jsonl", age_ms=31 * DAY)), NOW + 31 * DAY)
    assert not clock_has_jumped(folder({KEY: old_entry()}, file("a.jsonl")), NOW)


@pytest.mark.parametrize(
    ("content", "code"),
    [(b"", "store-empty"), (b" \n", "store-empty"), (b"[]", "store-not-object"), (b"{", "store-not-json")],
)
def test_a_file_that_is_no_store_refuses_the_plan(content: bytes, code: str) -> None:
    good = folder({})
    bad = StoreFolder(
        "main", "/s", "/s", "sessions.json", read_store(content), good.store_stamp, good.files, good.names
    )
    plan = plan_cleanup(bad, {}, DATA, NOW)
    assert isinstance(plan, Refusal)
    assert [(problem.path, problem.code) for problem in plan.problems] == [("/s/sessions.json", code)]


def test_what_changed_since_the_plan_is_left_out() -> None:
    found = folder(
        {KEY: old_entry(), "other": {"sessionId": "b", "updatedAt": OLD}}, file("a.jsonl"), file("b.jsonl")
    )
    items = cleaned(found, Guard()).items
    woken = folder(
        {KEY: old_entry(updatedAt=NOW), "other": {"sessionId": "b", "updatedAt": OLD}}, *found.files[1:]
    )
    again = recheck(items, woken, NOW, Guard())
    assert {(out.item.what, out.why) for out in again.left_out} == {
        (KEY, "changed"),
        ("a.jsonl", "session-stays"),
    }
    assert {item.what for item in again.items} == {"other", "b.jsonl"}
    grown = folder(
        {KEY: old_entry(), "other": {"sessionId": "b", "updatedAt": OLD}},
        file("a.jsonl", 200),
        file("b.jsonl"),
    )
    assert ("a.jsonl", "changed") in {
        (out.item.what, out.why) for out in recheck(items, grown, NOW, Guard()).left_out
    }
