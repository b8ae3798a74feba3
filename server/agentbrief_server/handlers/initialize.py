"""``initialize``: what can the client do, which folders are open, which settings came along?"""

from __future__ import annotations

from collections.abc import Mapping

from lsprotocol import types as lsp

from agentbrief_server.client import client_of
from agentbrief_server.documents import BriefWorkspace
from agentbrief_server.state import State


def handle(
    state: State,
    params: lsp.InitializeParams,
    workspace: BriefWorkspace,
    storage: str | None,
    environment: Mapping[str, str],
) -> None:
    """Take what ``params`` say. Nothing is read and nothing is asked yet."""
    state.workspace = workspace
    state.storage = storage
    state.client = client_of(params, workspace.encoding, environment.get("AGENTBRIEF_LOCALE"))
    state.folders = workspace.folder_paths
    state.configuration.take_options(params.initialization_options, keeps_scopes=state.client.scopes)
    state.changed()
