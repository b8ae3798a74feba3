"""Which profiles of the user's own hold now?

Their files are looked at anew each time the settings are asked for, and read again only when one is another.
"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import TYPE_CHECKING

from agentbrief.disk.look import Same
from agentbrief.disk.seam import FS

if TYPE_CHECKING:
    from agentbrief.tasks.custom_profiles import ProfileFault
    from agentbrief.tasks.settings import Settings

_Stamp = tuple[int, int] | None


def with_custom(settings: Settings) -> Settings:
    """``settings`` with the user's own profiles; the same object as long as no file of them changed."""
    return read_profiles(settings)[0]


def profile_files(settings: Settings) -> tuple[str, ...]:
    """The files of the user's own profiles, whether they exist or not."""
    if not settings.strings("customProfiles"):
        return ()
    from agentbrief.tasks.custom_profiles import profile_paths

    return profile_paths(settings, os.path.expanduser("~"))


def read_profiles(settings: Settings) -> tuple[Settings, tuple[ProfileFault, ...]]:
    """``settings`` with them, and what is wrong with those that are left out; see :func:`with_custom`."""
    return _read_once(Same(settings), tuple(_stamp(path) for path in profile_files(settings)))


@lru_cache(maxsize=64)
def _read_once(
    settings: Same[Settings], stamps: tuple[_Stamp, ...]
) -> tuple[Settings, tuple[ProfileFault, ...]]:
    from agentbrief.tasks.custom_profiles import with_custom_profiles

    return with_custom_profiles(settings.value, FS(), os.path.expanduser("~"))


def _stamp(path: str) -> _Stamp:
    try:
        status = os.stat(path)
    except (OSError, ValueError):
        return None
    return status.st_size, status.st_mtime_ns
