"""What do the rules on stores see of one store, and what do they find?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from agentbrief.compaction.openclaw.flush import flush_never_runs, flush_settings
from agentbrief.compaction.openclaw.settings import pi_compaction, reserve
from agentbrief.disk.values import Stamp
from agentbrief.jsonio import JsonValue
from agentbrief.maintenance.settings import MaintenanceSettings, maintenance_settings
from agentbrief.profiles.load import profile
from agentbrief.profiles.openclaw_data import is_since
from agentbrief.rules.finding import Finding
from agentbrief.rules.registry import check_store
from agentbrief.rules.store_scene import FlushFacts, SettingFault, StoreScene, StoreTranscript
from agentbrief.sessions.agent_config import object_at
from agentbrief.sessions.store.entries import Store, read_store
from agentbrief.sessions.store.folder import StoreFolder
from agentbrief.sessions.store.health import store_findings
from agentbrief.sessions.store.openclaw_version import AgentVersion, openclaw_version
from agentbrief.sessions.store.spans import error_place
from agentbrief.tasks.judge import with_severity
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.store.look import StoreLook, openclaw_data
from agentbrief.tasks.store.place import StoreConfig
from agentbrief.text.span import Span

_RESERVE = ("agents", "defaults", "compaction", "reserveTokens")
_ROTATE_GONE_SINCE = "2026.9.6"


def version_of(config: StoreConfig, store: Store, settings: Settings) -> AgentVersion:
    """Which version of OpenClaw the files are of."""
    named = settings.version("openclaw")
    return openclaw_version(config.value, store, openclaw_data().context_files, named)


def scene_of(
    look: StoreLook,
    settings: Settings,
    text: str | None = None,
    transcripts: Iterable[StoreTranscript] = (),
) -> StoreScene:
    """The scene of a store. ``text`` is that of an open buffer, or of the file; None: it was not read."""
    folder = look.folder if text is None else with_text(look.folder, text)
    config = look.place.config
    return StoreScene(
        profile("openclaw"),
        folder,
        text or "",
        store_findings(folder),
        error_place(text) if text and folder.store.problem == "store-not-json" else 0,
        config.path,
        tuple(_setting_faults(config, folder.store, settings)),
        _flush(config),
        tuple(transcripts),
    )


def with_text(folder: StoreFolder, text: str) -> StoreFolder:
    """``folder`` with the store that ``text`` holds in place of the one on disk."""
    data = text.encode("utf-8", "surrogatepass")
    stamp = folder.store_stamp or Stamp(0, 0, len(data), 0)
    return replace(folder, store=read_store(data), store_stamp=stamp)


def judged(scene: StoreScene, settings: Settings) -> tuple[Finding, ...]:
    """The findings of ``scene`` at the severities of the settings, by file and place."""
    found = [each for finding in check_store(scene) if (each := with_severity(finding, settings)) is not None]
    return tuple(sorted(found, key=lambda each: (each.path, each.span, each.code, each.line)))


def _setting_faults(config: StoreConfig, store: Store, settings: Settings) -> Iterable[SettingFault]:
    session = object_at(config.value, "session")
    value = session.get("maintenance")
    if value is None:
        return
    found = maintenance_settings(value, openclaw_data().maintenance)
    for problem in () if isinstance(found, MaintenanceSettings) else found:
        yield _fault(config, problem.path, problem.code)
    version = version_of(config, store, settings).version
    if isinstance(value, dict) and "rotateBytes" in value and is_since(version, _ROTATE_GONE_SINCE):
        yield _fault(config, "session.maintenance.rotateBytes", "removed-key")


def _fault(config: StoreConfig, place: str, code: str) -> SettingFault:
    return SettingFault(place, code, config.found.place(tuple(place.split("."))) or Span(0, 0))


def _flush(config: StoreConfig) -> FlushFacts | None:
    data = openclaw_data()
    value: Mapping[str, JsonValue] = config.value
    found = flush_settings(value, data)
    if found is None:
        return None
    kept = reserve(pi_compaction({}, data.compaction), value, data.compaction).reserve_tokens
    span = config.found.keys.get(_RESERVE) or Span(0, 0)
    return FlushFacts(
        kept, found.reserve_tokens_floor, found.soft_threshold_tokens, flush_never_runs(found, kept), span
    )
