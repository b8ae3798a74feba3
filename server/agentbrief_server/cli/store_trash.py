"""``agentbrief store trash list|restore [STORE]``: what lies in the trash of the stores; bring it back."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from agentbrief.jsonio import JsonValue
from agentbrief.maintenance.cleaned import StoreTrash
from agentbrief.report.store_trash_text import (
    restored_lines,
    restored_record,
    trash_lines,
    trash_record,
    would_restore_text,
)
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.store.place import StorePlace
from agentbrief.tasks.store.trash import restore, trash_of
from agentbrief_server.cli.console import CommandError, Console
from agentbrief_server.cli.session_given import caller, sessions_setup
from agentbrief_server.cli.store_given import add_store, named_stores, nothing_found


def add_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "what", metavar="list|restore", choices=("list", "restore"), help="list it, or bring it back"
    )
    add_store(parser)
    parser.add_argument(
        "--id",
        action="append",
        metavar="ID",
        help="what to bring back, by its id in the list (repeatable); none = all of it",
    )
    parser.add_argument(
        "--dry-run", action="store_true", help="say what would come back; exit code 1 if anything"
    )


def run(arguments: Namespace, console: Console) -> int:
    setup = sessions_setup(arguments, console)
    places = named_stores(arguments, setup, console)
    if not places:
        nothing_found(setup, console)
    if arguments.what == "list":
        return _list(arguments, setup, places, console)
    trashes = [(place, trash_of(setup.fs, place)) for place in places]
    wanted = frozenset(arguments.id or ())
    known = {name for _, trash in trashes for name in trash.ids}
    if unknown := sorted(wanted - known):
        raise CommandError(2, console.say("trash.unknown", id=unknown[0]))
    if arguments.dry_run:
        return _would(arguments, trashes, wanted, console)
    records: list[JsonValue] = []
    for place, trash in trashes:
        mine = sorted(wanted & trash.ids) if arguments.id else None
        if mine == []:
            continue
        restored = restore(setup.fs, place, caller(), mine)
        records.append({"storePath": place.path, **restored_record(restored)})
        if not arguments.json:
            console.lines(restored_lines(restored, console.locale))
    if arguments.json:
        console.json({"restored": records})
    return 0


def _list(
    arguments: Namespace, setup: SessionsSetup, places: tuple[StorePlace, ...], console: Console
) -> int:
    days = setup.settings.number("maintenance.trashDays") or 0
    trashes = [trash_of(setup.fs, place) for place in places]
    if arguments.json:
        console.json({"stores": [trash_record(trash, days, console.locale) for trash in trashes]})
        return 0
    for trash in trashes:
        console.lines(trash_lines(trash, console.locale))
    return 0


def _would(
    arguments: Namespace,
    trashes: list[tuple[StorePlace, StoreTrash]],
    wanted: frozenset[str],
    console: Console,
) -> int:
    files = sessions = copies = 0
    for _, trash in trashes:
        cleanups = [each for each in trash.cleanups if not wanted or each.record.id in wanted]
        ids = {each.record.id for each in cleanups}
        sessions += sum(each.sessions for each in cleanups)
        copies += sum(each.copies for each in cleanups)
        files += sum(each.renamed + each.files for each in cleanups)
        files += sum(file.cleanup not in ids and (not wanted or file.id in wanted) for file in trash.files)
    if arguments.json:
        console.json({"files": files, "sessions": sessions, "copies": copies})
    else:
        console.line(would_restore_text(files, sessions, copies, console.locale))
    return int(bool(files or sessions or copies))
