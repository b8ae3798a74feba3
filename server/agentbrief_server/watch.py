"""What changed on disk? Events of the client and of watchdog, gathered.

Watched are the folders of the chains, of links' targets, of open stores and of the user's own profiles, never
a workspace as a whole and never recursively. The first event acts at once, those of the next 150 ms make one
more run. A lost event does no harm: every answer looks at the stamps first.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from agentbrief.instructions.place import folders_up
from agentbrief_server.custom_profiles import profile_files
from agentbrief_server.log import LOG
from agentbrief_server.state import Snapshot, State
from agentbrief_server.store.documents import is_store_document

if TYPE_CHECKING:
    from watchdog.observers.api import BaseObserver, ObservedWatch

GATHER_S = 0.15
MOST_FOLDERS = 64
"""The most folders that are watched, whatever the workspace.

Further ones are only looked at when they are asked about.
"""


class Watch:
    """The watched folders, and who is told that something in them changed."""

    def __init__(
        self,
        state: State,
        call_soon: Callable[..., object],
        changed: Callable[[], None],
        came_or_went: Callable[[str], None],
        store_changed: Callable[[], None],
        profiles_changed: Callable[[], None],
    ) -> None:
        self._state = state
        self._call_soon = call_soon
        self._changed = changed
        self._came_or_went = came_or_went
        self._store_changed = store_changed
        self._profiles_changed = profiles_changed
        self._profiles: frozenset[str] = frozenset()
        self._stores: frozenset[str] = frozenset()
        self._only_for_profiles: frozenset[str] = frozenset()
        self._observer: BaseObserver | None = None
        self._watches: dict[str, ObservedWatch] = {}
        self._waiting = False
        self._again = False

    @property
    def folders(self) -> frozenset[str]:
        """The folders that are watched."""
        return frozenset(self._watches)

    def event(self) -> None:
        """Something changed. Only on the event loop."""
        if self._waiting:
            self._again = True
            return
        self._waiting = True
        self._changed()
        asyncio.get_running_loop().call_later(GATHER_S, self._gathered)

    def _seen(self, path: str, came_or_went: bool) -> None:
        """An event of watchdog, on the event loop."""
        if path in self._profiles:
            self._profiles_changed()
            return
        if os.path.dirname(path) in self._only_for_profiles:
            return
        if os.path.dirname(path) in self._stores and path.endswith((".json", ".jsonl", ".lock")):
            # A transcript grows all the time: only names and the store itself are worth a look.
            if is_store_document(path) or (came_or_went and path.endswith(".jsonl")):
                self._store_changed()
            return
        if came_or_went and (self._state.names.has(path) or path.endswith(".gitignore")):
            self._came_or_went(path)
        self.event()

    def _gathered(self) -> None:
        self._waiting = False
        if self._again:
            self._again = False
            self.event()

    def follow(self, snapshot: Snapshot) -> None:
        """Watch the folders that matter now, and no others."""
        self._stores = frozenset(
            os.path.dirname(path) for path in snapshot.documents if is_store_document(path)
        )
        self._profiles = frozenset(profile_files(snapshot.settings_of(None)))
        others = {*_folders(snapshot), *self._stores}
        holders = {os.path.dirname(path) for path in self._profiles}
        self._only_for_profiles = frozenset(holders - others)
        wanted = others | {folder for folder in holders if snapshot.files.is_folder(folder)}
        if not wanted and self._observer is None:
            return
        if self._observer is None:
            self._observer = _observer()
            if self._observer is None:
                return
        for folder in set(self._watches) - wanted:
            self._observer.unschedule(self._watches.pop(folder))
        for folder in wanted - set(self._watches):
            self._schedule(folder)

    def stop(self) -> None:
        """Watch nothing any more."""
        if self._observer is not None:
            self._observer.stop()
            self._observer = None
            self._watches.clear()

    def _schedule(self, folder: str) -> None:
        from watchdog import events

        assert self._observer is not None
        wanted: list[type[Any]] = [
            events.FileCreatedEvent,
            events.FileModifiedEvent,
            events.FileDeletedEvent,
            events.FileMovedEvent,
            events.DirCreatedEvent,
            events.DirDeletedEvent,
            events.DirMovedEvent,
        ]
        handler: Any = _Handler(lambda path, came: self._call_soon(self._seen, path, came))
        try:
            self._watches[folder] = self._observer.schedule(
                handler, folder, recursive=False, event_filter=wanted
            )
        except OSError:
            LOG.warning("a folder cannot be watched")


class _Handler:
    """What watchdog calls, in a thread of its own."""

    def __init__(self, tell: Callable[[str, bool], object]) -> None:
        self._tell = tell

    def dispatch(self, event: Any) -> None:
        """Pass on where something happened, and whether a name came or went."""
        came_or_went = event.event_type != "modified"
        self._tell(os.fsdecode(event.src_path), came_or_went)
        if getattr(event, "dest_path", ""):
            self._tell(os.fsdecode(event.dest_path), came_or_went)


def _observer() -> BaseObserver | None:
    try:
        from watchdog.observers import Observer
    except ImportError:
        LOG.warning("watchdog is not there: changes on disk are seen when a file is asked about")
        return None
    observer = Observer()
    observer.daemon = True
    try:
        observer.start()
    except OSError:
        LOG.warning("no folder can be watched on this system")
        return None
    return observer


def _folders(snapshot: Snapshot) -> Iterable[str]:
    """The folders of the chains of open files and of the workspace folders, nearest first, and their
    ``.claude`` folders.
    """
    found: dict[str, None] = {}
    starts = [os.path.dirname(path) for path in snapshot.documents if snapshot.folder_of(path) is not None]
    further = [start for project in snapshot.projects.values() for start in project.starts]
    for folder in (*starts, *snapshot.folders, *further):
        bound = snapshot.folder_of(folder) or folder
        for each in folders_up(folder, bound):
            for candidate in (each, os.path.join(each, ".claude"), os.path.join(each, ".claw")):
                if len(found) < MOST_FOLDERS and snapshot.files.is_folder(candidate):
                    found[candidate] = None
    return found
