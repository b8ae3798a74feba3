"""What is a cleanup made of? Plans as values: they can be printed, compared and thrown away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from agentbrief.disk.values import Stamp
from agentbrief.maintenance.settings import MaintenanceSettings, SettingProblem
from agentbrief.sessions.store.entries import StoreEntry

ItemAction = Literal["drop-entry", "archive", "trash", "rotate"]
EntryAction = Literal["keep", "prune-missing", "prune-stale", "cap-overflow", "evict-budget"]
Reason = Literal[
    "prune-missing",
    "prune-stale",
    "cap-overflow",
    "evict-budget",
    "archive-expired",
    "unreferenced",
    "store-too-large",
    "store-copy-old",
    "cron-expired",
]
Protection = Literal["active", "open", "running", "locked", "recent", "future", "parent-of-live-fork"]


class PlanItem(NamedTuple):
    """One thing to do.

    ``what`` is the key of an entry or the name of a file in the folder of the store, ``size`` its bytes, and
    ``freed`` what the folder shrinks by (negative for a copy). ``new_name`` is where an archived file or a
    copy goes, ``key`` the session a file belongs to; ``stamp`` and ``entry`` are what was planned on.
    """

    action: ItemAction
    what: str
    reason: Reason
    size: int
    freed: int
    key: str | None = None
    new_name: str | None = None
    stamp: Stamp | None = None
    entry: StoreEntry | None = None


@dataclass(frozen=True, slots=True)
class Spared:
    """A key or a file name that a stage would have taken, and why it stays."""

    what: str
    is_key: bool
    why: Protection
    reason: Reason


@dataclass(frozen=True, slots=True)
class StayingFile:
    """A file that keeps the folder above its target."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class DiskBudget:
    """What the budget came to, in bytes; ``freed_bytes`` counts files only.

    ``staying`` are the largest files that are left where the target is not reached.
    """

    total_bytes_before: int
    total_bytes_after: int
    removed_files: int
    removed_entries: int
    freed_bytes: int
    max_bytes: int
    high_water_bytes: int
    staying: tuple[StayingFile, ...] = ()

    @property
    def over_budget(self) -> bool:
        """Whether the folder was too large before."""
        return self.total_bytes_before > self.max_bytes


@dataclass(frozen=True, slots=True)
class Guard:
    """What is known to be in use when a plan is made.

    ``locked_files`` are the names of files whose lock belongs to a living process, ``fork_parents`` file
    name of a fork → file name of its parent, by the headers of transcripts.
    """

    active_key: str | None = None
    open_session_ids: frozenset[str] = frozenset()
    open_files: frozenset[str] = frozenset()
    locked_files: frozenset[str] = frozenset()
    fork_parents: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)


@dataclass(frozen=True, slots=True)
class CleanupChoices:
    """What was asked for. ``enforce`` is the mode for this run; ``dry_run`` shows what it would do."""

    dry_run: bool = False
    enforce: bool = False
    fix_missing: bool = False


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why no plan was made: everything that is wrong."""

    agent_id: str
    store_path: str
    problems: tuple[SettingProblem, ...]


@dataclass(frozen=True, slots=True)
class MaintenancePlan:
    """What a cleanup of one store would do. Counts are sessions, sizes bytes of the folder.

    ``asks_first`` is set when the clock seems to have jumped: no time in the folder is near it.
    """

    agent_id: str
    store_path: str
    policy: MaintenanceSettings
    choices: CleanupChoices
    now_ms: int
    items: tuple[PlanItem, ...]
    spared: tuple[Spared, ...]
    actions: Mapping[str, EntryAction] = field(hash=False)
    before_count: int
    after_count: int
    bytes_before: int
    bytes_after: int
    budget: DiskBudget | None
    asks_first: bool = False

    @property
    def applies(self) -> bool:
        """Whether the plan may be carried out: not in a preview, and not in mode warn."""
        enforced = self.choices.enforce or self.policy.mode == "enforce"
        return enforced and not self.choices.dry_run

    def count(self, action: EntryAction) -> int:
        """How many sessions have that fate."""
        return sum(found == action for found in self.actions.values())

    def files(self, reason: Reason) -> tuple[PlanItem, ...]:
        """The items on files for that reason."""
        return tuple(item for item in self.items if item.reason == reason and item.action != "drop-entry")
