"""What holds for every plan, whatever the folder, the settings and the moment."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.maintenance.plan import plan_cleanup
from agentbrief.maintenance.protection import protected
from agentbrief.maintenance.recheck import recheck
from agentbrief.maintenance.report import plan_record
from agentbrief.maintenance.values import CleanupChoices, Guard, MaintenancePlan
from agentbrief.sessions.store.folder import StoreFolder
from agentbrief.sessions.store.names import is_archive, is_counted, is_transcript
from tests.golden.openclaw_cases import openclaw_data
from tests.maintenance.folders import GUARDS, NOW, after, file, folder, folders
from tests.maintenance.folders import settings as given_settings

DATA = openclaw_data().maintenance
CHOICES = st.builds(CleanupChoices, st.booleans(), st.booleans(), st.booleans())
EVERYTHING: dict[str, Any] = {
    "found": folders(),
    "config": given_settings(),
    "choices": CHOICES,
    "guard": GUARDS,
}


def planned(
    found: StoreFolder, config: dict[str, Any], choices: CleanupChoices, guard: Guard
) -> MaintenancePlan:
    plan = plan_cleanup(found, config, DATA, NOW, choices=choices, guard=guard)
    assert isinstance(plan, MaintenancePlan)
    return plan


@given(**EVERYTHING)
def test_the_same_inputs_give_the_same_plan(
    found: StoreFolder, config: dict[str, Any], choices: CleanupChoices, guard: Guard
) -> None:
    plan = planned(found, config, choices, guard)
    assert plan == planned(found, config, choices, guard)
    assert plan_record(plan) == plan_record(planned(found, config, choices, guard))


@given(**EVERYTHING)
def test_the_totals_add_up(
    found: StoreFolder, config: dict[str, Any], choices: CleanupChoices, guard: Guard
) -> None:
    plan = planned(found, config, choices, guard)
    assert plan.bytes_before - sum(item.freed for item in plan.items) == plan.bytes_after
    drops = [item.what for item in plan.items if item.action == "drop-entry"]
    assert plan.before_count - len(drops) == plan.after_count
    assert {key for key, action in plan.actions.items() if action != "keep"} == set(drops)
    if plan.budget is not None:
        evicted = plan.files("evict-budget")
        assert plan.budget.removed_files == len(evicted)
        assert plan.budget.freed_bytes == sum(item.size for item in evicted)
        assert plan.budget.total_bytes_after == plan.bytes_after
        assert plan.budget.removed_entries == plan.count("evict-budget")


@given(**EVERYTHING)
def test_what_is_protected_is_in_no_item(
    found: StoreFolder, config: dict[str, Any], choices: CleanupChoices, guard: Guard
) -> None:
    plan = planned(found, config, choices, guard)
    safe = protected(found, NOW, guard)
    for item in plan.items:
        if item.action == "drop-entry":
            assert item.what not in safe.keys
        elif item.action != "rotate":
            assert item.what not in safe.files
    for spared in plan.spared:
        assert (safe.keys if spared.is_key else safe.files)[spared.what] == spared.why


@given(**EVERYTHING)
def test_a_file_goes_only_with_the_last_session_that_uses_it(
    found: StoreFolder, config: dict[str, Any], choices: CleanupChoices, guard: Guard
) -> None:
    plan = planned(found, config, choices, guard)
    staying = [entry for entry in found.store.entries if plan.actions[entry.key] == "keep"]
    used = {name for entry in staying for name in found.files_of(entry)}
    ids = {entry.session_id for entry in staying}
    for item in plan.items:
        if item.action in ("archive", "trash"):
            assert item.what not in used
            assert is_transcript(item.what) or is_archive(item.what)
            if item.key is not None and item.entry is not None:
                assert item.entry.session_id not in ids
        assert item.action == "drop-entry" or item.what in found.names


@given(**EVERYTHING)
def test_the_budget_is_met_or_nothing_more_may_go(
    found: StoreFolder, config: dict[str, Any], choices: CleanupChoices, guard: Guard
) -> None:
    plan = planned(found, config, choices, guard)
    budget = plan.budget
    if budget is None or not budget.over_budget:
        assert plan.count("evict-budget") == 0
        return
    if budget.total_bytes_after <= budget.high_water_bytes:
        return
    safe = protected(found, NOW, guard)
    assert all(key in safe.keys for key, action in plan.actions.items() if action == "keep")
    gone = {item.what for item in plan.items if item.action == "trash"}
    left = [entry for entry in found.files[1:] if entry.name not in gone and is_counted(entry.name)]
    removable = [
        entry.name
        for entry in left
        if (is_archive(entry.name) or is_transcript(entry.name))
        and entry.name not in safe.files
        and entry.stamp.size
    ]
    # As OpenClaw has it, the files of an entry stay when it goes as long as another one has its id, whichever
    # of them it uses: what the last of several did not use is for the next cleanup.
    uses = Counter(entry.session_id for entry in found.store.entries)
    used = {
        name
        for entry in found.store.entries
        if entry.key in safe.keys or uses[entry.session_id] > 1
        for name in found.files_of(entry)
    }
    assert set(removable) <= used


@given(**EVERYTHING)
@settings(max_examples=60)
def test_doing_it_twice_changes_nothing_more(
    found: StoreFolder, config: dict[str, Any], choices: CleanupChoices, guard: Guard
) -> None:
    config = {name: value for name, value in config.items() if name not in ("rotateBytes", "maxDiskBytes")}
    first = planned(found, config, choices, guard)
    again = planned(after(first, found), config, choices, guard)
    assert again.items == ()
    assert again.before_count == first.after_count


@given(**EVERYTHING)
def test_looking_again_at_the_same_folder_leaves_nothing_out(
    found: StoreFolder, config: dict[str, Any], choices: CleanupChoices, guard: Guard
) -> None:
    plan = planned(found, config, choices, guard)
    again = recheck(plan.items, found, NOW, guard)
    assert again.items == plan.items
    assert again.left_out == ()


@given(**EVERYTHING, later=folders(), in_use=GUARDS)
def test_looking_again_never_adds_and_never_takes_what_is_in_use(
    found: StoreFolder,
    config: dict[str, Any],
    choices: CleanupChoices,
    guard: Guard,
    later: StoreFolder,
    in_use: Guard,
) -> None:
    plan = planned(found, config, choices, guard)
    again = recheck(plan.items, later, NOW, in_use)
    assert len(again.items) + len(again.left_out) == len(plan.items)
    safe = protected(later, NOW, in_use)
    dropped = {item.what for item in again.items if item.action == "drop-entry"}
    staying = [entry for entry in later.store.entries if entry.key not in dropped]
    used = {name for entry in staying for name in later.files_of(entry)}
    for item in again.items:
        assert item in plan.items
        if item.action == "drop-entry":
            assert item.what not in safe.keys
        elif item.action != "rotate":
            assert item.what not in safe.files
            assert item.what not in used


@pytest.mark.parametrize("mode", ["warn", "enforce"])
@pytest.mark.parametrize(
    "choices", [CleanupChoices(), CleanupChoices(dry_run=True), CleanupChoices(enforce=True)]
)
def test_a_plan_applies_only_when_enforced_and_not_shown(mode: str, choices: CleanupChoices) -> None:
    found = folder({"agent:main:old": {"sessionId": "a", "updatedAt": 1}}, file("a.jsonl"))
    plan = planned(found, {"mode": mode}, choices, Guard())
    assert plan.applies is (not choices.dry_run and (choices.enforce or mode == "enforce"))
    record = plan_record(plan)
    assert record["pruned"] == 1
    assert record.get("appliedCount", 0) == (0 if plan.applies else 0 if choices.dry_run else 1)
