"""What a handler sees, and when a request is cancelled: the order of messages is kept."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.protocol.raw_client import Message, RawClient, body_of, packet, tiny

URI = "file:///w/app/CLAUDE.md"
HOVER = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}


def change(version: int, *texts: str) -> Message:
    document = {"uri": URI, "version": version}
    changes = [{"text": text} for text in texts]
    return {
        "method": "textDocument/didChange",
        "params": {"textDocument": document, "contentChanges": changes},
    }


def test_a_request_sees_the_text_of_its_own_moment(client: RawClient) -> None:
    """A request and an edit in one packet: a coroutine's first step runs when both are already taken."""
    client.open(URI, "text 0")
    seen = []
    for number in range(1, 51):
        hover = {"id": number, "method": "textDocument/hover", "params": HOVER}
        client.send_bytes(packet(hover, change(number + 1, f"text {number}")))
        seen.append(client.receive()["result"]["contents"])
    assert seen == [f"text {number - 1}" for number in range(1, 51)]
    assert client.ask(99, "textDocument/hover", HOVER)["contents"] == "text 50"


def test_a_request_after_an_edit_in_one_packet_sees_the_edit(any_client: RawClient) -> None:
    any_client.open(URI, "text 0")
    for number in range(1, 21):
        any_client.send_body(body_of(change(number + 1, f"text {number}")))
        hover = {"id": number, "method": "textDocument/hover", "params": HOVER}
        any_client.send_body(body_of(hover))
    assert [any_client.receive()["result"]["contents"] for _ in range(20)] == [
        f"text {n}" for n in range(1, 21)
    ]


def test_changes_of_one_message_are_applied_in_order(client: RawClient) -> None:
    client.open(URI, "old")
    client.send_bytes(
        packet(change(2, "one", "two"), {"id": 1, "method": "textDocument/hover", "params": HOVER})
    )
    assert client.receive()["result"]["contents"] == "two"


def test_a_client_that_sends_ranges_is_understood(client: RawClient) -> None:
    client.open(URI, "a🚀b\r\nc\n")
    place = {"start": {"line": 0, "character": 3}, "end": {"line": 1, "character": 1}}
    edit = change(2)
    edit["params"]["contentChanges"] = [{"range": place, "text": "X\n"}]
    client.send_bytes(packet(edit, {"id": 1, "method": "textDocument/hover", "params": HOVER}))
    assert client.receive()["result"]["contents"] == "a🚀X\n\n"


def test_a_closed_document_is_gone(client: RawClient) -> None:
    client.open(URI, "text")
    client.send(method="textDocument/didClose", params={"textDocument": {"uri": URI}})
    assert client.ask(1, "textDocument/hover", HOVER) is None


@pytest.mark.parametrize(
    ("encoding", "columns"),
    [
        ("utf-8", {0: 0, 1: 0, 2: 2, 5: 2, 6: 6, 8: 6, 9: 9, 10: 9, 99: 9}),
        ("utf-16", {0: 0, 1: 1, 2: 1, 3: 3, 4: 4, 5: 4, 99: 4}),
        ("utf-32", {0: 0, 1: 1, 2: 2, 3: 3, 4: 3, 99: 3}),
    ],
)
def test_columns_are_those_of_the_encoding_that_was_agreed_on(
    home: Path, encoding: str, columns: dict[int, int]
) -> None:
    with tiny(home) as client:
        offered = {"general": {"positionEncodings": ["utf-7", encoding, "utf-16"]}}
        assert client.initialize(capabilities=offered)["capabilities"]["positionEncoding"] == encoding
        client.open(URI, "é🚀规\r\nsecond\u2028line\n")
        for column, shown in columns.items():
            where = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": column}}
            [place] = client.ask(column, "textDocument/definition", where)
            assert place["range"]["start"] == {"line": 0, "character": shown}
            assert place["range"]["end"] == {"line": 2, "character": 0}
        assert client.finish() == 0


def test_a_thousand_requests_cancelled_at_random(any_client: RawClient) -> None:
    chance = random.Random(20)
    ids = [*range(500), *(f"request {number}" for number in range(500))]
    chance.shuffle(ids)
    waiting: list[int | str] = []
    cancelled: set[int | str] = set()
    short = {msg_id for msg_id in ids if chance.random() < 0.3}
    for msg_id in ids:
        seconds = 0.01 if msg_id in short else 60
        any_client.send(id=msg_id, method="tiny/sleep", params={"seconds": seconds})
        waiting.append(msg_id)
        while waiting and chance.random() < 0.5:
            chosen = waiting.pop(chance.randrange(len(waiting)))
            cancelled.add(chosen)
            for _ in range(chance.choice((1, 1, 2))):
                any_client.send(method="$/cancelRequest", params={"id": chosen})
    for msg_id in waiting:
        cancelled.add(msg_id)
        any_client.send(method="$/cancelRequest", params={"id": msg_id})
    answers = [any_client.receive() for _ in ids]
    assert sorted(map(repr, (answer["id"] for answer in answers))) == sorted(map(repr, ids))
    for answer in answers:
        outcome = answer.get("result") or answer["error"]["code"]
        assert outcome == -32800 or (outcome == "slept" and answer["id"] in short)
    left = any_client.ask("left", "tiny/counts")
    assert left["futures"] == left["types"] == 0


def test_a_command_is_cancelled_like_any_request(client: RawClient) -> None:
    client.send(id=1, method="workspace/executeCommand", params={"command": "tiny.work", "arguments": [0.2]})
    client.send(method="$/cancelRequest", params={"id": 1})
    assert client.receive()["error"]["code"] == -32800


def test_nothing_is_kept_of_messages_that_were_handled(client: RawClient) -> None:
    client.open(URI, "text")
    before = client.ask(1, "tiny/counts")
    for version in range(200):
        client.send_bytes(
            packet(change(version, "x"), {"id": version, "method": "textDocument/hover", "params": HOVER})
        )
        client.receive()
    assert client.ask(1, "tiny/counts") == before
