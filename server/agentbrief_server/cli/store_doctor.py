"""``agentbrief store doctor [STORE]``: what is wrong with the stores, and what helps against each fault."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from agentbrief.disk.values import FileText
from agentbrief.report.store_doctor import LEVELS, Diagnosis, doctor_lines, doctor_record
from agentbrief.tasks.store.doctor import diagnosis, other_stores
from agentbrief.tasks.store.look import readable
from agentbrief.tasks.store.place import stores
from agentbrief_server.cli.console import Console
from agentbrief_server.cli.session_given import sessions_setup
from agentbrief_server.cli.store_given import add_store, looked_at, named_stores, nothing_found
from agentbrief_server.host_zone import HostZone


def add_arguments(parser: ArgumentParser) -> None:
    add_store(parser)
    parser.add_argument(
        "--fail-on",
        choices=("error", "warning", "information", "never"),
        default="warning",
        help="the lowest severity that makes the exit code 1",
    )


def run(arguments: Namespace, console: Console) -> int:
    from agentbrief.disk.read import read_text

    setup = sessions_setup(arguments, console)
    places = named_stores(arguments, setup, console)
    if not places:
        nothing_found(setup, console)
    everywhere = {place.path: place for place in (*places, *stores(setup))}
    looks = {path: looked_at(setup, place, console) for path, place in everywhere.items()}
    found: list[Diagnosis] = []
    for place in places:
        look = looks[place.path]
        read = read_text(setup.fs, place.path, readable(setup.fs, place))
        found.append(
            diagnosis(
                setup.fs,
                look,
                setup.settings,
                setup.now_ms,
                HostZone(),
                text=read.text if isinstance(read, FileText) else None,
                others=other_stores(looks.values(), look),
            )
        )
    if arguments.json:
        console.json({"stores": [doctor_record(each, console.locale) for each in found]})
    else:
        for each in found:
            console.lines(doctor_lines(each, console.locale))
    return _exit_code(found, arguments.fail_on)


def _exit_code(found: list[Diagnosis], fail_on: str) -> int:
    if fail_on == "never":
        return 0
    counting = LEVELS[: LEVELS.index(fail_on) + 1]
    return int(any(each.severity in counting for one in found for each in one.complaints))
