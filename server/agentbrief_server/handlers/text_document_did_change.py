"""``textDocument/didChange``: the whole new text of an open file."""

from __future__ import annotations

from lsprotocol import types as lsp

from agentbrief_server.state import State
from agentbrief_server.uris import path_of


def handle(state: State, params: lsp.DidChangeTextDocumentParams) -> str | None:
    """The path of the file if it is one of ours."""
    path = path_of(params.text_document.uri)
    if path is None or not state.names.has(path):
        state.other_document_changed()
        return None
    state.changed()
    return path
