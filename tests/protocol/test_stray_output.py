"""Nothing but frames on the protocol's descriptor, whatever prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.protocol.raw_client import RawClient, environment, packet, tiny


def test_what_a_handler_prints_goes_elsewhere(home: Path) -> None:
    """From Python, from the descriptor, from C, from a child, which does not eat our input either."""
    with tiny(home) as client:
        client.initialize()
        client.send_bytes(packet({"id": 1, "method": "tiny/print"}, {"id": 2, "method": "tiny/echo"}))
        assert client.reply(1)["result"] == "printed"
        assert client.reply(2)["result"] == {}
        assert client.finish() == 0
        assert client.rest() == []
        said = client.errors()
    assert "a stray print" in said
    assert "from C" in said
    assert "from a child" in said


def test_what_a_library_prints_on_import_goes_elsewhere(home: Path) -> None:
    with tiny(home, "--print-on-import") as client:
        client.initialize()
        assert client.finish() == 0
        assert client.rest() == []
        assert "hello from an import" in client.errors()


def test_an_ordinary_session_says_nothing_on_standard_error(client: RawClient) -> None:
    client.ask(1, "tiny/raise")
    client.ask(2, "tiny/unwritable")
    client.send(method="unknown")
    assert client.ask(3, "tiny/echo") == {}
    assert client.errors() == ""


SCRIPT = """
import os, sys
from agentbrief_server.transport.start import claim_descriptors
first = claim_descriptors()
assert claim_descriptors() is first
assert min(first.reading, first.writing) > 2
assert not os.get_inheritable(first.reading) and not os.get_inheritable(first.writing)
assert sys.stdin.read() == "" and os.read(0, 1) == b""
print("stray"); print("stray", file=sys.stderr); os.write(1, b"stray\\n")
assert os.read(first.reading, 5) == b"hello"
os.write(first.writing, b"the protocol")
"""


def test_descriptors_are_moved_where_nothing_finds_them(home: Path) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", SCRIPT], input=b"hello", env=environment(home), capture_output=True, timeout=20
    )
    assert ended.stdout == b"the protocol"
    assert ended.stderr.splitlines() == [b"stray"] * 3  # the test's own output, of bytes
    assert ended.returncode == 0


def test_start_up_imports_nothing_that_could_print(home: Path) -> None:
    """What runs before the descriptors are moved is the standard library, and little of it."""
    script = (
        "import sys; known = set(sys.modules); import agentbrief_server.transport.start;"
        "print(*sorted(set(sys.modules) - known))"
    )
    ended = subprocess.run(
        [sys.executable, "-c", script],
        env=environment(home),
        capture_output=True,
        text=True,
        timeout=20,
        check=True,
    )
    loaded = set(ended.stdout.split())
    assert "agentbrief_server.transport.start" in loaded
    assert not {
        name
        for name in loaded
        if name.split(".")[0] in {"asyncio", "pygls", "lsprotocol", "attrs", "logging"}
    }


@pytest.mark.parametrize("module", ["agentbrief_server.brief_server", "agentbrief_server.transport.stdio"])
def test_the_front_end_is_lean(home: Path, module: str) -> None:
    """Watching, WebSockets and their like are imported when they are needed."""
    ended = subprocess.run(
        [sys.executable, "-c", f"import sys, {module}; print(*sys.modules)"],
        env=environment(home), capture_output=True, text=True, timeout=20, check=True,
    )  # fmt: skip
    loaded = {name.split(".")[0] for name in ended.stdout.split()}
    assert "lsprotocol" in loaded
    assert not loaded & {"watchdog", "websockets", "sqlite3", "msgspec", "multiprocessing", "unittest"}
