"""Requests of ours and what the client makes of them: no answer of its own costs a reply of ours."""

from __future__ import annotations

from tests.protocol.expected import is_alive, refusal
from tests.protocol.raw_client import RawClient


def test_a_client_that_answers_badly(any_client: RawClient) -> None:
    any_client.send(id=1, method="tiny/ask", params={"method": "workspace/applyEdit"})
    question = any_client.receive(lambda message: "method" in message)
    any_client.send(id=question["id"], result={"applied": {}, "failedChange": "x"})
    assert any_client.reply(1)["result"] == {"refused": -32803}

    any_client.send(id=2, method="tiny/ask", params={"method": "workspace/applyEdit", "pass": True})
    question = any_client.receive(lambda message: "method" in message)
    any_client.send(id=question["id"], error={"code": -32601, "message": "canary of the client"})
    assert refusal(any_client, 2) == -32803

    any_client.send(id=3, method="tiny/ask")
    question = any_client.receive(lambda message: "method" in message)
    assert question["params"] == {"a": 1}
    any_client.send(id=question["id"], result={"jsonrpc": "2.0", "plain": [1]})
    assert any_client.reply(3)["result"] == {"answer": {"jsonrpc": "2.0", "plain": [1]}}
    any_client.send(id=question["id"], result="said twice")
    is_alive(any_client)


def test_a_request_that_is_cancelled_while_the_client_is_asked(any_client: RawClient) -> None:
    any_client.send(id=1, method="tiny/ask")
    question = any_client.receive(lambda message: "method" in message)
    any_client.send(
        method="$/cancelRequest", params={"id": question["id"]}
    )  # ours, not the client's to cancel
    any_client.send(method="$/cancelRequest", params={"id": 1})
    assert refusal(any_client, 1) == -32800
    any_client.send(id=question["id"], result={"too": "late"})
    is_alive(any_client)


def test_a_request_cannot_be_answered_from_outside(any_client: RawClient) -> None:
    any_client.send(id=1, method="tiny/sleep", params={"seconds": 0.05})
    any_client.send(id=1, result="forged")
    any_client.send(id=1, error={"code": 1, "message": "forged"})
    assert any_client.receive() == {"jsonrpc": "2.0", "id": 1, "result": "slept"}
    is_alive(any_client)
