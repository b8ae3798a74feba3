"""A server of a few features on our own classes: what the protocol tests talk to.

usage: tiny_server.py [--tcp | --ws] [--lock FILE] [--print-on-import] [--die-early]
"""

from __future__ import annotations

import os
import sys

from agentbrief_server.transport.start import claim_descriptors, importing

if os.environ.get("AGENTBRIEF_TIER") == "plain":
    sys.modules["orjson"] = None  # type: ignore[assignment]
    sys.modules["msgspec"] = None  # type: ignore[assignment]

OVER_STDIO = not {"--tcp", "--ws"} & set(sys.argv)
if OVER_STDIO:
    claim_descriptors()

with importing():
    import asyncio
    import ctypes
    import logging
    import time
    from contextlib import suppress
    from pathlib import Path
    from typing import Any

    if "--print-on-import" in sys.argv:
        from tests.protocol import prints_on_import  # noqa: F401

    import attrs
    from lsprotocol import types as lsp
    from pygls.exceptions import JsonRpcException

    from agentbrief_server import log
    from agentbrief_server.brief_server import BriefServer
    from agentbrief_server.snapshots import current_snapshot
    from agentbrief_server.transport.sockets import serve_tcp, serve_ws
    from agentbrief_server.transport.stdio import serve_stdio

server = BriefServer("tiny", "0")


@attrs.define
class Place:
    """An argument that is structured."""

    line_number: int = 0


def take_snapshot() -> object:
    workspace = server.protocol._workspace
    return dict(server.workspace.texts) if workspace is not None else None


server.take_snapshot = take_snapshot


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
async def hover(ls: BriefServer, params: lsp.HoverParams) -> lsp.Hover | None:
    texts = current_snapshot()
    path = params.text_document.uri.removeprefix("file://")
    text = texts.get(path) if isinstance(texts, dict) else None
    return lsp.Hover(text) if text is not None else None


@server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
def definition(ls: BriefServer, params: lsp.DefinitionParams) -> list[lsp.Location]:
    """Where the word at the position begins: client columns in, offsets, client columns out."""
    document = ls.workspace.document(params.text_document.uri)
    if document is None:
        return []
    offset = document.offset_of(params.position)
    place = lsp.Range(document.position_of(offset), document.position_of(len(document.text)))
    return [lsp.Location(document.uri, place)]


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
@server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
def did_open(ls: BriefServer, params: Any) -> None:
    uri = params.text_document.uri
    if uri.endswith("/raise.md"):
        raise ValueError(f"a bug that quotes {uri}")
    ls.protocol.notify("textDocument/publishDiagnostics", {"uri": uri, "diagnostics": []})


@server.feature("tiny/echo")
def echo(ls: BriefServer, params: dict[str, Any]) -> dict[str, Any]:
    return params


@server.feature("tiny/sleep")
async def sleep(ls: BriefServer, params: dict[str, Any]) -> str:
    await asyncio.sleep(params.get("seconds", 60))
    return "slept"


@server.feature("tiny/raise")
def raise_error(ls: BriefServer, params: dict[str, Any]) -> None:
    match params.get("kind"):
        case "expected":
            raise JsonRpcException("The disk is full; nothing was changed.", code=-32803, data={"a": 1})
        case "exit":
            sys.exit(3)
        case "silent":
            raise JsonRpcException("", code=-1)
        case _:
            raise ValueError(f"a bug that quotes {params}")


@server.feature("tiny/raiseLater")
async def raise_later(ls: BriefServer, params: dict[str, Any]) -> None:
    await asyncio.sleep(0)
    if params.get("kind") == "exit":
        sys.exit(3)
    raise ValueError(f"a bug that quotes {params}")


@server.feature("tiny/unwritable")
def unwritable(ls: BriefServer, params: dict[str, Any]) -> Any:
    return {"set": {1, 2}, "object": object()}


@server.feature("tiny/mixed")
def mixed(ls: BriefServer, params: dict[str, Any]) -> Any:
    return {"positions": [lsp.Position(1, 2)], "text": "é\ud83d🚀", "number": 2**70}


@server.feature("tiny/print")
def stray_output(ls: BriefServer, params: dict[str, Any]) -> str:
    print("a stray print")  # noqa: T201
    sys.stdout.flush()
    with suppress(OSError):
        os.write(1, b"Content-Length: 2\r\n\r\n{}")
    ctypes.CDLL(None).puts(b"from C")
    ctypes.CDLL(None).fflush(None)
    os.system("echo from a child; cat >/dev/null")
    return "printed"


@server.feature("tiny/ask")
async def ask(ls: BriefServer, params: dict[str, Any]) -> Any:
    """Ask the client something and give its answer."""
    method = params.get("method", "tiny/question")
    question = (
        lsp.ApplyWorkspaceEditParams(lsp.WorkspaceEdit()) if method == lsp.WORKSPACE_APPLY_EDIT else {"a": 1}
    )
    try:
        return {"answer": await ls.protocol.send_request_async(method, question)}
    except JsonRpcException as error:
        if params.get("pass"):
            raise
        return {"refused": error.code}


@server.feature("tiny/counts")
def counts(ls: BriefServer, params: dict[str, Any]) -> dict[str, int]:
    protocol = ls.protocol
    return {
        "futures": len(protocol._request_futures),
        "types": len(protocol._result_types),
        "tasks": len(asyncio.all_tasks()),
    }


@server.feature("tiny/hold")
def hold(ls: BriefServer, params: dict[str, Any]) -> str:
    """Take a lock, which the end of the process has to release."""
    lock = Path(params["lock"])
    lock.write_text("held", encoding="utf-8")
    ls.ending.before(lambda: lock.unlink(missing_ok=True))
    return "held"


@server.feature("tiny/block")
def block(ls: BriefServer, params: dict[str, Any]) -> None:
    """Keep the event loop busy, as a bug would."""
    time.sleep(params.get("seconds", 5))


@server.feature("tiny/verbose")
def verbose(ls: BriefServer, params: dict[str, Any]) -> None:
    log.set_verbose(True)
    logging.getLogger().setLevel(logging.DEBUG)


@server.feature("tiny/flood")
def flood(ls: BriefServer, params: dict[str, Any]) -> str:
    return "x" * int(params["bytes"])


@server.command("tiny.work")
async def work(ls: BriefServer, seconds: float = 5) -> str:
    """A command that works in a thread for a while."""
    await asyncio.to_thread(time.sleep, seconds)
    return "worked"


@server.command("tiny.place")
def place(ls: BriefServer, where: Place, other: Any = None) -> Any:
    return {"line": where.line_number, "other": other}


@server.command("tiny.any")
async def anything(*args: Any) -> list[Any]:
    return list(args)


if __name__ == "__main__":
    if OVER_STDIO:
        serve_stdio(server)

    def ready(host: str, port: int) -> None:
        print(port, flush=True)  # noqa: T201

    (serve_tcp if "--tcp" in sys.argv else serve_ws)(server, "127.0.0.1", 0, ready)
