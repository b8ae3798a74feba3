"""Which pages tell of stores: how they stand, what a cleanup would do, the trash, what is wrong?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from agentbrief.disk.read import read_text
from agentbrief.disk.refusal import Refused
from agentbrief.disk.values import FileText
from agentbrief.maintenance.cleaned import StoreTrash
from agentbrief.redact import escape_markdown
from agentbrief.report.store_cleanup_text import cleanup_page
from agentbrief.report.store_doctor import Diagnosis, doctor_page
from agentbrief.report.store_facts import StoreFacts
from agentbrief.report.store_status_text import status_page
from agentbrief.report.store_trash_text import trash_page
from agentbrief.tasks.store.doctor import diagnosis, other_stores
from agentbrief.tasks.store.look import StoreLook, readable
from agentbrief.tasks.store.place import StorePlace, stores
from agentbrief.tasks.store.status import Wanted, store_status
from agentbrief.tasks.store.trash import trash_of
from agentbrief_server.host_zone import HostZone
from agentbrief_server.sessions.commands import desk_of
from agentbrief_server.sessions.place import is_plain
from agentbrief_server.state import Snapshot
from agentbrief_server.store.commands import (
    in_use_of,
    looked_at,
    named_stores,
    previewed,
    stores_setup,
    with_own,
)


def cleanup_text(snapshot: Snapshot, about: Mapping[str, str]) -> str:
    """The preview of ``token``; once it is gone, what a cleanup would do now.

    Raises:
        KeyError: there is no such store.
    """
    preview = desk_of(snapshot).stores.previews.at(about.get("token", ""))
    if preview is None:
        setup, locale = stores_setup(snapshot), snapshot.client.locale
        places, in_use = _places(about, stores(setup)), in_use_of(snapshot)
        missing, cron = about.get("missing") == "true", about.get("cron") == "true"
        preview = previewed(setup, places, in_use, locale, fix_missing=missing, cron=cron)
    return cleanup_page([each.report for each in preview.stores], snapshot.client.locale, preview.unread)


def trash_text(snapshot: Snapshot, about: Mapping[str, str]) -> str:
    """What lies in the trash.

    Raises:
        KeyError: there is no such store, or its folder may not be looked at.
    """
    known = with_own(snapshot, stores(stores_setup(snapshot)))
    return trash_page(trashes(snapshot, _places(about, known)), snapshot.client.locale)


def status_text(snapshot: Snapshot, about: Mapping[str, str]) -> str:
    """How the stores and their sessions stand; with ``key`` one session in full.

    Raises:
        KeyError: there is no such store.
    """
    found, unread = facts_of(snapshot, _places(about, stores(stores_setup(snapshot))), about.get("key"))
    return _with(unread, status_page(found, stores_setup(snapshot).now_ms, snapshot.client.locale))


def doctor_text(snapshot: Snapshot, about: Mapping[str, str]) -> str:
    """What is wrong with the stores.

    Raises:
        KeyError: there is no such store.
    """
    found, unread = diagnoses(snapshot, _places(about, stores(stores_setup(snapshot))))
    return _with(unread, doctor_page(found, snapshot.client.locale))


def trashes(snapshot: Snapshot, places: Iterable[StorePlace]) -> list[StoreTrash]:
    """The trash of each store. In a worker.

    Raises:
        KeyError: a folder may not be looked at.
    """
    setup = stores_setup(snapshot)
    try:
        return [trash_of(setup.fs, place) for place in places]
    except Refused as refusal:
        raise KeyError(refusal.where) from refusal


def facts_of(
    snapshot: Snapshot, places: Iterable[StorePlace], key: str | None
) -> tuple[list[StoreFacts], list[str]]:
    """How each store stands, and sentences on those that cannot be read. In a worker."""
    setup = stores_setup(snapshot)
    looks, unread = _looks(snapshot, places)
    found = [
        store_status(setup.fs, look, setup.settings, setup.now_ms, HostZone(), Wanted(key=key))
        for look in looks
    ]
    return [each for each in found if key is None or each.sessions], unread


def diagnoses(snapshot: Snapshot, places: Iterable[StorePlace]) -> tuple[list[Diagnosis], list[str]]:
    """What is wrong with each store, and sentences on those that cannot be read. In a worker."""
    setup = stores_setup(snapshot)
    looks, unread = _looks(snapshot, places)
    paths = {look.place.path for look in looks}
    others, _ = _looks(snapshot, (place for place in stores(setup) if place.path not in paths))
    found: list[Diagnosis] = []
    for look in looks:
        read = read_text(setup.fs, look.place.path, readable(setup.fs, look.place))
        text = read.text if isinstance(read, FileText) else None
        around = other_stores((*looks, *others), look)
        found.append(
            diagnosis(setup.fs, look, setup.settings, setup.now_ms, HostZone(), text=text, others=around)
        )
    return found, unread


def _looks(snapshot: Snapshot, places: Iterable[StorePlace]) -> tuple[list[StoreLook], list[str]]:
    setup, locale, in_use = stores_setup(snapshot), snapshot.client.locale, in_use_of(snapshot)
    found = [looked_at(setup, place, locale, in_use) for place in places]
    return (
        [each for each in found if not isinstance(each, str)],
        [each for each in found if isinstance(each, str)],
    )


def _places(about: Mapping[str, str], known: tuple[StorePlace, ...]) -> tuple[StorePlace, ...]:
    path = about.get("path")
    if path is not None and not is_plain(path):
        raise KeyError(path)
    found = named_stores(known, path)
    if path is not None and not found:
        raise KeyError(path)
    return found


def _with(unread: Iterable[str], page: str) -> str:
    head, _, rest = page.partition("\n")
    return "\n\n".join((head, *map(escape_markdown, unread))) + "\n" + rest
