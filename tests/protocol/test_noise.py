"""Thousands of frames of every kind: each request is answered once, and the stream parses."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.protocol.raw_client import RawClient, body_of

METHODS = [
    "tiny/echo", "tiny/raise", "tiny/raiseLater", "tiny/unwritable", "tiny/mixed", "textDocument/hover",
    "textDocument/didOpen", "textDocument/didChange", "textDocument/didClose", "workspace/executeCommand",
    "workspace/didChangeConfiguration", "$/cancelRequest", "$/setTrace", "$/unknown", "unknown", "",
    "initialize", "window/workDoneProgress/cancel", "notebookDocument/didOpen",
    "textDocument/publishDiagnostics",
]  # fmt: skip
VALUES: list[Any] = [
    None, True, 0, -1, 1.5, 2**70, "", "text", "\ud83d", "é🚀", [], {}, [[]], {"jsonrpc": "2.0"},
    {"id": 5, "method": "x"},
]  # fmt: skip


CODES = (-32803, -32800, -32700, -32603, -32602, -32601, -32600)


def value(chance: random.Random, depth: int = 0) -> Any:
    kind = chance.random()
    if depth < 4 and kind < 0.3:
        keys = (
            "uri",
            "textDocument",
            "position",
            "line",
            "character",
            "command",
            "arguments",
            "id",
            "text",
            "jsonrpc",
        )
        return {chance.choice(keys): value(chance, depth + 1) for _ in range(chance.randrange(4))}
    if depth < 4 and kind < 0.4:
        return [value(chance, depth + 1) for _ in range(chance.randrange(3))]
    return chance.choice(VALUES)


def damaged(chance: random.Random, body: bytes) -> bytes:
    """``body`` as something that is no JSON, its first forty bytes left as they are."""
    cut = chance.randrange(40, max(41, len(body)))
    return chance.choice((body[:cut], body + b"}", body[:-1] + b"\xff}", body[:-1] + b"," + b"[" * 3_000))


@pytest.mark.parametrize("seed", [1, 2])
def test_noise(any_client: RawClient, seed: int) -> None:
    chance = random.Random(seed)
    expected: list[Any] = []
    for number in range(1_000):
        message = {"method": chance.choice(METHODS), "params": value(chance)}
        if chance.random() < 0.1:
            del message["params"]
        match chance.choices(("request", "notification", "answer", "damaged request"), (5, 3, 1, 1))[0]:
            case "request":
                message["id"] = chance.choice((number, f"id {number}", 2**60 + number, number + 0.5))
                expected.append(message["id"])
            case "answer":
                message = {"id": f"answer {number}", chance.choice(("result", "error")): value(chance)}
            case "damaged request":
                expected.append(f"damaged {number}")
                body = body_of({"id": expected[-1], **message})
                any_client.send_body(damaged(chance, body))
                continue
        any_client.send_body(body_of(message))
    any_client.send(id="the end", method="tiny/sleep", params={"seconds": 0.3})
    answered: list[Any] = []
    while (answer := any_client.receive(lambda message: "method" not in message))["id"] != "the end":
        answered.append(answer["id"])
        assert "result" in answer or answer["error"]["code"] in CODES
    assert sorted(map(repr, answered)) == sorted(map(repr, expected))
