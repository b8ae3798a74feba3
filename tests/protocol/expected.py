"""What must be true of the next reply."""

from __future__ import annotations

from typing import Any

from tests.protocol.raw_client import RawClient


def is_alive(client: RawClient) -> None:
    """No reply but this one is waiting, and the server still answers."""
    client.send(id="alive", method="tiny/echo", params={"still": "here"})
    answer = client.receive(lambda message: "method" not in message)
    assert answer == {"jsonrpc": "2.0", "id": "alive", "result": {"still": "here"}}


def refusal(client: RawClient, msg_id: Any) -> int:
    """The error code of the next reply, which must be the one to ``msg_id``: one sentence, no data."""
    answer = client.receive(lambda message: "method" not in message)
    assert answer["id"] == msg_id
    assert set(answer) == {"jsonrpc", "id", "error"}
    assert set(answer["error"]) == {"code", "message"}
    assert 0 < len(answer["error"]["message"]) <= 120
    assert "Traceback" not in answer["error"]["message"]
    code = answer["error"]["code"]
    assert isinstance(code, int)
    return code
