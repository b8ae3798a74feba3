"""What is appended, what a fork holds, and how an old file looks in version 3."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agentbrief.sessions.jsonl.record_text import value_text, with_value, without_key
from agentbrief.sessions.pi.append import (
    append_branch_summary,
    append_entry,
    append_label,
    append_message,
    at_leaf,
    fresh_id,
    header_text,
)
from agentbrief.sessions.pi.context import context_of
from agentbrief.sessions.pi.fork import branched_session, forked_session, migrated_text
from agentbrief.sessions.pi.tree import label_text, labels_of
from tests.sessions.pi.transcripts import HEADER, NOW, entry, file, issues, opened, uuids

OLD_HEADER = {key: value for key, value in HEADER.items() if key != "version"}


def lines(data: bytes) -> list[dict[str, Any]]:
    return [json.loads(line) for line in data.split(b"\n") if line]


def test_a_record_is_appended_in_the_order_of_its_keys() -> None:
    found = append_message(opened(file(entry("a", None))), {"role": "user"}, time_ms=NOW, new_uuid=uuids())
    assert found.text == (
        b'{"type":"message","id":"00000001","parentId":"a","timestamp":"2026-03-05T12:00:00.000Z",'
        b'"message":{"role":"user"}}\n'
    )
    assert found.transcript.tree.leaf_id == "00000001"


@pytest.mark.parametrize("tail", [b"", b'{"type":"mess', b'{"type":"custom","id":"z","parentId":"a"}'])
def test_a_file_without_a_last_line_end_gets_one_first(tail: bytes) -> None:
    data = file(entry("a", None)) + tail
    first = append_message(opened(data), {"role": "user"}, time_ms=NOW, new_uuid=uuids())
    second = append_message(first.transcript, {"role": "user"}, time_ms=NOW, new_uuid=uuids(2))
    assert first.text.startswith(b"\n") == bool(tail)
    assert not second.text.startswith(b"\n")
    reopened = opened(data + first.text + second.text)
    assert [item.id for item in reopened.tree.path][-2:] == ["00000001", "00000002"]


def test_an_identifier_that_is_taken_is_not_used_again() -> None:
    taken = {f"{number:08x}" for number in range(1, 60)}
    assert fresh_id(taken, uuids()) == "0000003c"
    everything = {f"{number:08x}" for number in range(1, 200)}
    assert fresh_id(everything, uuids()) == "00000065-1111-4222-8333-444444444444"


def test_branches_and_summaries() -> None:
    transcript = opened(file(entry("a", None), entry("b", "a")))
    summary = append_branch_summary(transcript, "a", "left b", time_ms=NOW, new_uuid=uuids())
    assert lines(summary.text)[0] | {"id": "x"} == {
        "type": "branch_summary",
        "id": "x",
        "parentId": "a",
        "timestamp": "2026-03-05T12:00:00.000Z",
        "fromId": "a",
        "summary": "left b",
    }
    root = append_branch_summary(
        transcript, None, "left all", details={"k": 1}, from_hook=True, time_ms=NOW, new_uuid=uuids()
    )
    (record,) = lines(root.text)
    assert (record["parentId"], record["fromId"], record["details"], record["fromHook"]) == (
        None,
        "root",
        {"k": 1},
        True,
    )
    cleared = append_label(transcript, "a", None, time_ms=NOW, new_uuid=uuids())
    assert "label" not in lines(cleared.text)[0]


def test_what_may_not_be_done() -> None:
    transcript = opened(file(entry("a", None), entry("b", "a")))
    with pytest.raises(ValueError, match="not found"):
        at_leaf(transcript, "nowhere")
    with pytest.raises(ValueError, match="not found"):
        append_label(transcript, "nowhere", "x", time_ms=NOW, new_uuid=uuids())
    newer = opened(file(header=HEADER | {"version": 4}))
    with pytest.raises(ValueError, match="newer version"):
        append_entry(newer, "custom", {}, time_ms=NOW, new_uuid=uuids())
    old = opened(file(entry("a", None), entry("b", "a"), header=OLD_HEADER))
    with pytest.raises(ValueError, match="no branches"):
        append_message(at_leaf(old, "a"), {}, time_ms=NOW, new_uuid=uuids())
    assert append_message(old, {}, time_ms=NOW, new_uuid=uuids()).entry.parent_id == "b"


def test_a_fork_links_over_its_labels_and_keeps_every_other_byte() -> None:
    odd = (
        b'{ "type":"message","id":"c","parentId":"l1","timestamp":"2026-03-05T10:00:03.000Z","n":1e400,'
        b' "message":{"role":"user","content":"\\u2028"} , "parentId" : "l1"}'
    )
    records: list[Any] = [
        entry("a", None),
        entry("l1", "a", "label", targetId="a", label="here"),
        odd,
        entry("k", "c", "compaction", summary="S", firstKeptEntryId="l1", tokensBefore=1),
        entry("l2", "k", "label", targetId="gone", label="x"),
        entry("off", "a"),
        entry("l3", "off", "label", targetId="off", label="x"),
    ]
    data = file(*records)
    made = branched_session(
        data, opened(data), "l2", now_ms=NOW, new_uuid=uuids(), parent_session="/srv/old.jsonl"
    )
    assert made.name == "2026-03-05T12-00-00-000Z_00000001-1111-4222-8333-444444444444.jsonl"
    fork = opened(made.content)
    assert fork.damage == ()
    assert fork.header["parentSession"] == "/srv/old.jsonl"
    assert [item.id for item in fork.tree.path] == ["a", "c", "k", "00000002"]
    assert made.content.split(b"\n")[2] == odd.replace(b'"parentId" : "l1"', b'"parentId" : "a"')
    (label,) = labels_of(fork.tree).values()
    assert (label_text(label), label.value["timestamp"]) == ("here", records[1]["timestamp"])
    before = context_of(opened(data).tree, "l2").messages
    assert [message.value for message in context_of(fork.tree, fork.tree.leaf_id).messages] == [
        message.value for message in before
    ]


def test_a_fork_of_nothing_is_a_header() -> None:
    data = file(header={key: value for key, value in HEADER.items() if key != "cwd"})
    made = branched_session(
        data, opened(data), None, now_ms=NOW, new_uuid=uuids(), parent_session=None, cwd="/srv/here"
    )
    assert made.content == header_text(made.session_id, "/srv/here", NOW)


def test_a_whole_fork_keeps_every_entry_as_it_is() -> None:
    records = [
        entry("a", None),
        entry("b", "a"),
        entry("c", "a"),
        entry("l", "c", "label", targetId="b", label="x"),
    ]
    data = file(*records)
    made = forked_session(
        data, opened(data), now_ms=NOW, new_uuid=uuids(), parent_session="/srv/old.jsonl", cwd="/srv/new"
    )
    assert made.content.split(b"\n")[1:] == data.split(b"\n")[1:]
    assert opened(made.content).cwd == "/srv/new"


def old_file() -> bytes:
    message = {"role": "hookMessage", "customType": "h", "content": "hooked", "display": True, "timestamp": 5}
    time = HEADER["timestamp"]
    return file(
        {"type": "message", "timestamp": time, "message": {"role": "user", "content": "one"}},
        b"{broken",
        {"type": "message", "timestamp": time, "message": message, "big": 12345678901234567890123},
        b"",
        {
            "type": "compaction",
            "timestamp": time,
            "summary": "S",
            "firstKeptEntryIndex": 2,
            "tokensBefore": 1,
        },
        {"type": "message", "timestamp": time, "message": {"role": "user", "content": "two"}},
        header=OLD_HEADER,
    )


def test_a_migrated_file_says_the_same_in_version_3() -> None:
    data = old_file()
    migrated = migrated_text(data)
    old, new = opened(data), opened(migrated)
    assert issues(new) == [(3, "not-json")]
    assert new.version == 3
    assert new.tree == old.tree or [item.id for item in new.tree.entries] == [
        item.id for item in old.tree.entries
    ]
    assert context_of(new.tree, new.tree.leaf_id) == context_of(old.tree, old.tree.leaf_id)
    assert b'"big": 12345678901234567890123' in migrated
    assert migrated.split(b"\n")[2] == b"{broken"
    assert migrated.startswith(b'{"type": "session","version":3, "id"')
    assert migrated_text(migrated) == migrated


def test_a_fork_of_an_old_file_is_of_version_3() -> None:
    data = old_file()
    old = opened(data)
    made = branched_session(data, old, old.tree.leaf_id, now_ms=NOW, new_uuid=uuids(), parent_session=None)
    new = opened(made.content)
    assert new.damage == ()
    assert context_of(new.tree, new.tree.leaf_id) == context_of(old.tree, old.tree.leaf_id)


keys = st.sampled_from(["type", "id", "parentId", "a", "ü", '"', "\\"])
values = st.none() | st.integers() | st.text(max_size=6) | st.lists(st.integers(), max_size=2)


@given(st.lists(st.tuples(keys, values), max_size=5), keys, values)
def test_one_value_is_changed_and_no_other_byte(pairs: list[tuple[str, Any]], key: str, value: Any) -> None:
    parts = [f"{json.dumps(name)} : {json.dumps(item, ensure_ascii=False)}" for name, item in pairs]
    line = "{ " + " , ".join(parts) + " }"
    changed = with_value(line, key, value)
    assert json.loads(changed) == {**dict(pairs), key: value}
    for name, part in zip((name for name, _ in pairs), parts, strict=True):
        assert part in changed or name == key
    assert json.loads(value_text(changed, key) or "") == value
    rest = json.loads(without_key(line, key))
    assert rest == {name: item for name, item in dict(pairs).items() if name != key}
