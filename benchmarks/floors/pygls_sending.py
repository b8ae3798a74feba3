"""The floor under a large answer: pygls' own objects, its converter, and the json of the standard library."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer


class Sink:
    """Where frames go."""

    def __init__(self) -> None:
        self.octets = 0

    def write(self, data: bytes) -> None:
        self.octets += len(data)

    def close(self) -> None:
        pass


def server() -> tuple[LanguageServer, Sink]:
    """A server whose messages go nowhere."""
    found, sink = LanguageServer("floor", "0"), Sink()
    found.protocol.set_writer(sink)  # type: ignore[arg-type]
    return found, sink


def publish(ls: LanguageServer, rows: Sequence[tuple[int, str]]) -> None:
    """Send a diagnostic for each row: its line and its message."""
    ls.text_document_publish_diagnostics(
        lsp.PublishDiagnosticsParams(
            uri="file:///w/CLAUDE.md",
            version=1,
            diagnostics=[
                lsp.Diagnostic(
                    range=lsp.Range(lsp.Position(line, 0), lsp.Position(line, 9)),
                    message=message,
                    severity=lsp.DiagnosticSeverity.Warning,
                    source="floor",
                    code="floor",
                    code_description=lsp.CodeDescription(href="https://example.org/rules/floor.md"),
                    data={"profile": "floor"},
                )
                for line, message in rows
            ],
        )
    )


def answer(ls: LanguageServer, text: str) -> None:
    """Send a text as the result of a request."""
    protocol: Any = ls.protocol
    protocol._result_types[1] = protocol.get_result_type("workspace/executeCommand")
    protocol._send_response(1, {"text": text})
