"""Which version of OpenClaw are the files of?

Its configuration tells, else the limits in what it last sent; else nothing does, and the newest known version
counts (openclaw.md 12).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple

from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import ContextFileData
from agentbrief.sessions.agent_config import object_at, text_at, whole_number
from agentbrief.sessions.store.entries import Store
from agentbrief.text import utf16

VersionSource = Literal["setting", "configuration", "limits", "unknown"]


class AgentVersion(NamedTuple):
    """A version, None = the newest that is known, and what told it."""

    version: str | None
    source: VersionSource


def openclaw_version(
    config: Mapping[str, JsonValue],
    store: Store,
    data: Sequence[ContextFileData],
    setting: str | None = None,
) -> AgentVersion:
    """The version that ``setting`` names, else that of the configuration, else that of the last report."""
    if setting and utf16.trim(setting):
        return AgentVersion(utf16.trim(setting), "setting")
    if (named := utf16.trim(text_at(config, "meta", "lastTouchedVersion") or "")) != "":
        return AgentVersion(named, "configuration")
    report = newest_report(store)
    limits = tuple(
        whole_number(report.get(name), 1) for name in ("bootstrapMaxChars", "bootstrapTotalMaxChars")
    )
    for part in data:
        if limits == (part.max_file_chars, part.max_total_chars):
            return AgentVersion(part.since, "limits")
    return AgentVersion(None, "unknown")


def newest_report(store: Store) -> Mapping[str, JsonValue]:
    """What OpenClaw noted of the prompt it built last; an empty object where it noted nothing."""
    reports = [object_at(entry.fields, "systemPromptReport") for entry in store.entries]
    found = [report for report in reports if report]
    nothing: Mapping[str, JsonValue] = {}
    return max(found, key=lambda report: whole_number(report.get("generatedAt"), 0) or 0, default=nothing)
