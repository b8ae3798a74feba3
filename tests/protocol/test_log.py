"""One word in everything that comes in; it is in no log, on no standard error, in no error reply."""

from __future__ import annotations

import logging
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from agentbrief_server import log
from agentbrief_server.log import ClientLog, LogFile, line_of, storage_folder
from tests.protocol.raw_client import RawClient, frame_of, packet, tiny

CANARY = "c4naryw0rd"
URI = f"file:///w/{CANARY}/CLAUDE.md"
WHERE = {"textDocument": {"uri": URI}, "position": {"line": 0, "character": 0}}


def say_it_everywhere(client: RawClient) -> None:
    document = {"uri": f"file:///w/{CANARY}/raise.md", "languageId": CANARY, "version": 1, "text": CANARY}
    client.open(URI, CANARY)
    client.send(method="textDocument/didOpen", params={"textDocument": document})
    client.send(method="textDocument/didOpen", params={"textDocument": document | {"version": CANARY}})
    client.send(
        method="textDocument/didChange",
        params={"textDocument": {"uri": f"{URI}x", "version": 2}, "contentChanges": [{"text": CANARY}]},
    )
    client.send(method=CANARY, params={CANARY: CANARY})
    client.send(id=CANARY, method=f"agentbrief/{CANARY}", params={CANARY: CANARY})
    client.send(method="$/cancelRequest", params={"id": CANARY})
    client.send(id="canceled", method="tiny/sleep", params={"x": CANARY})
    client.send(method="$/cancelRequest", params={"id": "canceled"})
    client.send(method="window/workDoneProgress/cancel", params={"token": CANARY})
    client.send(method="workspace/didChangeConfiguration", params={"settings": {CANARY: CANARY}})
    folder = {"uri": URI, "name": CANARY}
    client.send(
        method="workspace/didChangeWorkspaceFolders", params={"event": {"added": [folder], "removed": []}}
    )
    client.send_bytes(b"X-Header: " + CANARY.encode() + b"\r\n" + frame_of(f'{{"{CANARY}'.encode()))
    for msg_id, method in enumerate(
        ("tiny/raise", "tiny/raiseLater", "tiny/unwritable", "tiny/print", "tiny/echo")
    ):
        client.ask(msg_id, method, {"x": CANARY})
    for arguments in ([CANARY], [{CANARY: CANARY}], [{"lineNumber": CANARY}], [{}, CANARY, CANARY], CANARY):
        client.ask("c", "workspace/executeCommand", {"command": "tiny.place", "arguments": arguments})
    client.ask("d", "workspace/executeCommand", {"command": CANARY, "arguments": [CANARY]})
    client.ask("e", "textDocument/hover", WHERE)
    client.ask("f", "textDocument/hover", WHERE | {"position": {"line": CANARY, "character": 0}})
    client.send(id="g", method="tiny/ask", params={"pass": True})
    question = client.receive(lambda message: message.get("method") == "tiny/question")
    client.send(id=question["id"], error={"code": 1, "message": CANARY, "data": CANARY})
    client.send(id=CANARY, result=CANARY)
    client.ask("h", "initialize", {"rootPath": CANARY})


@pytest.mark.parametrize("is_verbose", [False, True])
def test_no_log_holds_what_was_sent(home: Path, is_verbose: bool) -> None:
    with tiny(home, CANARY) as client:
        encodings = {"general": {"positionEncodings": [CANARY]}}
        client.initialize(
            capabilities=encodings,
            clientInfo={"name": CANARY, "version": CANARY},
            workspaceFolders=[{"uri": URI, "name": CANARY}],
        )
        if is_verbose:  # and the root logger at DEBUG: pygls would write every body
            client.ask("verbose", "tiny/verbose")
        say_it_everywhere(client)
        assert client.finish() == 0
        logged, surprises = client.logged(), client.rest()
        assert "tiny/raise failed [ValueError] tiny_server.py" in logged
        assert "tiny/raiseLater failed [ValueError]" in logged
        assert "textDocument/didOpen failed [ValueError]" in logged
        assert CANARY not in logged
        assert CANARY not in client.errors()
    assert sum("error" in message for message in client.seen) > 10
    assert not any(CANARY in str(message.get("error")) for message in client.seen)
    assert {message.get("method") for message in surprises} <= {None, "textDocument/publishDiagnostics"}


def test_the_log_is_private_and_lies_in_the_folder_the_client_named(home: Path) -> None:
    with tiny(home) as client:
        client.initialize()
        client.ask(1, "tiny/raise")
        assert client.finish() == 0
        assert client.storage.stat().st_mode & 0o777 == 0o700
        file = client.storage / "agentbrief.log"
        assert file.stat().st_mode & 0o777 == 0o600
        assert len(client.logged().splitlines()) == 1
    assert not (home / "cache").exists()


@pytest.mark.parametrize(
    "given", [None, "", "relative", 5, ["x"], {"client": 5}, {"client": {"storage": "\0"}}]
)
def test_without_a_folder_of_the_client_it_lies_in_the_cache(home: Path, given: Any) -> None:
    options = given if isinstance(given, dict) else {"client": {"storage": given}}
    with tiny(home) as client:
        client.initialize(initializationOptions=options)
        client.ask(1, "tiny/raise")
        assert client.finish() == 0
    assert "tiny/raise failed" in (home / "cache" / "agentbrief" / "agentbrief.log").read_text(
        encoding="utf-8"
    )


def test_a_crash_of_the_interpreter_is_in_the_log(home: Path) -> None:
    with tiny(home) as client:
        client.initialize()
        client.process.send_signal(6)
        client.process.wait(5)
        logged = client.logged()
        assert "Fatal Python error: Aborted" in logged
        assert CANARY not in logged


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_cannot_be_written_costs_the_log_only(home: Path) -> None:
    locked = home / "locked"
    locked.mkdir(mode=0o500)
    with tiny(home) as client:
        client.initialize(initializationOptions={"client": {"storage": str(locked / "x")}})
        assert client.ask(1, "tiny/raise")["code"] == -32803
        assert client.finish() == 0


def record(name: str, message: str, *args: Any, error: BaseException | None = None) -> logging.LogRecord:
    info = (type(error), error, error.__traceback__) if error is not None else None
    return logging.LogRecord(name, logging.WARNING, "file.py", 7, message, args, info, "function")


def raised(error: BaseException) -> BaseException:
    try:
        raise error
    except BaseException as caught:
        return caught


@pytest.mark.parametrize(
    "name", ["pygls", "pygls.protocol.json_rpc", "asyncio", "concurrent.futures", "root"]
)
def test_other_packages_records_are_a_place_without_words(name: str) -> None:
    line = line_of(record(name, "Sending %s", CANARY, error=raised(ValueError(CANARY))))
    assert CANARY not in line
    assert f"WARNING {name} function:7 [ValueError] test_log.py:" in line


def test_our_records_are_said_without_the_text_of_exceptions() -> None:
    error = raised(ValueError(CANARY))
    error.__cause__ = KeyError(CANARY)
    line = line_of(record("agentbrief_server.x", "hover failed: %s\nat %d", error, 5, error=error))
    assert CANARY not in line
    assert "hover failed: ValueError at 5 [ValueError from KeyError] test_log.py:" in line


def test_lines_wait_for_their_folder_and_a_full_file_is_put_aside(tmp_path: Path) -> None:
    handler = LogFile()
    handler.emit(record("agentbrief", "early"))
    assert handler.holds_lines
    assert not handler.is_open
    assert handler.open(str(tmp_path / "new" / "folder"))
    folder = tmp_path / "new" / "folder"
    assert "early" in (folder / "agentbrief.log").read_text(encoding="utf-8")
    for number in range(30):
        handler.emit(record("agentbrief", f"{number} " + "x" * 50_000))
    sizes = {path.name: path.stat().st_size for path in folder.iterdir()}
    assert set(sizes) == {"agentbrief.log", "agentbrief.log.1", "agentbrief.log.2"}
    assert max(sizes.values()) < log.MAX_FILE_BYTES + 60_000
    assert (folder / "agentbrief.log.1").stat().st_mode & 0o777 == 0o600


def test_a_log_that_is_a_link_or_no_file_is_not_written(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_text("mine", encoding="utf-8")
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "agentbrief.log").symlink_to(target)
    (tmp_path / "b" / "agentbrief.log").mkdir(parents=True)
    assert not LogFile().open(str(tmp_path / "a"))
    assert not LogFile().open(str(tmp_path / "b"))
    assert target.read_text(encoding="utf-8") == "mine"


def test_a_log_others_could_read_is_made_private(tmp_path: Path) -> None:
    file = tmp_path / "agentbrief.log"
    file.touch(mode=0o644)
    assert LogFile().open(str(tmp_path))
    assert file.stat().st_mode & 0o777 == 0o600


def test_what_is_said_to_the_client_never_speaks_of_itself() -> None:
    said: list[tuple[int, str]] = []
    logger = logging.getLogger("agentbrief_server.test_of_the_client_log")
    logger.propagate = False

    def say(kind: int, line: str) -> None:
        said.append((kind, line))
        logger.warning("about to send")
        logging.getLogger("pygls.protocol").warning("sending")

    handler = ClientLog(say)
    logger.addHandler(handler)
    pygls = logging.getLogger("pygls.protocol")
    pygls.addHandler(handler)
    try:
        logger.error("one")
        logger.warning("two")
        pygls.warning("three")
    finally:
        logger.removeHandler(handler)
        pygls.removeHandler(handler)
    assert [kind for kind, _ in said] == [1, 2]


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the XDG folders")
def test_the_storage_folder() -> None:
    home = {"HOME": "/h"}
    assert storage_folder("/given", home) == "/given"
    assert storage_folder(None, home) == "/h/.cache/agentbrief"
    assert storage_folder("relative", home | {"XDG_CACHE_HOME": "/c"}) == "/c/agentbrief"
    assert storage_folder(None, home | {"XDG_CACHE_HOME": "relative"}) == "/h/.cache/agentbrief"
    assert storage_folder(5, {}) is None


def test_a_packet_of_nonsense_logs_little(home: Path) -> None:
    with tiny(home) as client:
        client.initialize()
        client.send_bytes(packet(*({"method": f"unknown/{number}"} for number in range(1_000))))
        client.ask(1, "tiny/echo")
        assert client.logged() == ""
        assert client.finish() == 0
