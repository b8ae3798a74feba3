"""What do the common options mean? The set-up that tasks work with."""

from __future__ import annotations

import os
import time
from argparse import Namespace
from collections.abc import Iterable
from typing import TYPE_CHECKING

from agentbrief.disk.files import DiskFiles
from agentbrief.disk.read import Roots
from agentbrief.disk.seam import FS
from agentbrief.disk.spelling import refused_spelling
from agentbrief.jsonio import JsonValue, loads
from agentbrief.tasks.settings import AUTOMATIC, Settings, parse
from agentbrief_server.cli.console import CommandError, Console

if TYPE_CHECKING:
    from agentbrief.changes.apply import Site
    from agentbrief.tasks.setup import Setup


def absolute(path: str) -> str:
    """``path`` as an absolute one, ``..`` resolved lexically.

    Raises:
        CommandError: its spelling is refused.
    """
    if reason := refused_spelling(path):
        raise CommandError(2, f"{path!r} is refused: {reason}. Give a plain path of this system.")
    return os.path.abspath(os.path.expanduser(path) if path.startswith("~/") else path)


def existing_folder(path: str, console: Console) -> str:
    """The folder at ``path``, or that of the file at ``path``.

    Raises:
        CommandError: nothing is there.
    """
    found = absolute(path)
    if os.path.isdir(found):
        return found
    if os.path.exists(found):
        return os.path.dirname(found)
    raise CommandError(3, console.say("cli.no-such-path", path=found))


def settings_of(arguments: Namespace, console: Console, folder: str | None) -> Settings:
    """The settings of ``--config``, with the agents of ``--agent`` over them; ``auto`` is the one that
    ``folder`` is made for.

    A warning for each that does not hold.

    Raises:
        CommandError: the file cannot be read, is no JSON object, or an agent is not known.
    """
    user: dict[str, JsonValue] = {}
    if arguments.config is not None:
        user = _config(absolute(arguments.config), console)
    if arguments.agent:
        user["agents"] = list(arguments.agent)
    settings, warnings = parse(user)
    for warning in warnings:
        console.note(console.say(warning.message, key=warning.key))
    if settings.strings("customProfiles"):
        settings = _with_custom_profiles(settings, console)
    if arguments.agent:
        _require_rules(arguments.agent, settings, console)
    if settings.is_automatic:
        from agentbrief.tasks.automatic_agent import with_automatic

        settings = with_automatic(settings, DiskFiles(FS(), time.time_ns), folder)
    if "openclaw" in settings.strings("agents"):
        from agentbrief.tasks.openclaw_profile import with_openclaw

        settings = with_openclaw(settings, FS(), os.path.expanduser("~"), os.environ)
    return settings


def _require_rules(names: Iterable[str], settings: Settings, console: Console) -> None:
    from agentbrief.tasks.setup import agent_of, all_agents

    for name in names:
        if name != AUTOMATIC and agent_of(settings, name) is None:
            known = ", ".join((*(each.id for each in all_agents(settings)), AUTOMATIC))
            raise CommandError(2, console.say("agent-without-rules", name=name, known=known))


def _with_custom_profiles(settings: Settings, console: Console) -> Settings:
    """With the profiles of the user's own; a note for each that is left out."""
    from agentbrief.tasks.custom_profiles import with_custom_profiles

    found, faults = with_custom_profiles(settings, FS(), os.path.expanduser("~"))
    for fault in faults:
        console.note(console.say(fault.message, path=fault.path, why=fault.why))
    return found


def setup_of(arguments: Namespace, console: Console, folder: str | None, start: str | None = None) -> Setup:
    """The set-up of a command; ``folder`` bounds the walk where ``--workspace`` does not.

    ``start`` is where the agent is started, if nothing bounds the walk.
    """
    from agentbrief.tasks.setup import Setup

    bound = existing_folder(arguments.workspace, console) if arguments.workspace else folder
    files = DiskFiles(FS(), time.time_ns)
    return Setup(
        files, (bound,) if bound is not None else (), settings_of(arguments, console, bound or start)
    )


def site_of(store: str, also: Roots) -> Site:
    """Where changes are carried out: the lock lies in ``store``, files may be written below ``also`` too."""
    from agentbrief.changes.apply import Site
    from agentbrief.disk.lock import Caller

    return Site(FS(), os.path.realpath(store), Caller(os.getpid(), time.time_ns, time.sleep), also)


def _config(path: str, console: Console) -> dict[str, JsonValue]:
    try:
        with open(path, "rb") as file:
            value = loads(file.read())
    except OSError as error:
        raise CommandError(
            3, console.say("cli.unreadable", path=path, reason=error.strerror or "")
        ) from error
    except ValueError as error:
        raise CommandError(3, console.say("cli.not-json", path=path, reason=str(error))) from error
    if not isinstance(value, dict):
        raise CommandError(3, console.say("cli.not-json", path=path, reason="no object"))
    section = value.get("agentbrief")
    return section if isinstance(section, dict) else value
