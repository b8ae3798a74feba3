"""initialize, shutdown, exit: what is answered when."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.protocol.conftest import never_a_popup
from tests.protocol.raw_client import packet, tiny


@pytest.fixture(params=["stdio", "tcp", "ws"])
def over(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def test_the_whole_conversation_in_one_packet(home: Path) -> None:
    with tiny(home) as client:
        initialize = {"id": 1, "method": "initialize", "params": {"processId": None, "capabilities": {}}}
        client.send_bytes(
            packet(
                initialize,
                {"method": "initialized", "params": {}},
                {"id": 2, "method": "tiny/echo"},
                {"id": 3, "method": "shutdown"},
                {"method": "exit"},
            )
        )
        assert client.process.wait(20) == 0
        assert [message["id"] for message in client.rest()] == [1, 2, 3]


def test_before_initialize_nothing_is_answered_but_initialize(home: Path, over: str) -> None:
    with tiny(home, over=over) as client:
        client.send(method="textDocument/didOpen", params={"textDocument": {"uri": "file:///raise.md"}})
        client.send(method="initialized", params={})
        for msg_id, method in enumerate(
            ("tiny/echo", "shutdown", "textDocument/hover", "unknown", "$/unknown")
        ):
            assert client.ask(msg_id, method)["code"] == -32002
        malformed = client.ask("bad", "initialize", {"processId": "x", "capabilities": 5})
        assert malformed["code"] == -32602
        assert client.ask("still", "tiny/echo")["code"] == -32002
        assert client.initialize()["serverInfo"] == {"name": "tiny", "version": "0"}
        assert client.ask("now", "tiny/echo", {"a": 1}) == {"a": 1}
        assert client.finish() == 0
        never_a_popup(client)


def test_exit_before_initialize(home: Path, over: str) -> None:
    with tiny(home, over=over) as client:
        client.send(method="exit")
        assert client.process.wait(5) == 1


def test_after_shutdown_every_request_is_refused(home: Path, over: str) -> None:
    with tiny(home, over=over) as client:
        client.initialize()
        client.send(id="long", method="workspace/executeCommand", params={"command": "tiny.work"})
        client.send(id="asks", method="tiny/ask")
        client.receive(lambda message: message.get("method") == "tiny/question")
        client.send(id="shutdown", method="shutdown", params={})
        answers = {message["id"]: message for message in (client.receive() for _ in range(3))}
        assert answers["shutdown"]["result"] is None
        assert answers["long"]["error"]["code"] == answers["asks"]["error"]["code"] == -32800
        for msg_id, method in enumerate(
            ("tiny/echo", "shutdown", "initialize", "textDocument/hover", "unknown")
        ):
            assert client.ask(msg_id, method)["code"] == -32600
        client.send(method="textDocument/didOpen", params={"textDocument": {"uri": "file:///raise.md"}})
        client.send(method="exit")
        assert client.process.wait(5) == 0
        never_a_popup(client)


def test_the_connection_is_closed(home: Path, over: str) -> None:
    with tiny(home, over=over) as client:
        client.initialize()
        client.send(
            id="work", method="workspace/executeCommand", params={"command": "tiny.work", "arguments": [5]}
        )
        client.ask("ping", "tiny/echo")
        client.disconnect()
        assert client.process.wait(5) == 1
