"""Start a session of a store anew, as if its user had asked for that in the conversation.

The entry gets a new session, the old transcript is put away under a new name; both come back with undo
(openclaw.md 6.4, 6.6).
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from agentbrief.changes.apply import apply, undo
from agentbrief.changes.entry_edits import entry_edits
from agentbrief.changes.receipt import Receipt
from agentbrief.changes.steps import EditStore, RenameFile, Step
from agentbrief.disk.lock import Caller
from agentbrief.disk.refusal import Conflict
from agentbrief.disk.seam import FS
from agentbrief.disk.values import ReadProblem
from agentbrief.jsonio import JsonValue
from agentbrief.resume.session_end import SessionEnd, reset_session
from agentbrief.sessions.store.keys import agent_and_rest
from agentbrief.sessions.store.text import Removed
from agentbrief.tasks.store.look import (
    NOTHING_IN_USE,
    InUse,
    StoreLook,
    folder_at,
    is_locked,
    look_at,
    site_of,
    with_data,
)
from agentbrief.tasks.store.place import StorePlace

WhyNotReset = Literal["no-session", "running", "locked", "database", "not-a-store"]


@dataclass(frozen=True, slots=True)
class ResetPlan:
    """What a reset changes. ``refused`` None = it may be done; ``new_id`` is the session that begins."""

    look: StoreLook
    end: SessionEnd
    new_id: str
    old_id: str | None
    steps: tuple[Step, ...] = ()
    refused: WhyNotReset | None = None


def place_with(fs: FS, places: Iterable[StorePlace], key: str) -> StorePlace | None:
    """The store that has the session ``key``; else that of the agent it names; None where there is none."""
    named = agent_and_rest(key)
    of_agent: StorePlace | None = None
    for place in places:
        if named is not None and place.agent_id == named[0]:
            of_agent = of_agent or place
        folder = folder_at(fs, place)
        if not isinstance(folder, ReadProblem) and folder.store.get(key) is not None:
            return place
    return of_agent


def planned_reset(
    fs: FS, place: StorePlace, key: str, *, now_ms: int, new_id: str, in_use: InUse = NOTHING_IN_USE
) -> ResetPlan | ReadProblem:
    """What a reset of the session ``key`` would change; ``new_id`` is a new identifier.

    Raises:
        Refused: the store cannot be looked at.
    """
    found = look_at(fs, place, now_ms, in_use)
    if isinstance(found, ReadProblem):
        return found
    look, data = with_data(fs, found, now_ms, in_use)
    agent = place.agent_id
    config = place.config.value
    end = reset_session(look.folder, key, now_ms=now_ms, new_id=new_id, config=config, agent=agent)
    entry = look.folder.store.get(end.key)
    old_id = entry.session_id if entry is not None else None
    refused = _why_not(fs, look, end)
    if refused is not None:
        return ResetPlan(look, end, new_id, old_id, (), refused)
    values: dict[str, JsonValue] = {
        name: None if isinstance(value, Removed) else value for name, value in end.changes.items()
    }
    assert look.folder.store_stamp is not None
    store = os.path.join(look.folder.real_folder, look.folder.store_name)
    steps: list[Step] = [EditStore(store, entry_edits(data, values), look.folder.store_stamp)]
    stamps = {file.name: file.stamp for file in look.folder.files}
    for file in end.put_away:
        old, new = (os.path.join(look.folder.real_folder, name) for name in (file.name, file.new_name))
        steps.append(RenameFile(old, new, stamps[file.name]))
    return ResetPlan(look, end, new_id, old_id, tuple(steps))


def carry_out_reset(fs: FS, plan: ResetPlan, caller: Caller) -> Receipt:
    """The receipt of a reset.

    Raises:
        Refused: nothing was changed. ``Conflict`` if the session changed since the plan was made.
        ValueError: the plan was refused.
    """
    if plan.refused is not None:
        raise ValueError(plan.refused)
    folder = plan.look.folder

    def protected(step: Step) -> str | None:
        name = os.path.basename(step.path) if isinstance(step, RenameFile) else ""
        return "locked" if name and is_locked(fs, folder, name) else None

    site = site_of(fs, folder, caller)
    receipt = apply(site, plan.steps, protected=protected)
    if receipt.left_out or any(done.left_out for done in receipt.done):
        # Half a reset is none: a session has its transcript, or a new one.
        undo(site, receipt)
        raise Conflict(folder.store_path, "undone")
    return receipt


def _why_not(fs: FS, look: StoreLook, end: SessionEnd) -> WhyNotReset | None:
    if look.folder.store.problem is not None:
        return "not-a-store"
    if look.database is not None:
        return "database"
    if end.refused is not None:
        return "no-session"
    entry = look.folder.store.get(end.key)
    if entry is not None and entry.text("status") == "running":
        return "running"
    names = look.folder.files_of(entry) if entry is not None else ()
    return "locked" if any(is_locked(fs, look.folder, name) for name in names) else None
