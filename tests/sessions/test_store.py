"""The session store as values: fields, keys, names of files, what is odd about it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agentbrief.disk.seam import FS
from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import for_version
from agentbrief.sessions.store.entries import MISSING_STORE, entry_of, read_store, store_of
from agentbrief.sessions.store.fields import FIELDS, names_in
from agentbrief.sessions.store.folder import StoreFolder, read_store_folder, store_path_of
from agentbrief.sessions.store.health import bulk_bytes, store_findings, unreferenced
from agentbrief.sessions.store.listing import (
    ListedStore,
    ModelDefaults,
    model_defaults,
    session_row,
    session_rows,
)
from agentbrief.sessions.store.names import archive_name, archive_reason, archive_time_ms, is_counted
from agentbrief.sessions.store.newer_store import live_database
from agentbrief.sessions.store.openclaw_version import openclaw_version
from agentbrief.sessions.store.paths import below, files_of
from tests.golden.openclaw_cases import openclaw_data


def test_every_field_of_the_table_is_known_once() -> None:
    assert len(FIELDS) == sum(len(names_in(group)) for group in {field.group for field in FIELDS.values()})
    assert FIELDS["queueMode"].choices[-1] == "interrupt"
    assert FIELDS["lastThreadId"].kind == "text or number"


def test_fields_of_a_wrong_type_are_kept_and_count_as_absent() -> None:
    store = store_of(
        {"k": {"sessionId": "a", "updatedAt": "soon", "systemSent": 1, "mine": [1], "label": None}}
    )
    (entry,) = store.entries
    assert (entry.updated_at_ms, entry.flag("systemSent"), entry.text("label")) == (None, None, None)
    assert entry.value == {"sessionId": "a", "updatedAt": "soon", "systemSent": 1, "mine": [1], "label": None}
    assert [(issue.code, issue.names) for issue in store.issues] == [
        ("store-odd-entry", ("updatedAt", "systemSent"))
    ]


def test_old_names_are_read_as_todays() -> None:
    entry = entry_of("k", {"sessionId": "a", "provider": "slack", "room": "#r", "lastProvider": 5})
    assert (entry.text("channel"), entry.text("groupChannel"), entry.text("lastChannel")) == (
        "slack",
        "#r",
        None,
    )
    both = entry_of("k", {"sessionId": "a", "provider": "old", "channel": "new"})
    assert both.text("channel") == "new"


def test_spellings_of_a_key_are_one_session() -> None:
    store = store_of(
        {
            "Main": {"sessionId": "a", "updatedAt": 1},
            "x": {"sessionId": "x"},
            " main": {"sessionId": "b", "updatedAt": 2},
        }
    )
    first, other = store.entries
    assert (first.key, first.session_id, list(first.stored)) == ("main", "b", ["Main", " main"])
    assert store.get(" MAIN ") is first
    assert other.key == "x"
    assert [(issue.code, issue.key, issue.names) for issue in store.issues] == [
        ("store-key-case", "main", ("Main", " main"))
    ]
    assert store_of({"Only": {"sessionId": "a"}}).entries[0].key == "Only"


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "store-empty"),
        (b" \r\n", "store-empty"),
        (b"{", "store-not-json"),
        (b'{"a":"\xff"}', "store-not-json"),
        (b"null", "store-not-object"),
        (b"[]", "store-not-object"),
        (b'"x"', "store-not-object"),
        (b"{}", None),
    ],
)
def test_what_is_no_store_is_a_problem(data: bytes, problem: str | None) -> None:
    assert read_store(data).problem == problem
    assert read_store(data).entries == ()


@pytest.mark.parametrize("total", [None, -1, True, "5"])
def test_tokens_that_are_not_known(total: Any) -> None:
    assert entry_of("k", {"sessionId": "a", "totalTokens": total}).total_tokens is None
    assert entry_of("k", {"sessionId": "a", "totalTokens": 5, "totalTokensFresh": False}).total_tokens is None
    assert entry_of("k", {"sessionId": "a", "totalTokens": 0}).total_tokens == 0


def test_names_of_archives_tell_when_and_why() -> None:
    name = archive_name("a.jsonl", "deleted", 1_772_712_000_123)
    assert name == "a.jsonl.deleted.2026-03-05T12-00-00.123Z"
    assert (archive_reason(name), archive_time_ms(name, "deleted")) == ("deleted", 1_772_712_000_123)
    assert archive_time_ms(name, "reset") is None
    assert not is_counted("a.jsonl.lock")
    assert not is_counted(".agentbrief.lock")


@pytest.mark.parametrize(
    ("path", "found"),
    [
        ("x.jsonl", "x.jsonl"),
        ("/s/x.jsonl", "x.jsonl"),
        ("/real/x.jsonl", "x.jsonl"),
        ("sub/../x.jsonl", "x.jsonl"),
        ("..\\x.jsonl", None),
        ("/s", None),
        ("/sx/y.jsonl", None),
        (" ", None),
        (None, None),
    ],
)
def test_a_path_counts_only_below_the_folder(path: str | None, found: str | None) -> None:
    assert below(path, ("/s", "/real")) == found


def test_the_files_of_an_entry() -> None:
    names = sorted(
        ["a.jsonl", "a-topic-1.jsonl", "a-topic-2.jsonl.deleted.2026-03-05T12-00-00Z", "b.jsonl", "c.jsonl"]
    )
    entry = entry_of("k", {"sessionId": "a", "sessionFile": "c.jsonl"})
    assert files_of(entry, names, ("/s",)) == ("c.jsonl", "a.jsonl", "a-topic-1.jsonl")
    assert files_of(entry_of("k", {"sessionId": "../a"}), names, ("/s",)) == ()


def read(tmp_path: Path, store: Any, *names: str) -> StoreFolder:
    path = Path(store_path_of(str(tmp_path), "main"))
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(store))
    for name in names:
        (path.parent / name).parent.mkdir(exist_ok=True)
        (path.parent / name).write_text("{}\n")
    found = read_store_folder(FS(), str(path), "main", frozenset({str(tmp_path.resolve())}))
    assert isinstance(found, StoreFolder)
    return found


def test_what_is_odd_about_a_folder(tmp_path: Path) -> None:
    store = {
        "k1": {"sessionId": "a", "updatedAt": 1, "sessionFile": "/etc/passwd"},
        "k2": {"sessionId": "b", "updatedAt": 1, "sessionFile": "inner/b.jsonl"},
        "k3": {"sessionId": "c", "updatedAt": 1, "skillsSnapshot": {"prompt": "x" * 900, "skills": []}},
    }
    found = read(tmp_path, store, "a.jsonl", "inner/b.jsonl", "loose.jsonl", "note.txt")
    assert [(finding.code, finding.key) for finding in store_findings(found)] == [
        ("store-heavy-field", None),
        ("store-outside-path", "k1"),
        ("store-missing-transcript", "k3"),
    ]
    assert [file.name for file in unreferenced(found)] == ["loose.jsonl"]
    assert bulk_bytes(found.store.entries[2]).keys() == {"skillsSnapshot"}


def test_a_session_of_the_year_1970_has_no_age() -> None:
    listed = ListedStore("main", "/s/sessions.json", store_of({"k": {"sessionId": "a", "updatedAt": 0}}))
    (row,) = session_rows((listed,), 5, ModelDefaults("m", 1))
    assert (row.updated_at_ms, row.age_ms) == (0, None)
    assert session_rows((listed,), 5, ModelDefaults("m", 1), 1) == ()


def test_a_folder_that_is_not_there_is_an_empty_store(tmp_path: Path) -> None:
    found = read_store_folder(
        FS(), f"{tmp_path}/agents/x/sessions/sessions.json", "x", frozenset({str(tmp_path.resolve())})
    )
    assert isinstance(found, StoreFolder)
    assert (found.store, found.files) == (MISSING_STORE, ())


def test_a_database_beside_the_files_is_seen(tmp_path: Path) -> None:
    sessions = tmp_path / "agents/main/sessions"
    sessions.mkdir(parents=True)
    assert live_database(FS(), str(sessions)) is None
    database = tmp_path / "agents/main/agent/openclaw-agent.sqlite"
    database.parent.mkdir()
    database.write_bytes(b"")
    found = live_database(FS(), str(sessions))
    assert found is not None
    assert found.path == str(database)


def test_the_version_is_told_by_the_nearest_word() -> None:
    data = openclaw_data().context_files
    report: JsonValue = {"generatedAt": 5, "bootstrapMaxChars": 20_000, "bootstrapTotalMaxChars": 150_000}
    newer: JsonValue = {"generatedAt": 9, "bootstrapMaxChars": 12_000, "bootstrapTotalMaxChars": 60_000}
    store = store_of(
        {
            "a": {"sessionId": "a", "systemPromptReport": newer},
            "b": {"sessionId": "b", "systemPromptReport": report},
        }
    )
    config: dict[str, JsonValue] = {"meta": {"lastTouchedVersion": " 2026.3.2 "}}
    assert openclaw_version(config, store, data, "2026.9.6") == ("2026.9.6", "setting")
    assert openclaw_version(config, store, data) == ("2026.3.2", "configuration")
    assert openclaw_version({}, store, data) == ("2026.4.15", "limits")
    assert openclaw_version({}, store_of({}), data) == (None, "unknown")


@pytest.mark.parametrize(
    ("version", "since"),
    [
        (None, "2026.9.6"),
        ("nonsense", "2026.9.6"),
        ("2026.1.10", "2026.3.2"),
        ("2026.4.14", "2026.3.2"),
        ("2026.4.15", "2026.4.15"),
        ("v2026.9.7-beta.1", "2026.9.6"),
    ],
)
def test_the_rules_of_a_version(version: str | None, since: str) -> None:
    assert for_version(openclaw_data().context_files, version).since == since


def test_the_model_and_its_window_come_from_the_nearest_place() -> None:
    config: dict[str, JsonValue] = {
        "agents": {"defaults": {"model": {"primary": "anthropic/m1"}, "contextTokens": 64_000}},
        "models": {
            "providers": {"p": {"models": [{"id": "m2", "contextWindow": 32_000}, {"id": "m3"}, 5]}, "q": 1}
        },
    }
    defaults = model_defaults(config, "m0", 200_000)
    entries: list[dict[str, JsonValue]] = [
        {},
        {"model": "m2"},
        {"model": "m2", "contextTokens": 9},
        {"modelOverride": "m3"},
    ]
    rows = [session_row(entry_of("k", {"sessionId": "a", **entry}), "main", 0, defaults) for entry in entries]
    assert [(row.model, row.context_tokens) for row in rows] == [
        ("m1", 64_000),
        ("m2", 32_000),
        ("m2", 9),
        ("m3", 64_000),
    ]
    assert model_defaults({}, "m0", 200_000).model == "m0"
