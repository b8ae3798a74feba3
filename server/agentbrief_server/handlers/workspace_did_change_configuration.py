"""``workspace/didChangeConfiguration``: null or the whole tree; a client that can be asked is asked."""

from __future__ import annotations

from lsprotocol import types as lsp

from agentbrief_server.brief_server import BriefServer
from agentbrief_server.pull import pull_settings, tell_warnings
from agentbrief_server.state import State


async def handle(state: State, params: lsp.DidChangeConfigurationParams, server: BriefServer) -> None:
    """Pull again, else take what was pushed."""
    if state.client.configuration:
        await pull_settings(state, server)
    else:
        state.configuration.take_pushed(params.settings)
        tell_warnings(state)
