"""Bare pygls server: what pygls itself costs. One diagnostic, one hover, nothing else; all its defaults.

usage: pygls_server.py [--sync full|incremental] [--work none|chain] --work chain does chain_check.py's job at
each change, the same as stdlib_server.py. Other arguments are ignored (--stdio). Arguments are read by hand:
importing argparse would be part of the start that this program is there to measure.
"""

from __future__ import annotations

import sys

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer
from pygls.uris import to_fs_path


def option(name: str, default: str) -> str:
    return sys.argv[sys.argv.index(name) + 1] if name in sys.argv else default


sync = {"full": lsp.TextDocumentSyncKind.Full, "incremental": lsp.TextDocumentSyncKind.Incremental}
server = LanguageServer("pygls-floor", "0", text_document_sync_kind=sync[option("--sync", "full")])
chain = None
if option("--work", "none") == "chain":
    from chain_check import Chain

    chain = Chain()


def publish(ls: LanguageServer, uri: str) -> None:
    document = ls.workspace.get_text_document(uri)
    found = chain.check(to_fs_path(uri) or "", document.source) if chain else [(0, 0, 0, 1, "one")]
    ls.text_document_publish_diagnostics(
        lsp.PublishDiagnosticsParams(
            uri=uri,
            version=document.version,
            diagnostics=[
                lsp.Diagnostic(
                    range=lsp.Range(lsp.Position(line, start), lsp.Position(end_line, end)),
                    message=message,
                    severity=lsp.DiagnosticSeverity.Warning,
                    source="floor",
                    code="floor",
                )
                for line, start, end_line, end, message in found
            ],
        )
    )


@server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
def did_open(ls: LanguageServer, params: lsp.DidOpenTextDocumentParams) -> None:
    publish(ls, params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
def did_change(ls: LanguageServer, params: lsp.DidChangeTextDocumentParams) -> None:
    publish(ls, params.text_document.uri)


@server.feature(lsp.TEXT_DOCUMENT_HOVER)
def hover(ls: LanguageServer, params: lsp.HoverParams) -> lsp.Hover:
    return lsp.Hover(contents=lsp.MarkupContent(lsp.MarkupKind.Markdown, "**budget** 3,000 of 12,000"))


if __name__ == "__main__":
    server.start_io()
