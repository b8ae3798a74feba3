"""``sessions`` and ``sessions cleanup`` on a state folder: rows, plans, and the folder after the plan."""

from __future__ import annotations

import pytest

from agentbrief.sessions.store import MISSING_STORE, read_store
from agentbrief.sessions.store_listing import ListedStore, ModelDefaults, listing_record, session_rows
from tests.golden.openclaw_cases import Case, assert_matches, cases, file_text

DEFAULTS = ModelDefaults("claude-opus-4-6", 200_000)


def option(case: Case, name: str) -> str | None:
    argv = case.record["argv"]
    return argv[argv.index(name) + 1] if name in argv else None


def listed(case: Case, agent: str) -> ListedStore:
    path = f"agents/{agent}/sessions/sessions.json"
    content = case.input["files"].get(path)
    store = MISSING_STORE if content is None else read_store(file_text(content).encode("utf-8"))
    return ListedStore(agent, f"<state>/{path}", store)


def agents(case: Case) -> list[str]:
    every = "--all-agents" in case.record["argv"]
    configured = case.input.get("config", {}).get("agents", {}).get("list", [])
    return [agent["id"] for agent in configured] if every and configured else ["main"]


@pytest.mark.parametrize("case", cases("cleanup", {"sessions"}), ids=str)
def test_the_list_is_upstreams(case: Case) -> None:
    stores = tuple(listed(case, agent) for agent in agents(case))
    active = option(case, "--active")
    active_minutes = int(active) if active is not None else None
    problems = case.wanted.get("problems")
    if problems is not None and problems[0]["path"] == "--active":
        with pytest.raises(ValueError, match="active_minutes"):
            session_rows(stores, case.now, DEFAULTS, active_minutes)
        return
    if problems is not None:
        assert [{"path": item.path, "code": item.store.problem} for item in stores] == problems
        return
    rows = session_rows(stores, case.now, DEFAULTS, active_minutes)
    record = listing_record(
        stores, rows, active_minutes=active_minutes, all_agents="--all-agents" in case.record["argv"]
    )
    assert_matches(record, case.wanted["json"], {"state": "<state>"})
