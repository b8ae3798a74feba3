"""How the server process ends: within five seconds, with the right code, no lock left, no core kept busy."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from tests.protocol.conftest import never_a_popup
from tests.protocol.raw_client import RawClient, packet, tiny

WITHIN_S = 5.0
SLEEPER = [sys.executable, "-c", "import time; time.sleep(120)"]

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="processes and signals of POSIX")


def user_seconds(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
    return int(fields[11]) / os.sysconf("SC_CLK_TCK")


def end_of(client: RawClient, since: float) -> tuple[int, float]:
    """Exit code, and the seconds of user time after the first ``since`` of them; fails after five seconds."""
    limit = time.monotonic() + WITHIN_S
    while time.monotonic() < limit:
        pid, status, usage = os.wait4(client.process.pid, os.WNOHANG)
        if pid:
            client.process.returncode = os.waitstatus_to_exitcode(status)
            return client.process.returncode, usage.ru_utime - since
        time.sleep(0.02)
    raise AssertionError("still there after 5 s")


def work(client: RawClient) -> None:
    """A command that works in a thread for five seconds."""
    client.send(
        id="work", method="workspace/executeCommand", params={"command": "tiny.work", "arguments": [5]}
    )
    client.ask("ping", "tiny/echo")


def block(client: RawClient) -> None:
    """A handler that keeps the event loop busy for longer than anybody waits."""
    client.send(id="block", method="tiny/block", params={"seconds": 30})
    time.sleep(0.3)


def idle(client: RawClient) -> None:
    """Nothing to do."""


STATES: dict[str, Callable[[RawClient], None]] = {"idle": idle, "working": work, "blocked": block}


def shut_down_and_exit(client: RawClient) -> int:
    client.send_bytes(packet({"id": "shutdown", "method": "shutdown"}, {"method": "exit"}))
    return 0


def only_exit(client: RawClient) -> int:
    client.send(method="exit")
    return 1


def end_of_input(client: RawClient) -> int:
    assert client.process.stdin is not None
    client.process.stdin.close()
    return 1


def end_of_input_after_shutdown(client: RawClient) -> int:
    client.ask("shutdown", "shutdown")
    return end_of_input(client) - 1


def terminate(client: RawClient) -> int:
    client.process.terminate()
    return 1


def hang_up(client: RawClient) -> int:
    client.process.send_signal(signal.SIGHUP)
    return 1


def interrupt(client: RawClient) -> int:
    client.process.send_signal(signal.SIGINT)
    return 130


ENDS: list[Callable[[RawClient], int]] = [
    shut_down_and_exit,
    only_exit,
    end_of_input,
    end_of_input_after_shutdown,
    terminate,
    hang_up,
    interrupt,
]


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("end", ENDS, ids=lambda end: end.__name__)
def test_the_server_ends(home: Path, end: Callable[[RawClient], int], state: str) -> None:
    if end is end_of_input_after_shutdown and state == "blocked":
        pytest.skip("a blocked server answers no shutdown")
    lock = home / "lock"
    with tiny(home) as client:
        client.initialize()
        assert client.ask("hold", "tiny/hold", {"lock": str(lock)}) == "held"
        assert lock.exists()
        STATES[state](client)
        since = user_seconds(client.process.pid)
        wanted = end(client)
        code, busy = end_of(client, since)
        assert code == wanted
        assert busy < 0.2
        assert not lock.exists()
        never_a_popup(client)


@contextmanager
def editor_between(home: Path, *arguments: str, child_holds_the_pipes: bool) -> Iterator[Any]:
    """A server whose pipes are held by an editor process, perhaps by a child of it too, and by us."""
    their_input, our_output = os.pipe()
    our_input, their_output = os.pipe()
    held = (our_output, our_input)
    editor = subprocess.Popen(SLEEPER, pass_fds=held)
    child = subprocess.Popen(SLEEPER, pass_fds=held) if child_holds_the_pipes else None
    client = RawClient(home, *arguments, stdin=their_input, stdout=their_output)
    os.close(their_input)
    os.close(their_output)
    client.start_on(os.fdopen(our_output, "wb"), os.fdopen(our_input, "rb"))
    try:
        yield client, editor
    finally:
        for process in (editor, child):
            if process is not None:
                process.kill()
                process.wait()
        client.close()


@pytest.mark.parametrize("state", STATES)
@pytest.mark.parametrize("child_holds_the_pipes", [False, True])
@pytest.mark.parametrize("is_reaped", [True, False])
def test_the_editor_is_killed(home: Path, state: str, child_holds_the_pipes: bool, is_reaped: bool) -> None:
    """Found by the end of standard input; if a child still holds the pipe, by the watch on the process."""
    lock = home / "lock"
    with editor_between(home, child_holds_the_pipes=child_holds_the_pipes) as (client, editor):
        client.initialize(processId=editor.pid)
        client.ask("hold", "tiny/hold", {"lock": str(lock)})
        STATES[state](client)
        client.let_go()
        since = user_seconds(client.process.pid)
        editor.kill()
        if is_reaped:
            editor.wait()
        code, busy = end_of(client, since)
        assert code == 1
        assert busy < 0.2
        assert not lock.exists()


@pytest.mark.parametrize("state", ["idle", "working"])
def test_nobody_reads_what_the_server_writes(home: Path, state: str) -> None:
    their_input, our_output = os.pipe()
    our_input, their_output = os.pipe()
    with tiny(home, stdin=their_input, stdout=their_output) as client:
        os.close(their_input)
        os.close(their_output)
        client.start_on(os.fdopen(our_output, "wb"), os.fdopen(our_input, "rb"))
        client.initialize()
        STATES[state](client)
        client.stop_reading()
        since = user_seconds(client.process.pid)
        for number in range(3):  # the first one wakes our own thread from the read it still waits in
            with suppress(BrokenPipeError):
                client.send(id=number, method="tiny/echo")
            time.sleep(0.1)
        code, busy = end_of(client, since)
        assert code == 1
        assert busy < 0.2


@pytest.mark.parametrize("state", ["idle", "working"])
def test_standard_error_is_dead(home: Path, state: str) -> None:
    reading, writing = os.pipe()
    with tiny(home, stderr=writing) as client:
        os.close(writing)
        client.initialize()
        os.close(reading)
        STATES[state](client)
        since = user_seconds(client.process.pid)
        assert client.ask(1, "tiny/print") == "printed"
        assert client.ask(2, "tiny/raise")["code"] == -32803
        shut_down_and_exit(client)
        code, busy = end_of(client, since)
        assert code == 0
        assert busy < 0.2
        assert client.stray == b""


@pytest.mark.parametrize("closed", ["0<&-", "1>&-", "2>&-", "0<&- 1>&- 2>&-"])
def test_a_standard_descriptor_that_is_closed_from_the_start(home: Path, closed: str) -> None:
    from tests.protocol.raw_client import TINY_SERVER, environment

    ended = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *TINY_SERVER],
        input=packet({"method": "exit"}),
        env=environment(home),
        capture_output=True,
        timeout=20,
    )
    assert ended.returncode == 1
    assert ended.stdout == b""


def test_a_process_that_cannot_be_seen_is_not_watched(tmp_path: Path) -> None:
    """The client runs outside our container: its number says nothing here."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    invisible = [gone.pid, 2**22 + 5, 2**40, 0, -1]
    clients = [RawClient(tmp_path / str(number)) for number in range(len(invisible))]
    try:
        for client, pid in zip(clients, invisible, strict=True):
            client.initialize(processId=pid)
        time.sleep(15)
        for client in clients:
            assert client.ask("alive", "tiny/echo", {"a": 1}) == {"a": 1}
            since = user_seconds(client.process.pid)
            end_of_input(client)
            assert end_of(client, since)[0] == 1
    finally:
        for client in clients:
            client.close()


@pytest.mark.parametrize("end", ["input", "exit", "signal"])
def test_a_client_that_stopped_reading_holds_nobody(home: Path, end: str) -> None:
    """The event loop waits in a write that will never end."""
    with tiny(home) as client:
        client.initialize()
        client.pause_reading()
        client.send(id="next", method="tiny/echo")
        client.send(id="flood", method="tiny/flood", params={"bytes": 5_000_000})
        time.sleep(0.5)
        since = user_seconds(client.process.pid)
        if end == "input":
            end_of_input(client)
        elif end == "exit":
            only_exit(client)
        else:
            terminate(client)
        code, busy = end_of(client, since)
        assert code == 1
        assert busy < 0.2
