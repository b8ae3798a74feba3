"""``sessions`` and ``sessions cleanup`` on a state folder: rows, plans, and the folder after the plan."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from agentbrief.disk.seam import FS
from agentbrief.jsonio import JsonValue
from agentbrief.maintenance.plan import plan_cleanup
from agentbrief.maintenance.report import plan_record, stores_record
from agentbrief.maintenance.values import CleanupChoices, Guard, MaintenancePlan
from agentbrief.sessions.store.entries import MISSING_STORE, read_store
from agentbrief.sessions.store.folder import StoreFolder, read_store_folder
from agentbrief.sessions.store.keys import normal_id
from agentbrief.sessions.store.listing import ListedStore, listing_record, model_defaults, session_rows
from agentbrief.sessions.store.text import REMOVED, Removed, edited
from tests.golden.openclaw_cases import Case, assert_matches, build, cases, file_text, in_place, openclaw_data

DATA = openclaw_data()


def option(case: Case, name: str) -> str | None:
    argv = case.record["argv"]
    return argv[argv.index(name) + 1] if name in argv else None


def listed(case: Case, agent: str) -> ListedStore:
    path = store_of(case, agent)
    content = in_place(case.input["files"], {}).get(path)
    store = MISSING_STORE if content is None else read_store(file_text(content).encode("utf-8"))
    return ListedStore(agent, f"<state>/{path}", store)


def store_of(case: Case, agent: str) -> str:
    path = option(case, "--store") or case.input.get("config", {}).get("session", {}).get("store")
    path = path or f"agents/{agent}/sessions/sessions.json"
    return str(path).replace("{agentId}", agent).removeprefix("<state>/")


def agents(case: Case) -> list[str]:
    if (agent := option(case, "--agent")) is not None:
        return [normal_id(agent)]
    every = "--all-agents" in case.record["argv"]
    configured = case.input.get("config", {}).get("agents", {}).get("list", [])
    return [normal_id(agent["id"]) for agent in configured] if every and configured else ["main"]


def whole(text: str) -> int:
    """The whole number that ``text`` begins with, 0 where it begins with none."""
    found = re.match(r"\s*([+-]?[0-9]+)", text)
    return int(found[1]) if found else 0


@pytest.mark.parametrize("case", cases("cleanup", {"sessions"}), ids=str)
def test_the_list_is_upstreams(case: Case) -> None:
    stores = tuple(listed(case, agent) for agent in agents(case))
    active = option(case, "--active")
    active_minutes = None if active is None else whole(active)
    defaults = model_defaults(case.input.get("config", {}), "claude-opus-4-6", 200_000)
    problems = case.wanted.get("problems")
    if problems is not None and problems[0]["path"] == "--active":
        with pytest.raises(ValueError, match="active_minutes"):
            session_rows(stores, case.now, defaults, active_minutes)
        return
    if problems is not None:
        broken = [item for item in stores if item.store.problem is not None]
        assert [{"path": item.path, "code": item.store.problem} for item in broken] == problems
        return
    rows = session_rows(stores, case.now, defaults, active_minutes)
    record = listing_record(
        stores, rows, active_minutes=active_minutes, all_agents="--all-agents" in case.record["argv"]
    )
    assert_matches(record, case.wanted["json"], {"state": "<state>"})


def folder_of(case: Case, agent: str, state: Path) -> StoreFolder:
    path = f"{state}/{store_of(case, agent)}"
    found = read_store_folder(FS(), path, agent, frozenset({str(state.resolve())}))
    assert isinstance(found, StoreFolder)
    return found


def carried_out(plan: MaintenancePlan) -> None:
    """Do what a plan says, with nothing but plain file calls: the doing half has its own tests."""
    folder = Path(plan.store_path).parent
    dropped: dict[str, JsonValue | Removed] = {}
    for item in plan.items:
        path = folder / item.what
        if item.action == "drop-entry":
            assert item.entry is not None
            dropped.update(dict.fromkeys(item.entry.stored, REMOVED))
        elif item.action == "archive":
            path.rename(folder / str(item.new_name))
        elif item.action == "trash":
            path.unlink()
        else:
            (folder / str(item.new_name)).write_bytes(path.read_bytes())
    if dropped:
        store = Path(plan.store_path)
        store.write_text(edited(store.read_text(encoding="utf-8"), dropped), encoding="utf-8")


def sizes(state: Path) -> dict[str, int]:
    return {
        path.relative_to(state).as_posix(): path.stat().st_size for path in state.rglob("*") if path.is_file()
    }


@pytest.mark.parametrize("case", cases("cleanup", {"sessions cleanup"}), ids=str)
def test_the_cleanup_is_the_specified_one(case: Case, tmp_path: Path) -> None:
    argv, wanted = case.record["argv"], case.wanted
    build(tmp_path, in_place(case.input["files"], {"state": str(tmp_path)}), case.now)
    before = sizes(tmp_path)
    session = case.input.get("config", {}).get("session", {})
    plans = [
        plan_cleanup(
            folder_of(case, agent, tmp_path),
            session.get("maintenance"),
            DATA.maintenance,
            case.now,
            choices=CleanupChoices("--dry-run" in argv, "--enforce" in argv, "--fix-missing" in argv),
            guard=Guard(active_key=option(case, "--active-key")),
        )
        for agent in agents(case)
    ]
    if "problems" in wanted:
        found = {(fault.path, fault.code) for each in plans for fault in getattr(each, "problems", ())}
        state = str(tmp_path)
        assert found == {
            (fault["path"].replace("<state>", state), fault["code"]) for fault in wanted["problems"]
        }
        assert sizes(tmp_path) == before
        return
    record = stores_record(plans)
    assert_matches(record, wanted["json"], {"state": str(tmp_path)})
    plan = plans[0]
    assert isinstance(plan, MaintenancePlan)
    if "filesBefore" in wanted:
        assert before == wanted["filesBefore"]
    for each in plans:
        assert isinstance(each, MaintenancePlan)
        if each.applies:
            carried_out(each)
    if wanted.get("unchanged") or not plan.applies:
        assert sizes(tmp_path) == before
    if "filesAfter" in wanted:
        assert sizes(tmp_path) == wanted["filesAfter"]
    if "storeAfter" in wanted:
        store = json.loads(Path(plan.store_path).read_bytes())
        assert store == wanted["storeAfter"]
    if "actions" in wanted:
        assert plan_record(plan)["actions"] == wanted["actions"]
    if "purged" in wanted:
        assert sorted(item.what for item in plan.files("archive-expired")) == wanted["purged"]
    if "storeAfterKeys" in wanted:
        kept = [key for key, action in plan.actions.items() if action == "keep"]
        said = wanted["storeAfterKeys"]
        assert [len(kept), kept[0], kept[-1]] == list(said.values() if isinstance(said, dict) else said)
