"""Floor under any Python language server: a blocking loop over stdin, dicts, no typed classes, no event loop.

usage: stdlib_server.py [--json stdlib|orjson] [--work none|chain]
It says what pygls_server.py says. Full sync only. Other arguments are ignored (--stdio).
Arguments are read by hand: importing argparse would cost a third more.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = (
    False  # type checkers take it for true; importing typing costs a third of this program's start
)
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any


def option(name: str, default: str) -> str:
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


loads: Callable[[bytes], Any]
dumps: Callable[[Any], bytes]
if option("--json", "stdlib") == "orjson":
    import orjson

    loads, dumps = orjson.loads, orjson.dumps
else:
    import json

    loads, dumps = json.loads, lambda value: json.dumps(value).encode()

chain = None
if option("--work", "none") == "chain":
    from chain_check import Chain

    chain = Chain()

source, sink = sys.stdin.buffer, sys.stdout.buffer
METHOD_NOT_FOUND = -32601


def send(**message: Any) -> None:
    body = dumps({"jsonrpc": "2.0", **message})
    sink.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sink.flush()


def receive() -> Any:
    length = 0
    while True:
        header = source.readline()
        if not header:
            raise SystemExit(1)
        if header == b"\r\n":
            return loads(source.read(length))
        if header[:15].lower() == b"content-length:":
            length = int(header[15:])


def publish(uri: str, version: int, text: str) -> None:
    found = chain.check(uri.removeprefix("file://"), text) if chain else [(0, 0, 0, 1, "one")]
    send(
        method="textDocument/publishDiagnostics",
        params={
            "uri": uri,
            "version": version,
            "diagnostics": [
                {
                    "range": {
                        "start": {"line": line, "character": start},
                        "end": {"line": end_line, "character": end},
                    },
                    "message": message,
                    "severity": 2,
                    "source": "floor",
                    "code": "floor",
                }
                for line, start, end_line, end, message in found
            ],
        },
    )


def main() -> int:
    stopping = False
    while True:
        message = receive()
        method, params = message.get("method"), message.get("params")
        if method == "initialize":
            capabilities = {"textDocumentSync": {"openClose": True, "change": 1}, "hoverProvider": True}
            send(id=message["id"], result={"capabilities": capabilities})
        elif method == "textDocument/didOpen":
            document = params["textDocument"]
            publish(document["uri"], document["version"], document["text"])
        elif method == "textDocument/didChange":
            document = params["textDocument"]
            publish(document["uri"], document["version"], params["contentChanges"][-1]["text"])
        elif method == "textDocument/hover":
            send(
                id=message["id"],
                result={"contents": {"kind": "markdown", "value": "**budget** 3,000 of 12,000"}},
            )
        elif method == "shutdown":
            stopping = True
            send(id=message["id"], result=None)
        elif method == "exit":
            return 0 if stopping else 1
        elif method is not None and "id" in message:
            send(id=message["id"], error={"code": METHOD_NOT_FOUND, "message": method})


if __name__ == "__main__":
    raise SystemExit(main())
