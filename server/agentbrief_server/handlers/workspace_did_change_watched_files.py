"""``workspace/didChangeWatchedFiles``: the client saw files change."""

from __future__ import annotations

from collections.abc import Callable

from lsprotocol import types as lsp

from agentbrief_server.state import State
from agentbrief_server.uris import path_of


def handle(
    state: State, params: lsp.DidChangeWatchedFilesParams, came_or_went: Callable[[str], None]
) -> bool:
    """Whether one of them matters.

    A new or removed instruction file, or another .gitignore, means that the folder is walked again.
    """
    matters = False
    for change in params.changes:
        path = path_of(change.uri)
        if path is None:
            continue
        ignore_file = path.endswith("/.gitignore")
        if state.names.has(path) or ignore_file:
            matters = True
            if ignore_file or change.type != lsp.FileChangeType.Changed:
                came_or_went(path)
    return matters
