"""``agentbrief/didChangeTrust``: the user trusts the workspace now, or no longer."""

from __future__ import annotations

from typing import Any

from agentbrief_server.loose import as_object
from agentbrief_server.state import State


def handle(state: State, params: Any) -> None:
    """Anything but a plain true is no trust."""
    state.configuration.set_trusted(as_object(params).get("trusted") is True)
    state.changed()
