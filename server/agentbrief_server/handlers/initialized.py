"""``initialized``: ask for the settings, and to be told of changed files."""

from __future__ import annotations

from lsprotocol import types as lsp

from agentbrief_server.brief_server import BriefServer
from agentbrief_server.log import LOG
from agentbrief_server.pull import pull_settings
from agentbrief_server.state import State


async def handle(state: State, server: BriefServer) -> None:
    """Pull the settings and register for changes of files, each only where the client has it."""
    await pull_settings(state, server)
    if state.client.registers_watchers:
        await _register(state, server)


async def _register(state: State, server: BriefServer) -> None:
    bases = sorted({name.rsplit("/", 1)[-1] for name in state.names.listed})
    watchers = [{"globPattern": f"**/{name}"} for name in (*bases, ".gitignore")]
    registration = {
        "id": "agentbrief-watched-files",
        "method": lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES,
        "registerOptions": {"watchers": watchers},
    }
    try:
        await server.protocol.send_request_async(
            lsp.CLIENT_REGISTER_CAPABILITY, {"registrations": [registration]}
        )
    except Exception as error:
        LOG.warning("the client does not watch files: %s", type(error).__name__)
