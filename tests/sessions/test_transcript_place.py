"""Which spelled paths are taken for a transcript, and where an agent's store is."""

from __future__ import annotations

import pytest

from agentbrief.sessions.store.transcript_place import sessions_folder, store_path, transcript_place

FOLDER = "/srv/state/agents/main/sessions"


@pytest.mark.parametrize(
    ("spelled", "path"),
    [
        (None, "abc.jsonl"),
        (" ", "abc.jsonl"),
        ("x.jsonl", "x.jsonl"),
        ("sub/../x.jsonl", "x.jsonl"),
        (f"{FOLDER}/deep/x.jsonl", "deep/x.jsonl"),
        ("/srv/state/agents/ops/sessions/x.jsonl", "/srv/state/agents/ops/sessions/x.jsonl"),
    ],
)
def test_paths_that_are_taken(spelled: str | None, path: str) -> None:
    found = transcript_place("abc", spelled, FOLDER)
    assert (found.path, found.ignored) == (path if path.startswith("/") else f"{FOLDER}/{path}", False)


@pytest.mark.parametrize(
    "spelled",
    [
        "../x.jsonl",
        "../../ops/sessions/x.jsonl",
        "/srv/state/agents/main/sessions",
        "/srv/state/agents/main/sessions-old/x.jsonl",
        "/srv/state/agents/x/y/sessions/x.jsonl",
        "/srv/state/agents/ops/sessions/../../../../x.jsonl",
        "/srv/other/agents/main/sessions/x.jsonl",
        "x\0.jsonl",
        "//host/share/x.jsonl",
        "con.jsonl",
    ],
)
def test_paths_that_are_not(spelled: str) -> None:
    found = transcript_place("abc", spelled, FOLDER)
    assert (found.path, found.ignored) == (f"{FOLDER}/abc.jsonl", True)


def test_a_link_out_of_the_folder_is_not_followed() -> None:
    links = {f"{FOLDER}/x.jsonl": "/etc/passwd", "/link": FOLDER}
    found = transcript_place("abc", "x.jsonl", FOLDER, real_path=lambda path: links.get(path, path))
    assert found.ignored
    inside = {"/other/x.jsonl": f"{FOLDER}/y.jsonl"}
    assert not transcript_place(
        "abc", "/other/x.jsonl", FOLDER, real_path=lambda path: inside.get(path, path)
    ).ignored


def test_a_folder_of_another_form_has_no_neighbours() -> None:
    assert transcript_place("abc", "/a/agents/b/sessions/x.jsonl", "/a/store").ignored


@pytest.mark.parametrize(
    ("template", "path"),
    [
        (None, "/state/agents/work-bot/sessions/sessions.json"),
        ("", "/state/agents/work-bot/sessions/sessions.json"),
        ("~/s/{agentId}.json", "/home/u/s/work-bot.json"),
        ("~other/s.json", "/state/~other/s.json"),
        ("s.json", "/state/s.json"),
    ],
)
def test_stores(template: str | None, path: str) -> None:
    assert store_path(template, "Work Bot", "/state", "/home/u") == path
    assert sessions_folder("/state", "Work Bot") == "/state/agents/work-bot/sessions"
