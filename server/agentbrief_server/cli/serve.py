"""``agentbrief serve``: the language server. What belongs to LSP is imported only when it is served."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from ipaddress import ip_address

from agentbrief_server.cli import over_stdio
from agentbrief_server.cli.console import CommandError, Console


def add_arguments(parser: ArgumentParser) -> None:
    way = parser.add_mutually_exclusive_group()
    way.add_argument("--stdio", action="store_true", help="standard input and output (the default)")
    way.add_argument("--tcp", metavar="HOST:PORT", help="one client over TCP; HOST is a loopback address")
    way.add_argument(
        "--ws", metavar="HOST:PORT", help="one client over a WebSocket; HOST is a loopback address"
    )


def run(arguments: Namespace, console: Console) -> int:
    if arguments.tcp is None and arguments.ws is None:
        over_stdio.serve()
    host, port = _loopback(arguments.tcp or arguments.ws, console)
    return _over_network(host, port, console, websocket=arguments.ws is not None)


def _over_network(host: str, port: int, console: Console, *, websocket: bool) -> int:
    from agentbrief_server.app import create
    from agentbrief_server.transport.sockets import MissingExtra, serve_tcp, serve_ws

    def ready(at: str, number: int) -> None:
        console.note(console.say("serve.ready", place=f"{at}:{number}"))

    try:
        (serve_ws if websocket else serve_tcp)(create(), host, port, ready)
    except MissingExtra as error:
        raise CommandError(2, console.say("serve.no-websocket")) from error
    except OSError as error:
        raise CommandError(
            3, console.say("serve.cannot-listen", place=f"{host}:{port}", reason=error.strerror or "")
        ) from error
    return 0


def _loopback(place: str, console: Console) -> tuple[str, int]:
    host, _, port = place.rpartition(":")
    host = host.strip("[]")
    try:
        is_loopback = host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        is_loopback = False
    if not is_loopback or not port.isdigit() or int(port) > 65535:
        raise CommandError(2, console.say("serve.not-loopback", place=place))
    return host, int(port)
