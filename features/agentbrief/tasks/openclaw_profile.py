"""Which version of OpenClaw is here, which limits has its user set, and which profile follows from both?"""

from __future__ import annotations

from collections.abc import Mapping

from agentbrief.disk.seam import FS
from agentbrief.jsonio import JsonValue
from agentbrief.profiles.load import profile
from agentbrief.profiles.openclaw_data import for_version
from agentbrief.profiles.profile import AgentProfile
from agentbrief.profiles.strategies.openclaw import for_user
from agentbrief.sessions.agent_config import object_at, text_at, value_at, whole_number
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.settings import Settings
from agentbrief.text import utf16

NAME = "openclaw"


def openclaw_profile(config: Mapping[str, JsonValue], version: str | None) -> AgentProfile:
    """The profile for ``version`` (None: the newest known) with what the configuration sets."""
    base = profile(NAME)
    assert base.openclaw is not None
    defaults = object_at(config, "agents", "defaults")
    again = for_version(base.openclaw.reinjection, version)
    sections = value_at(defaults, "compaction", "postCompactionSections")
    named = tuple(name for name in sections if isinstance(name, str)) if isinstance(sections, list) else None
    most = whole_number(value_at(defaults, "contextLimits", "postCompactionMaxChars"), 1)
    most = most or whole_number(value_at(config, "contextLimits", "postCompactionMaxChars"), 1)
    return for_user(
        base,
        version,
        _limit(defaults.get("bootstrapMaxChars")),
        _limit(defaults.get("bootstrapTotalMaxChars")),
        named,
        most if again.time_line else None,
    )


def with_openclaw(settings: Settings, fs: FS, home: str, env: Mapping[str, str]) -> Settings:
    """``settings`` with OpenClaw's profile as its configuration on this machine makes it."""
    from agentbrief.tasks.store.place import config_of, state_folders

    setup = SessionsSetup(fs, (), settings, home, 0, env)
    config: Mapping[str, JsonValue] = {}
    for folder in state_folders(setup):
        if found := config_of(fs, folder).value:
            config = found
            break
    version = (
        settings.version(NAME) or utf16.trim(text_at(config, "meta", "lastTouchedVersion") or "") or None
    )
    return settings.with_profile(openclaw_profile(config, version))


def _limit(value: JsonValue) -> int | None:
    found = value if isinstance(value, int | float) and not isinstance(value, bool) else 0
    return max(1, int(found)) if 0 < found < float("inf") else None
