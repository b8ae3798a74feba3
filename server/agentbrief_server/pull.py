"""How are settings asked of the client?"""

from __future__ import annotations

import asyncio

from agentbrief.messages import say
from agentbrief_server.brief_server import BriefServer
from agentbrief_server.config import SECTION
from agentbrief_server.log import LOG, set_verbose
from agentbrief_server.loose import as_list
from agentbrief_server.state import State
from agentbrief_server.uris import uri_of

LIMIT_S = 10.0


async def pull_settings(state: State, server: BriefServer) -> None:
    """Ask for the section of every folder and of none.

    A client that cannot, or answers badly, changes nothing.
    """
    if state.client.configuration:
        folders: tuple[str | None, ...] = (None, *state.folders)
        items = [{"section": SECTION, **({"scopeUri": uri_of(each)} if each else {})} for each in folders]
        try:
            asked = server.protocol.send_request_async("workspace/configuration", {"items": items})
            answer = await asyncio.wait_for(asyncio.shield(asked), LIMIT_S)
        except Exception as error:
            LOG.warning("the client gives no settings: %s", type(error).__name__)
        else:
            sections = as_list(answer)
            if len(sections) == len(folders):
                for folder, section in zip(folders, sections, strict=True):
                    state.configuration.take_workspace(folder, section)
    tell_warnings(state)


def tell_warnings(state: State) -> None:
    """Log each setting that does not hold, once, and let the log level follow the trace."""
    for folder in (None, *state.folders):
        for warning in state.configuration.new_warnings(folder):
            LOG.warning("%s", say("en", warning.message, key=warning.key))
    set_verbose(state.settings(None).text("trace.server") == "verbose")
