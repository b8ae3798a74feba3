"""When OpenClaw itself removes a session, as the list of sessions says it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentbrief.tasks.sessions.list import sessions_of
from tests.tasks.homes import Home, built


def expires(home: Home, config: Any = None) -> int | None:
    path = home.home / ".openclaw" / "openclaw.json"
    if config is not None:
        path.write_text(config if isinstance(config, str) else json.dumps(config), encoding="utf-8")
    items = sessions_of(home.setup(), None).items
    [found] = [item for item in items if item.agent == "openclaw"]
    return found.expires_in_days


@pytest.mark.parametrize(
    ("maintenance", "days"),
    [
        (None, None),
        ({}, None),
        ({"mode": "warn", "pruneAfter": "7d"}, None),
        ({"mode": "enforce"}, 30),
        ({"mode": "enforce", "pruneAfter": "7d"}, 7),
        ({"mode": "enforce", "pruneAfter": "36h"}, 2),
        ({"mode": "enforce", "pruneAfter": "soon"}, None),
    ],
)
def test_only_a_mode_that_removes_gives_a_date(
    tmp_path: Path, maintenance: dict[str, Any] | None, days: int | None
) -> None:
    home = built(tmp_path)
    config = None if maintenance is None else {"session": {"maintenance": maintenance}}
    assert expires(home, config) == days


def test_a_configuration_that_cannot_be_read_gives_none(tmp_path: Path) -> None:
    assert expires(built(tmp_path), "{") is None


def test_a_file_that_no_store_names_gives_none(tmp_path: Path) -> None:
    home = built(tmp_path)
    home.openclaw.with_name("sessions.json").write_text("{}", encoding="utf-8")
    assert expires(home, {"session": {"maintenance": {"mode": "enforce"}}}) is None


def test_of_a_store_in_a_database_nothing_is_known(tmp_path: Path) -> None:
    home = built(tmp_path)
    config = {"session": {"maintenance": {"mode": "enforce"}}}
    assert expires(home, config) == 30
    database = home.openclaw.parents[1] / "agent" / "openclaw-agent.sqlite"
    database.parent.mkdir(exist_ok=True)
    database.write_bytes(b"")
    assert expires(home, config) is None
