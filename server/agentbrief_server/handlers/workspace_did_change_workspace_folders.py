"""``workspace/didChangeWorkspaceFolders``: other folders are open now."""

from __future__ import annotations

from lsprotocol import types as lsp

from agentbrief_server.state import State


def handle(state: State, params: lsp.DidChangeWorkspaceFoldersParams) -> None:
    """Take the folders; pygls has changed its own list before."""
    if state.workspace is not None:
        state.folders = state.workspace.folder_paths
        state.changed()
