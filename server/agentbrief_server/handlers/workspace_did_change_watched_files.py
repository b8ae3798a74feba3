"""``workspace/didChangeWatchedFiles``: the client saw files change."""

from __future__ import annotations

from lsprotocol import types as lsp

from agentbrief_server.state import State, is_instruction_file
from agentbrief_server.uris import path_of


def handle(state: State, params: lsp.DidChangeWatchedFilesParams) -> bool:
    """Whether one of them matters.

    A new or removed instruction file, or another .gitignore, means that the folder is walked again.
    """
    matters = False
    for change in params.changes:
        path = path_of(change.uri)
        if path is None:
            continue
        ignore_file = path.endswith("/.gitignore")
        if is_instruction_file(path) or ignore_file:
            matters = True
            if ignore_file or change.type != lsp.FileChangeType.Changed:
                state.projects.pop(state.snapshot().folder_of(path) or "", None)
    return matters
