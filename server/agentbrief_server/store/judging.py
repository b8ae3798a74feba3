"""What do the rules say of an open store, or of the configuration of OpenClaw, as the editor has it?"""

from __future__ import annotations

import os
from dataclasses import dataclass, field, replace

from agentbrief.disk.refusal import Refused
from agentbrief.disk.values import ReadProblem
from agentbrief.maintenance.values import CleanupChoices
from agentbrief.rules.finding import Finding
from agentbrief.sessions.store.names import STORE_NAME
from agentbrief.sessions.store.spans import StoreSpans, store_spans
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.store.look import StoreLook, look_at
from agentbrief.tasks.store.place import StorePlace, open_config, stores
from agentbrief.tasks.store.plan import StorePlan, plan_of
from agentbrief.tasks.store.scene import judged, scene_of, with_text
from agentbrief_server.findings import MOST_A_FILE
from agentbrief_server.state import Snapshot
from agentbrief_server.store.commands import in_use_of, stores_setup


@dataclass(frozen=True, slots=True)
class StoreSeen:
    """An open document as it was judged. ``plan`` is of the store with the editor's text in it; a

    configuration has neither ``plan`` nor ``spans``.
    """

    text: str = field(repr=False)
    findings: tuple[Finding, ...]
    plan: StorePlan | None = None
    spans: StoreSpans | None = None


def judge_document(snapshot: Snapshot, path: str) -> StoreSeen | None:
    """What was found in the open document at ``path``; None where it is no store that may be looked at.

    In a worker.
    """
    document = snapshot.documents.get(path)
    setup = stores_setup(snapshot)
    if document is None or not setup.settings.flag("enable"):
        return None
    known = stores(setup)
    is_store = os.path.basename(path) == STORE_NAME
    mine = [place for place in known if path in (place.path, place.config.path)]
    if not mine:
        return None
    text = document.text
    looks = [look for place in mine if (look := _look(snapshot, setup, place)) is not None]
    found = [
        each
        for look in looks
        for each in judged(scene_of(look, setup.settings, text if is_store else None), setup.settings)
    ]
    here = tuple(dict.fromkeys(each for each in found if each.path == path))[:MOST_A_FILE]
    if not is_store:
        return StoreSeen(text, here)
    return StoreSeen(text, here, _plan(setup, looks[0], text) if looks else None, store_spans(text))


def _look(snapshot: Snapshot, setup: SessionsSetup, place: StorePlace) -> StoreLook | None:
    try:
        found = look_at(setup.fs, _with_config(snapshot, place), setup.now_ms, in_use_of(snapshot))
    except Refused:
        return None
    return None if isinstance(found, ReadProblem) else found


def _plan(setup: SessionsSetup, look: StoreLook, text: str) -> StorePlan:
    edited = replace(look, folder=with_text(look.folder, text))
    return plan_of(edited, setup.settings, CleanupChoices(dry_run=True), setup.now_ms)


def _with_config(snapshot: Snapshot, place: StorePlace) -> StorePlace:
    """``place`` with its configuration as an editor has it."""
    path = place.config.path
    return replace(place, config=open_config(snapshot.files, path)) if path in snapshot.documents else place
