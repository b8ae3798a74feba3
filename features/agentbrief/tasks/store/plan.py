"""What would a cleanup of a store do, by whose settings, and may it be done at all?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentbrief.jsonio import JsonValue
from agentbrief.maintenance.plan import plan_cleanup
from agentbrief.maintenance.settings import OPENCLAW_PLACE, SettingProblem
from agentbrief.maintenance.values import CleanupChoices, MaintenancePlan, Refusal
from agentbrief.sessions.agent_config import object_at
from agentbrief.sessions.store.newer_store import LiveDatabase
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.store.look import StoreLook, openclaw_data
from agentbrief.tasks.store.place import StoreConfig

OUR_PLACE = "agentbrief.maintenance"
"""Where our own settings stand."""

_KEYS = ("pruneAfter", "maxEntries", "rotateBytes", "maxDiskBytes", "highWaterBytes", "resetArchiveRetention")

ReadOnly = Literal["database", "config-not-read"]


@dataclass(frozen=True, slots=True)
class StorePlan:
    """A plan, or why there is none, and what a reader should know besides.

    ``read_only``: it may be shown and not carried out. ``is_remote``: the Gateway runs elsewhere, so this may
    be a copy that is out of date.
    """

    look: StoreLook
    plan: MaintenancePlan | Refusal
    read_only: ReadOnly | None = None

    @property
    def is_remote(self) -> bool:
        """Whether the machine that holds the truth is another one."""
        return self.look.place.config.is_remote

    @property
    def database(self) -> LiveDatabase | None:
        """The database in which a newer OpenClaw keeps the agent's sessions."""
        return self.look.database

    @property
    def applicable(self) -> MaintenancePlan | None:
        """The plan, if it may be carried out and would change something; also that of a preview."""
        plan = self.plan
        if self.read_only is not None or not isinstance(plan, MaintenancePlan) or not plan.items:
            return None
        return plan


def maintenance_of(config: StoreConfig, settings: Settings) -> tuple[JsonValue, str]:
    """The settings of a cleanup and the place they come from: OpenClaw's own where it has any, else ours."""
    session = object_at(config.value, "session")
    if session.get("maintenance") is not None:
        return session["maintenance"], OPENCLAW_PLACE
    return our_maintenance(settings), OUR_PLACE


def our_maintenance(settings: Settings) -> dict[str, JsonValue]:
    """Our own settings in the form of OpenClaw's; what is null is left to its default."""
    mode = settings.text("maintenance.mode")
    found: dict[str, JsonValue] = {"mode": "enforce" if mode == "enforce" else "warn"}
    for key in _KEYS:
        value = settings.values[f"maintenance.{key}"]
        if isinstance(value, bool | int | str):
            found[key] = value
    return found


def plan_of(look: StoreLook, settings: Settings, choices: CleanupChoices, now_ms: int) -> StorePlan:
    """The plan for one store, as it is and by its settings."""
    config = look.place.config
    value, place = maintenance_of(config, settings)
    data = openclaw_data().maintenance
    plan: MaintenancePlan | Refusal = plan_cleanup(
        look.folder, value, data, now_ms, choices=choices, guard=look.guard, place=place
    )
    if config.problem is not None:
        # Nobody knows how long this user keeps sessions: the defaults could take too much.
        problem = SettingProblem(config.path, "config-not-read")
        plan = Refusal(look.folder.agent_id, look.folder.store_path, (problem,))
        return StorePlan(look, plan, "config-not-read")
    return StorePlan(look, plan, "database" if look.database is not None else None)
