"""What does a language server cost the editor that talks to it?

A client in bytes, without threads: messages are encoded before the clock starts, answers are taken as they
come, and requests of the server are answered at once.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

from agentbrief import jsonio

ROOT = Path(__file__).resolve().parent.parent
FLOORS = Path(__file__).resolve().parent / "floors"
OURS = (sys.executable, "-m", "agentbrief_server", "serve")
LIMIT_S = 120.0
PUBLISH = "textDocument/publishDiagnostics"

Message = dict[str, Any]


def floor(name: str, *arguments: str) -> tuple[str, ...]:
    """The command of a floor server."""
    return (sys.executable, str(FLOORS / f"{name}.py"), *arguments)


def environment(home: Path) -> dict[str, str]:
    """A home of its own and nothing of the user's but the path of programs."""
    home.mkdir(parents=True, exist_ok=True)
    paths = (str(ROOT / "server"), str(ROOT / "features"))
    return {
        "HOME": str(home), "XDG_CACHE_HOME": str(home / "cache"), "PATH": os.environ.get("PATH", os.defpath),
        "LANG": "C.UTF-8", "PYTHONPATH": os.pathsep.join(paths),
    }  # fmt: skip


@cache
def vscode() -> dict[str, Any]:
    """The abilities of VS Code as pytest-lsp recorded them: of the time before it pulled diagnostics."""
    from pygls.protocol import default_converter
    from pytest_lsp import client_capabilities

    found: dict[str, Any] = default_converter().unstructure(client_capabilities("visual-studio-code"))
    return found


def frame(message: Message) -> bytes:
    """``message`` as it is sent."""
    body = json.dumps({"jsonrpc": "2.0", **message}, ensure_ascii=False).encode()
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


class Session:
    """One server process, from its start to its end."""

    def __init__(self, command: Sequence[str], folder: Path, home: Path) -> None:
        self.folder = folder
        self._pending = bytearray()
        self._last_id = 0
        self.started = time.perf_counter()
        self.process = subprocess.Popen(
            command, cwd=folder, env=environment(home), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, bufsize=0,
        )  # fmt: skip

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stream in (self.process.stdin, self.process.stdout):
            assert stream is not None
            stream.close()
        self.process.kill()
        self.process.wait()

    def send(self, data: bytes) -> None:
        """Send frames."""
        assert self.process.stdin is not None
        self.process.stdin.write(data)

    def notify(self, method: str, params: Any) -> None:
        """Send a notification."""
        self.send(frame({"method": method, "params": params}))

    def request(self, method: str, params: Any) -> Any:
        """The result of a request."""
        number, data = self.asking(method, params)
        self.send(data)
        return self.answer(number).get("result")

    def asking(self, method: str, params: Any) -> tuple[int, bytes]:
        """A request that is not sent yet, and its number."""
        self._last_id += 1
        return self._last_id, frame({"id": self._last_id, "method": method, "params": params})

    def answer(self, number: int) -> Message:
        """The answer to the request of that number."""
        return self.until(lambda message: message.get("id") == number)

    def until(self, wanted: Callable[[Message], bool]) -> Message:
        """The next message that is ``wanted``; requests of the server are answered meanwhile.

        Raises:
            RuntimeError: the server ended.
        """
        while True:
            message = self._receive()
            if "id" in message and "method" in message:
                items = (message.get("params") or {}).get("items", ())
                result = [None for _ in items] if message["method"] == "workspace/configuration" else None
                self.send(frame({"id": message["id"], "result": result}))
            elif wanted(message):
                return message

    def diagnostics(self, uri: str, version: int | None = None) -> list[Any]:
        """The next diagnostics of ``uri``, of that version or a later one."""

        def fits(message: Message) -> bool:
            if message.get("method") != PUBLISH or message["params"]["uri"] != uri:
                return False
            return version is None or (message["params"].get("version") or 0) >= version

        found: list[Any] = self.until(fits)["params"]["diagnostics"]
        return found

    def initialize(self, capabilities: Mapping[str, Any] | None = None) -> Message:
        """The answer to ``initialize`` as VS Code would send it."""
        uri = self.folder.as_uri()
        params = {
            "processId": os.getpid(), "rootUri": uri, "locale": "en", "clientInfo": {"name": "benchmark"},
            "capabilities": vscode() if capabilities is None else capabilities,
            "workspaceFolders": [{"uri": uri, "name": self.folder.name}],
        }  # fmt: skip
        number, data = self.asking("initialize", params)
        self.send(data)
        return self.answer(number)

    def open(self, path: Path, text: str) -> str:
        """The URI of a document that was opened just now."""
        uri = path.as_uri()
        item = {"uri": uri, "languageId": "markdown", "version": 1, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": item})
        return uri

    def cpu(self) -> float:
        """Seconds of CPU of the process so far, all threads together; 0 where there is no /proc."""
        total = 0
        try:
            for task in Path(f"/proc/{self.process.pid}/task").iterdir():
                total += int((task / "schedstat").read_text().split()[0])
        except OSError:
            return 0.0
        return total / 1e9

    def memory(self, key: str = "VmRSS") -> float:
        """MiB of memory of the process; 0 where there is no /proc."""
        try:
            status = Path(f"/proc/{self.process.pid}/status").read_text()
        except OSError:
            return 0.0
        return next(int(line.split()[1]) / 1024 for line in status.split("\n") if line.startswith(f"{key}:"))

    def _receive(self) -> Message:
        pending = self._pending
        while (end := pending.find(b"\r\n\r\n")) < 0:
            self._fill()
        length = next(
            int(line.partition(b":")[2])
            for line in bytes(pending[:end]).split(b"\r\n")
            if line[:15].lower() == b"content-length:"
        )
        while len(pending) < end + 4 + length:
            self._fill()
        body = bytes(pending[end + 4 : end + 4 + length])
        del pending[: end + 4 + length]
        message = jsonio.loads(body)
        assert isinstance(message, dict)
        return message

    def _fill(self) -> None:
        assert self.process.stdout is not None
        data = os.read(self.process.stdout.fileno(), 1 << 16)
        if not data:
            raise RuntimeError(f"the server ended with {self.process.wait()}")
        self._pending += data
