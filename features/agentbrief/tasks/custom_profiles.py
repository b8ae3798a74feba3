"""Which profiles of the user's own are there, and which were left out?

The setting ``customProfiles`` names their files. A fault leaves one profile out and nothing else.
"""

from __future__ import annotations

import os
from dataclasses import dataclass

from agentbrief.disk.read import FileBytes, read_bytes, real_roots
from agentbrief.disk.seam import FS
from agentbrief.disk.spelling import refused_spelling
from agentbrief.jsonio import JsonValue, line_of, loads
from agentbrief.profiles.custom import custom_profile
from agentbrief.profiles.load import ProfileError
from agentbrief.profiles.profile import AgentProfile
from agentbrief.tasks.settings import Settings

MOST_BYTES = 1 << 20
"""The largest file that is read: those of this package have some ten thousand bytes."""


@dataclass(frozen=True, slots=True)
class ProfileFault:
    """A file whose profile is left out.

    ``message`` is a message identifier, its arguments ``path`` and ``why`` (empty where there is no more to
    say); ``line`` the line of the fault, from 0, where it has one.
    """

    message: str
    path: str
    why: str = ""
    line: int = 0


def profile_paths(settings: Settings, home: str) -> tuple[str, ...]:
    """The files that the setting names, ``~/`` resolved, each once."""
    return tuple(
        dict.fromkeys(
            os.path.join(home, *each[2:].split("/")) if each.startswith("~/") else each
            for each in settings.strings("customProfiles")
        )
    )


def with_custom_profiles(settings: Settings, fs: FS, home: str) -> tuple[Settings, tuple[ProfileFault, ...]]:
    """``settings`` with the profiles of the user's own; of two with one identifier the first counts."""
    faults: list[ProfileFault] = []
    own: dict[str, str] = {}
    for path in profile_paths(settings, home):
        found = _profile_at(path, settings, fs)
        if isinstance(found, ProfileFault):
            faults.append(found)
        elif found.id in own:
            why = f"{found.id}.id: the profile in {own[found.id]} has the same identifier"
            faults.append(ProfileFault("custom-profile.wrong", path, why))
        else:
            own[found.id] = path
            settings = settings.with_profile(found)
    return settings, tuple(faults)


def _profile_at(path: str, settings: Settings, fs: FS) -> AgentProfile | ProfileFault:
    data = _data_at(path, fs)
    if isinstance(data, ProfileFault):
        return data
    value = data.value
    named = value.get("id") if isinstance(value, dict) else None
    version = settings.version(named) if isinstance(named, str) else None
    try:
        return custom_profile(value, os.path.basename(path), version)
    except ProfileError as error:
        return ProfileFault("custom-profile.wrong", path, str(error))


@dataclass(frozen=True, slots=True)
class _Json:
    value: JsonValue


def _data_at(path: str, fs: FS) -> _Json | ProfileFault:
    if refused_spelling(path) is not None or not os.path.isabs(path):
        return ProfileFault("custom-profile.not-absolute", path)
    try:
        # The user named this file: a link to it is followed wherever it leads.
        roots = real_roots(fs, (os.path.dirname(fs.real_path(path)),))
    except (OSError, ValueError):
        return ProfileFault("custom-profile.missing", path)
    found = read_bytes(fs, path, roots, MOST_BYTES)
    if found is None:
        return ProfileFault("custom-profile.missing", path)
    if not isinstance(found, FileBytes):
        return ProfileFault("custom-profile.unreadable", path, found.kind)
    try:
        return _Json(loads(found.data))
    except ValueError as error:
        return ProfileFault("custom-profile.not-json", path, str(error), line_of(error))
