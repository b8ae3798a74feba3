"""Which session of a store is meant, and in which order they are listed."""

from __future__ import annotations

from agentbrief.sessions.formats.claw_session import clock_ms, new_session_id
from agentbrief.sessions.formats.claw_store import (
    Listed,
    fingerprint,
    in_order,
    is_session_name,
    referred,
    rotated_copy_of,
    session_folders,
    will_rotate,
)

OLD = Listed("old", "/s/old.jsonl", 1, 900, 3)
NEW = Listed("new", "/s/new.jsonl", 2, 5, 3)
EMPTY = Listed("empty", "/s/empty.jsonl", 9, 9, 0)
BROKEN = Listed("broken", "/s/broken.jsonl", 0, 9, 0, unreadable="bad-line")
FOREIGN = Listed("foreign", "/t/foreign.jsonl", 50, 50, 7, workspace_root="/t", is_foreign=True)
ALL = (OLD, NEW, EMPTY, BROKEN, FOREIGN)


def test_newest_first_then_by_file_time_then_by_identifier() -> None:
    a, b, c = (Listed(id, f"/s/{id}.jsonl", 1, mtime, 1) for id, mtime in (("a", 1), ("b", 2), ("c", 1)))
    assert in_order((a, b, c)) == (b, c, a)
    assert [one.id for one in in_order(ALL)] == ["foreign", "empty", "new", "old", "broken"]


def test_an_alias_is_the_newest_with_a_message_of_this_workspace() -> None:
    for alias in ("latest", "last", "recent"):
        assert referred(alias, ALL) == NEW
    assert referred("latest", (EMPTY, FOREIGN)) is None


def test_identifiers_and_paths() -> None:
    assert referred("old", ALL) == OLD
    assert referred("foreign", ALL) is None
    assert referred("/t/foreign.jsonl", ALL) == FOREIGN
    assert referred("nothing", ALL) is None
    twin = Listed("new", "/s/new.json", 99, 99, 1)
    assert referred("new", (twin, NEW)) == NEW


def test_an_appended_message_shows_in_the_time_of_the_file() -> None:
    assert (OLD.shown_ms, NEW.shown_ms) == (900, 5)


def test_names_in_a_session_folder() -> None:
    assert is_session_name("a.jsonl")
    assert is_session_name("a.json")
    for name in ("a.rot-17.jsonl", ".agentbrief.json", "a.txt", "a.jsonl.tmp-1-2", "a.JSONL"):
        assert not is_session_name(name)
    assert rotated_copy_of("a.b.rot-17.jsonl") == "a.b"
    assert rotated_copy_of("a.jsonl") is None


def test_folders_carry_the_fingerprint_of_the_path() -> None:
    folder, older = session_folders("/home/ann/proj")
    assert older == "/home/ann/proj/.claw/sessions"
    assert folder == f"{older}/{fingerprint('/home/ann/proj')}"
    assert session_folders("/") == (f"/.claw/sessions/{fingerprint('/')}", "/.claw/sessions")


def test_a_new_identifier_and_a_clock_that_never_goes_back() -> None:
    assert new_session_id(17, 3) == "session-17-3"
    assert clock_ms(10, 5) == 10
    assert clock_ms(5, 10) == 11
    assert clock_ms(10, 10) == 11


def test_when_claw_code_would_rename_the_file() -> None:
    assert [will_rotate(size, 100) for size in (99, 100)] == [False, True]
