"""A client in bytes: it sends what it is told and takes nothing but whole frames."""

from __future__ import annotations

import json
import os
import queue
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

ROOT = Path(__file__).parents[2]
TINY_SERVER = [sys.executable, str(Path(__file__).with_name("tiny_server.py"))]
LIMIT_S = 30.0

Message = dict[str, Any]


def body_of(message: Message) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode()


def frame_of(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def packet(*messages: Message) -> bytes:
    return b"".join(frame_of(body_of(message)) for message in messages)


def environment(home: Path) -> dict[str, str]:
    """What a server process gets: no word of the machine it runs on."""
    paths = [str(ROOT / "server"), str(ROOT / "features"), str(ROOT)]
    return {
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home / "cache"),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "PYTHONPATH": os.pathsep.join(paths),
        "AGENTBRIEF_TIER": os.environ.get("AGENTBRIEF_TIER", ""),
    }


class RawClient:
    """Talks to one server process. Anything but a frame fails the test."""

    def __init__(
        self, home: Path, *arguments: str, over: str = "stdio", connects: bool = True, **options: Any
    ) -> None:
        home.mkdir(exist_ok=True)
        self.over = over
        self.storage = home / "storage"
        self.stderr_file = (home / "stderr").open("w+b")
        pipes: dict[str, Any] = {
            "stdin": subprocess.PIPE,
            "stdout": subprocess.PIPE,
            "stderr": self.stderr_file,
        }
        if over != "stdio":
            arguments += (f"--{over}",)
        self.process = subprocess.Popen(
            [*TINY_SERVER, *arguments], **pipes | {"env": environment(home), "cwd": home} | options
        )
        self.inbox: queue.Queue[Message | None] = queue.Queue()
        self.stray = b""
        self.seen: list[Message] = []
        self.passed: list[Message] = []
        self._open = ExitStack()
        self._may_read = threading.Event()
        self._may_read.set()
        if over == "stdio":
            self._start(self.process.stdin, self.process.stdout)
        else:
            assert self.process.stdout is not None
            self.port = int(self.process.stdout.readline())
            if connects:
                self._connect()

    def _connect(self) -> None:
        if self.over == "tcp":
            self.socket = socket.create_connection(("127.0.0.1", self.port), LIMIT_S)
            self._start(self.socket.makefile("wb"), self.socket.makefile("rb"))
        else:
            from websockets.sync.client import connect

            address = f"ws://127.0.0.1:{self.port}"
            self.web_socket = self._open.enter_context(connect(address, max_size=None, compression=None))
            threading.Thread(target=self._read_messages, daemon=True).start()

    def start_on(self, sink: IO[bytes], source: IO[bytes]) -> None:
        """Talk over streams of the caller's."""
        for stream in (sink, source):
            self._open.callback(_close, stream)
        self._start(sink, source)

    def let_go(self) -> None:
        """Close our own ends, so that only others hold the server's pipes."""
        for stream in (self.sink, self.source):
            if stream is not None:
                _close(stream)

    def pause_reading(self) -> None:
        """Read no further than into the next message."""
        self._may_read.clear()

    def stop_reading(self) -> None:
        """Close our end of what the server writes to."""
        assert self.source is not None
        _close(self.source)

    def disconnect(self) -> None:
        """Go away without a word."""
        if self.over == "ws":
            self._open.close()
        elif self.over == "tcp":
            self.socket.shutdown(socket.SHUT_RDWR)
        else:
            assert self.sink is not None
            self.sink.close()

    def _start(self, sink: IO[bytes] | None, source: IO[bytes] | None) -> None:
        self.sink, self.source = sink, source
        if source is not None:
            threading.Thread(target=self._read_frames, args=(source,), daemon=True).start()

    def _read_frames(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError):
            while header := stream.readline():
                name, _, length = header.partition(b": ")
                self._may_read.wait()
                if name != b"Content-Length" or stream.readline() != b"\r\n":
                    self.stray += header
                    break
                self.inbox.put(json.loads(stream.read(int(length)).decode("utf-8", "strict")))
        self.inbox.put(None)

    def _read_messages(self) -> None:
        with suppress(Exception):
            for text in self.web_socket:
                assert isinstance(text, str)
                self.inbox.put(json.loads(text))
        self.inbox.put(None)

    def send_bytes(self, data: bytes) -> None:
        assert self.sink is not None
        self.sink.write(data)
        self.sink.flush()

    def send_body(self, body: bytes) -> None:
        if self.over == "ws":
            try:
                self.web_socket.send(body.decode("utf-8"))
            except UnicodeDecodeError:
                self.web_socket.send(body)
        else:
            self.send_bytes(frame_of(body))

    def send(self, **message: Any) -> None:
        self.send_body(body_of(message))

    def receive(self, wanted: Callable[[Message], bool] = lambda message: True) -> Message:
        while (message := self.inbox.get(timeout=LIMIT_S)) is not None:
            self.seen.append(message)
            if wanted(message):
                return message
            self.passed.append(message)
        raise AssertionError(f"the server ended; stray output: {self.stray!r}")

    def reply(self, msg_id: Any) -> Message:
        return self.receive(lambda message: "method" not in message and message["id"] == msg_id)

    def ask(self, msg_id: Any, method: str, params: Any = None) -> Any:
        """The result of a request, or its error."""
        self.send(id=msg_id, method=method, **({} if params is None else {"params": params}))
        answer = self.reply(msg_id)
        return answer["result"] if "error" not in answer else answer["error"]

    def initialize(self, **params: Any) -> Any:
        options = {"client": {"storage": str(self.storage)}}
        result = self.ask(
            "init",
            "initialize",
            {"processId": None, "capabilities": {}, "initializationOptions": options} | params,
        )
        self.send(method="initialized", params={})
        return result

    def open(self, uri: str, text: str, version: int = 1) -> None:
        document = {"uri": uri, "languageId": "markdown", "version": version, "text": text}
        self.send(method="textDocument/didOpen", params={"textDocument": document})
        self.receive(lambda message: message.get("method") == "textDocument/publishDiagnostics")

    def finish(self) -> int:
        """Shut down and exit; the exit code."""
        self.ask("last", "shutdown")
        self.send(method="exit")
        return self.process.wait(LIMIT_S)

    def rest(self) -> list[Message]:
        """All messages that nothing waited for, once the server has ended."""
        found = list(self.passed)
        while (message := self.inbox.get(timeout=LIMIT_S)) is not None:
            self.seen.append(message)
            found.append(message)
        assert self.stray == b""
        return found

    def logged(self) -> str:
        return "".join(
            path.read_text(encoding="utf-8") for path in sorted(self.storage.glob("agentbrief.log*"))
        )

    def errors(self) -> str:
        self.stderr_file.seek(0)
        return self.stderr_file.read().decode("utf-8", "replace")

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        self._may_read.set()
        with suppress(Exception):
            self._open.close()
        for stream in (self.process.stdin, self.process.stdout, self.stderr_file):
            if stream is not None:
                with suppress(OSError):
                    stream.close()


def _close(stream: IO[bytes]) -> None:
    """Close the descriptor at once, even if another thread waits for it."""
    with suppress(OSError, ValueError):
        os.dup2(_DEAD, stream.fileno())


_DEAD = os.open(os.devnull, os.O_RDWR)


@contextmanager
def tiny(home: Path, *arguments: str, **options: Any) -> Iterator[RawClient]:
    """A client of a fresh tiny server; the process is gone afterwards."""
    client = RawClient(home, *arguments, **options)
    try:
        yield client
    finally:
        client.close()
