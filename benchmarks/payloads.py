"""L4: large messages on their way out, against pygls' own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from agentbrief_server.brief_server import BriefServer
from benchmarks.floors import pygls_sending
from benchmarks.goals import Goal, against
from benchmarks.inputs import Bench
from benchmarks.measure import Method, by_turns, inside

COUNT, CHARACTERS, TIMES = 1_000, 1_000_000, 5
CHINESE = "每个规则只写一次，写在所有人都读得到的地方。\n"
LIMIT = 0.25


def area(bench: Bench) -> Iterator[Goal]:
    """The goal L4."""
    rows = [(number, f"rule {number} is longer than what the agent reads of it") for number in range(COUNT)]
    text = (CHINESE * (CHARACTERS // len(CHINESE) + 1))[:CHARACTERS]
    theirs, their_sink = pygls_sending.server()
    ours, our_sink = BriefServer(), pygls_sending.Sink()
    ours.protocol.set_writer(our_sink)  # type: ignore[arg-type]
    protocol: Any = ours.protocol
    methods: dict[str, Method] = {
        "pygls, diagnostics": repeated(lambda: pygls_sending.publish(theirs, rows)),
        "ours, diagnostics": repeated(lambda: publish(protocol, rows)),
        "pygls, text": repeated(lambda: pygls_sending.answer(theirs, text)),
        "ours, text": repeated(lambda: protocol._send_response(1, {"text": text})),
    }
    samples = by_turns(methods, bench.rounds)
    what = f"{COUNT:,} diagnostics"
    yield against("L4", what, samples, "ours, diagnostics", "pygls, diagnostics", LIMIT)
    what = f"{CHARACTERS:,} characters of Chinese"
    yield against("L4", what, samples, "ours, text", "pygls, text", LIMIT)
    size = (octets(lambda: pygls_sending.answer(theirs, text), their_sink),
            octets(lambda: protocol._send_response(1, {"text": text}), our_sink))  # fmt: skip
    yield Goal(
        "L4", "the same on the wire", f"pygls {size[0] / 1e6:.2f} MB", f"ours {size[1] / 1e6:.2f} MB",
        size[1] / size[0],
    )  # fmt: skip


def repeated(work: Callable[[], object]) -> Method:
    """``work`` often enough for the clock."""

    def often() -> None:
        for _ in range(TIMES):
            work()

    return inside(often)


def publish(protocol: Any, rows: list[tuple[int, str]]) -> None:
    """The same diagnostics as plain dictionaries, as ``to_lsp`` makes them."""
    found = [
        {
            "range": {"start": {"line": line, "character": 0}, "end": {"line": line, "character": 9}},
            "severity": 2,
            "code": "floor",
            "codeDescription": {"href": "https://example.org/rules/floor.md"},
            "source": "floor",
            "message": message,
            "data": {"profile": "floor"},
        }
        for line, message in rows
    ]
    params = {"uri": "file:///w/CLAUDE.md", "diagnostics": found, "version": 1}
    protocol.notify("textDocument/publishDiagnostics", params)


def octets(send: Callable[[], object], sink: pygls_sending.Sink) -> int:
    before = sink.octets
    send()
    return sink.octets - before
