"""What does OpenClaw's own configuration on this machine make of its profile?

Looked at anew each time, read again only when the file is another one.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

from agentbrief.disk.look import Same
from agentbrief.disk.seam import FS
from agentbrief.tasks.openclaw_profile import with_openclaw
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.store.place import CONFIG_NAME, state_folders

if TYPE_CHECKING:
    from agentbrief.profiles.profile import AgentProfile
    from agentbrief.tasks.settings import Settings

_Stamp = tuple[str, int, int] | None
_known: dict[tuple[object, ...], AgentProfile] = {}
_MOST_KNOWN = 16


def with_own_settings(settings: Settings) -> Settings:
    """``settings`` with the profile of OpenClaw as its user has set it up."""
    home = os.path.expanduser("~")
    folders = state_folders(SessionsSetup(FS(), (), settings, home, 0, os.environ))
    key = (*(_stamp(folder) for folder in folders), settings.version("openclaw"))
    found = _known.get(key)
    if found is None:
        found = with_openclaw(settings, FS(), home, os.environ).profiles["openclaw"]
        if len(_known) >= _MOST_KNOWN:
            _known.clear()
        _known[key] = found
    return _with_profile(Same(settings), found)


@lru_cache(maxsize=64)
def _with_profile(settings: Same[Settings], found: AgentProfile) -> Settings:
    """The same object for the same settings and profile: what was concluded from it still holds."""
    return settings.value.with_profile(found)


def _stamp(folder: str) -> _Stamp:
    path = os.path.join(folder, CONFIG_NAME)
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return path, status.st_size, status.st_mtime_ns
