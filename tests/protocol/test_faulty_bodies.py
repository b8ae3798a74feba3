"""What a client may get wrong in a body: each request gets one reply, nothing gets a popup, nothing ends."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.protocol.expected import is_alive, refusal
from tests.protocol.raw_client import RawClient, body_of, tiny

WHERE = {"textDocument": {"uri": "file:///w/app/CLAUDE.md"}, "position": {"line": 0, "character": 0}}


@pytest.mark.parametrize(
    "params",
    [
        {},
        None,
        [],
        5,
        "text",
        {"textDocument": {"uri": "file:///x"}},
        {"textDocument": "file:///x", "position": {"line": 0, "character": 0}},
        {"textDocument": {"uri": 5}, "position": {"line": 0, "character": 0}},
        {"textDocument": {"uri": "file:///x"}, "position": {"line": "x", "character": 0}},
        {"textDocument": {"uri": "file:///x"}, "position": {"line": None, "character": 0}},
        {"textDocument": {"uri": "file:///x"}, "position": [0, 0]},
    ],
)
def test_malformed_params(any_client: RawClient, params: Any) -> None:
    any_client.send(id=7, method="textDocument/hover", params=params)
    assert refusal(any_client, 7) == -32602
    is_alive(any_client)


def test_params_that_are_left_out(any_client: RawClient) -> None:
    any_client.send(id=1, method="textDocument/hover")
    assert refusal(any_client, 1) == -32602
    any_client.send(id=2, method="tiny/echo")
    assert any_client.receive()["result"] == {}
    any_client.send(id=3, method="tiny/unknown")
    assert refusal(any_client, 3) == -32601
    any_client.send(method="tiny/unknown")
    any_client.send(method="$/unknown")
    any_client.send(id=4, method="$/unknown")
    assert refusal(any_client, 4) == -32601
    any_client.send(method="initialized")
    is_alive(any_client)


@pytest.mark.parametrize("params", [5, "text", [1], True])
def test_params_of_an_own_method_are_an_object(any_client: RawClient, params: Any) -> None:
    any_client.send(id=1, method="tiny/echo", params=params)
    assert refusal(any_client, 1) == -32602
    is_alive(any_client)


@pytest.mark.parametrize("version", ["2.0", "1.0", None, 2])
def test_a_message_inside_a_message_is_plain_data(any_client: RawClient, version: Any) -> None:
    inner = {"jsonrpc": version, "id": 99, "method": "tools/call", "params": {"jsonrpc": version}}
    assert any_client.ask(1, "tiny/echo", {"inner": inner}) == {"inner": inner}
    command = {"command": "tiny.any", "arguments": [{"deep": [inner]}]}
    assert any_client.ask(2, "workspace/executeCommand", command) == [{"deep": [inner]}]
    is_alive(any_client)


@pytest.mark.parametrize(
    ("body", "msg_id"),
    [
        (b"", None),
        (b"{", None),
        (b"nonsense", None),
        (b'{"jsonrpc":"2.0","id":7,"method":"tiny/echo","params":{', 7),
        (b'{"jsonrpc":"2.0","id" : "a\\"b","method":tiny}', 'a"b'),
        (b'{"method":"tiny/echo","params":{"id":5,"x":[{"id":6}]},"id":-12,}', -12),
        (b'{"method":"tiny/echo","params":{"id":5,"x":[{"id":6', None),
        (b'{"method":"id","params":["id",5],"x":"id"}}', None),
        (b'{"id":null,"method":}', None),
        (b'{"id":[1],"method":}', None),
        (b'{"id":{"id":3},"method":}', None),
        (b'{"id":12345678901234567890123,"x":}', 12345678901234567890123),
        (b'{"method":"tiny/echo","params":{"a":"' + b"x" * 600 + b'"},"id":8,', None),
        (b'{"x":"' + b"y" * 500 + b'","id":123456789,', None),
        (b'{"id":9,"method":"tiny/echo","params":' + b"[" * 200_000, 9),
        (b'{"id":10,"method":"tiny/echo","params":' + b'{"a":' * 5_000 + b"1" + b"}" * 5_001, 10),
        (b'{"id":11,"method":"tiny/echo","params":{"a":"\xff\xfe"}}', 11),
        (b'{"id":"\xff","method":"tiny/echo"}', None),
        (b'\xef\xbb\xbf{"id":13,"method":"tiny/echo"}', 13),
        (b'{"jsonrpc":"2.0","id":14,"method":"tiny/echo"}{"jsonrpc":"2.0","id":15}', 14),
    ],
)
def test_a_body_that_is_no_json(any_client: RawClient, body: bytes, msg_id: Any) -> None:
    any_client.send_body(body)
    assert refusal(any_client, msg_id) == -32700
    is_alive(any_client)


@pytest.mark.parametrize(
    ("body", "msg_id"),
    [
        (b"[]", None),
        (b"5", None),
        (b'"text"', None),
        (b"null", None),
        (b'[{"jsonrpc":"2.0","id":1,"method":"tiny/echo"}]', None),
        (b'{"id":1,"method":"tiny/echo"}', 1),
        (b'{"jsonrpc":"1.0","id":2,"method":"tiny/echo"}', 2),
        (b'{"jsonrpc":"2.0","id":3,"method":5}', 3),
        (b'{"jsonrpc":"2.0","id":4}', 4),
        (b'{"jsonrpc":"2.0","id":[5],"method":"tiny/echo"}', None),
        (b'{"jsonrpc":"2.0","id":{},"method":"tiny/echo"}', None),
        (b'{"jsonrpc":"2.0","id":true,"method":"tiny/echo"}', None),
    ],
)
def test_json_that_is_no_message(any_client: RawClient, body: bytes, msg_id: Any) -> None:
    any_client.send_body(body)
    assert refusal(any_client, msg_id) == -32600
    is_alive(any_client)


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"method": 5},
        {"id": "unknown", "result": None},
        {"id": "unknown", "error": {"code": 1, "message": "x"}},
        {"id": None, "error": {"code": 1, "message": "x"}},
        {"id": ["unhashable"], "result": 1},
        {"method": "$/cancelRequest"},
        {"method": "$/cancelRequest", "params": {"id": "unknown"}},
        {"method": "$/cancelRequest", "params": {"id": [1]}},
        {"method": "$/cancelRequest", "params": [1]},
        {"method": "$/progress", "params": {"token": 1, "value": {}}},
        {"method": "$/setTrace", "params": {"value": "verbose"}},
        {"method": "textDocument/didOpen", "params": {"textDocument": {"uri": "file:///x", "text": None}}},
        {"method": "textDocument/didOpen"},
        {"method": "textDocument/didClose", "params": {"textDocument": {"uri": "file:///never"}}},
        {"method": "window/workDoneProgress/cancel", "params": {"token": "unknown"}},
        {
            "method": "textDocument/didChange",
            "params": {
                "textDocument": {"uri": "file:///never", "version": 2},
                "contentChanges": [{"text": "x"}],
            },
        },
        {
            "method": "notebookDocument/didChange",
            "params": {"notebookDocument": {"uri": "file:///never", "version": 2}, "change": {}},
        },
    ],
)
def test_what_needs_no_reply_gets_none(any_client: RawClient, message: dict[str, Any]) -> None:
    any_client.send_body(body_of(message))
    is_alive(any_client)


def test_a_second_initialize(any_client: RawClient) -> None:
    any_client.send(
        id=1, method="initialize", params={"processId": None, "rootUri": None, "capabilities": {}}
    )
    assert refusal(any_client, 1) == -32600
    is_alive(any_client)


@pytest.mark.parametrize("method", ["tiny/raise", "tiny/raiseLater"])
@pytest.mark.parametrize("kind", ["bug", "exit"])
def test_a_handler_that_fails(any_client: RawClient, method: str, kind: str) -> None:
    any_client.send(id=1, method=method, params={"kind": kind, "secret": "canary"})
    assert refusal(any_client, 1) == -32803
    is_alive(any_client)


def test_a_handler_that_expects_its_failure_says_why(any_client: RawClient) -> None:
    error = any_client.ask(1, "tiny/raise", {"kind": "expected"})
    assert error == {"code": -32803, "message": "The disk is full; nothing was changed."}


def test_a_failure_without_a_word_gets_one(any_client: RawClient) -> None:
    any_client.send(id=1, method="tiny/raise", params={"kind": "silent"})
    assert refusal(any_client, 1) == -1


def test_a_notification_handler_that_fails(any_client: RawClient) -> None:
    document = {"uri": "file:///w/raise.md", "languageId": "markdown", "version": 1, "text": "x"}
    any_client.send(method="textDocument/didOpen", params={"textDocument": document})
    is_alive(any_client)


def test_a_result_that_cannot_be_written(any_client: RawClient) -> None:
    any_client.send(id=1, method="tiny/unwritable")
    assert refusal(any_client, 1) == -32603
    is_alive(any_client)


@pytest.mark.parametrize(
    ("command", "arguments", "answer"),
    [
        ("tiny.unknown", [], -32602),
        ("tiny.place", [{"lineNumber": 3, "unknown": 1}], {"line": 3, "other": None}),
        ("tiny.place", [{"lineNumber": 4}, {"plain": True}], {"line": 4, "other": {"plain": True}}),
        ("tiny.place", [{}], {"line": 0, "other": None}),
        ("tiny.place", None, -32602),
        ("tiny.place", [], -32602),
        ("tiny.place", [{}, 1, 2], -32602),
        ("tiny.place", [5], -32602),
        ("tiny.place", ["canary"], -32602),
        ("tiny.work", [0], "worked"),
        ("tiny.work", [0, 0], -32602),
        ("tiny.any", None, []),
        ("tiny.any", [1, None, {"a": 1}], [1, None, {"a": 1}]),
    ],
)
def test_arguments_of_commands(any_client: RawClient, command: str, arguments: Any, answer: Any) -> None:
    params = {"command": command} | ({} if arguments is None else {"arguments": arguments})
    got = any_client.ask(1, "workspace/executeCommand", params)
    assert (got.get("code", got) if isinstance(got, dict) else got) == answer
    is_alive(any_client)


@pytest.mark.parametrize(
    "msg_id",
    [0, -1, 2**31, 2**53 + 1, 2**64, 10**40, 1.5, "", "text", "1", "é🚀", "\ud83d", "x" * 10_000, None],
)
def test_any_id_comes_back_as_it_was(any_client: RawClient, msg_id: Any) -> None:
    any_client.send(id=msg_id, method="tiny/echo", params={"a": 1})
    assert any_client.receive() == {"jsonrpc": "2.0", "id": msg_id, "result": {"a": 1}}
    any_client.send(id=msg_id, method="tiny/raise")
    assert refusal(any_client, msg_id) == -32803


def test_results_of_plain_and_typed_parts(any_client: RawClient) -> None:
    answer = any_client.ask(1, "tiny/mixed")
    assert answer == {"positions": [{"line": 1, "character": 2}], "text": "é\ud83d🚀", "number": 2**70}
    assert json.dumps(answer)


@pytest.mark.parametrize("locale", ["en", "de", "zh-CN", "zh-TW", None])
def test_error_replies_speak_the_clients_language(
    tmp_path_factory: pytest.TempPathFactory, locale: str | None
) -> None:
    from agentbrief.messages import locale_of, say

    with tiny(tmp_path_factory.mktemp("home")) as client:
        client.initialize(locale=locale)
        shown = client.ask(1, "tiny/raise")["message"]
        assert shown == say(locale_of(locale), "protocol.failed")
        assert shown.isascii() == (locale not in ("zh-CN", "zh-TW"))
        assert client.finish() == 0
