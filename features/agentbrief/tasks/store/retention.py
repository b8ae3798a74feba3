"""After how many days without a message does OpenClaw itself remove a session of a store?"""

from __future__ import annotations

import os

from agentbrief.maintenance.settings import MaintenanceSettings, maintenance_settings
from agentbrief.sessions.agent_config import object_at
from agentbrief.sessions.store.names import STORE_NAME
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.store.look import openclaw_data
from agentbrief.tasks.store.place import store_at

_DAY_MS = 86_400_000


def removed_after_days(setup: SessionsSetup, folder: str) -> int | None:
    """The days, rounded up, for the store in ``folder``; None: OpenClaw only warns, or nobody knows.

    Source: openclaw.md 7.1; the mode that removes has to be set in OpenClaw's own configuration.
    """
    config = store_at(setup, os.path.join(folder, STORE_NAME)).config
    if config.problem is not None:
        return None
    value = object_at(config.value, "session").get("maintenance")
    found = maintenance_settings(value, openclaw_data().maintenance)
    if not isinstance(found, MaintenanceSettings) or found.mode != "enforce":
        return None
    return -(-found.prune_after_ms // _DAY_MS)
