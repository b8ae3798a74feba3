"""TCP and WebSocket: one client, no page of another host, and what is missing is named."""

from __future__ import annotations

import socket
import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import pytest
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from agentbrief_server.transport.sockets import is_loopback_origin
from tests.protocol.raw_client import environment, packet, tiny

LOCAL = [
    "http://localhost",
    "http://localhost:3000",
    "https://127.0.0.1:8443",
    "http://127.8.9.1",
    "http://[::1]:80",
]
FOREIGN = [
    "https://evil.example",
    "http://localhost.evil.example",
    "http://evil.example:80/localhost",
    "http://localhost@evil.example",
    "http://127.0.0.1.evil.example",
    "http://192.168.0.1",
    "http://0.0.0.0",
    "null",
    "file://",
    "vscode-webview://localhost",
    "http://[::1",
    "http://",
    "",
]


@pytest.mark.parametrize("origin", LOCAL)
def test_origins_of_this_machine(origin: str) -> None:
    assert is_loopback_origin(origin)


@pytest.mark.parametrize("origin", FOREIGN)
def test_origins_of_other_machines(origin: str) -> None:
    assert not is_loopback_origin(origin)


def test_a_page_of_another_host_is_refused_and_one_of_this_machine_is_served(home: Path) -> None:
    with tiny(home, over="ws", connects=False) as client:
        address = f"ws://127.0.0.1:{client.port}"
        for origin in ("https://evil.example", "null"):
            with pytest.raises(InvalidStatus) as refused, connect(address, origin=Origin(origin)):
                pass
            assert refused.value.response.status_code == 403
        both = [("Origin", "http://localhost"), ("Origin", "https://evil.example")]
        with pytest.raises(InvalidStatus), connect(address, additional_headers=both):
            pass
        with connect(address, origin=Origin("http://localhost:3000")) as page:
            page.send('{"jsonrpc":"2.0","id":1,"method":"tiny/echo"}')
            assert '"code":-32002' in str(page.recv(10))
            with pytest.raises(InvalidStatus) as busy, connect(address):
                pass
            assert busy.value.response.status_code == 503
        assert client.process.wait(5) == 1


def test_a_second_client_takes_nothing_over(home: Path) -> None:
    with tiny(home, over="tcp") as client:
        client.initialize()
        with socket.create_connection(("127.0.0.1", client.port), 5) as second:
            second.settimeout(5)
            second.sendall(packet({"id": 1, "method": "tiny/echo"}))
            with suppress(ConnectionResetError):
                assert second.recv(100) == b""
        assert client.ask(1, "tiny/echo", {"a": 1}) == {"a": 1}
        assert client.finish() == 0


def test_a_message_may_be_sent_as_text_or_as_bytes(home: Path) -> None:
    with tiny(home, over="ws") as client:
        client.initialize()
        client.web_socket.send('{"jsonrpc":"2.0","id":1,"method":"tiny/echo","params":{"a":"é"}}')
        assert client.receive()["result"] == {"a": "é"}
        client.web_socket.send('{"jsonrpc":"2.0","id":2,"method":"tiny/echo","params":{"a":"é"}}'.encode())
        assert client.receive()["result"] == {"a": "é"}
        assert client.finish() == 0


MISSING = """
import sys
sys.modules["websockets"] = None
from agentbrief_server.brief_server import BriefServer
from agentbrief_server.transport.sockets import MissingExtra, serve_ws
try:
    serve_ws(BriefServer(), "127.0.0.1", 0)
except MissingExtra as missing:
    sys.exit("missing " + missing.extra)
"""

TAKEN = """
import sys
from agentbrief_server.brief_server import BriefServer
from agentbrief_server.transport.sockets import serve_tcp, serve_ws
try:
    {serve}(BriefServer(), "127.0.0.1", {port})
except OSError:
    sys.exit("taken")
"""


def run(script: str, home: Path) -> str:
    ended = subprocess.run(
        [sys.executable, "-c", script], env=environment(home), capture_output=True, text=True, timeout=20
    )
    assert ended.returncode == 1
    return ended.stderr.strip()


def test_a_missing_extra_is_named(home: Path) -> None:
    assert run(MISSING, home) == "missing ws"


@pytest.mark.parametrize("serve", ["serve_tcp", "serve_ws"])
def test_an_address_that_is_taken(home: Path, serve: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert run(TAKEN.format(serve=serve, port=taken.getsockname()[1]), home) == "taken"
