"""Which fields does an entry of ``sessions.json`` have, and of what type is each?

The table of openclaw.md 2.2: what OpenClaw 2026.3.2 and 2026.4.15 write, and the time fields of later
versions. A value of another type is kept in the file and treated as absent. Unknown names are no fault.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import NoneType
from typing import Literal

from agentbrief.jsonio import JsonValue

Kind = Literal["text", "number", "flag", "text or number", "object", "list", "any"]

_TYPES: dict[Kind, tuple[type, ...]] = {
    "text": (str,),
    "number": (int, float),
    "flag": (bool,),
    "text or number": (str, int, float),
    "object": (dict,),
    "list": (list,),
    "any": (str, int, float, bool, dict, list, NoneType),
}


@dataclass(frozen=True, slots=True)
class StoreField:
    """One field: its name, the group of the table it stands in, and the type of its value.

    ``choices`` are the words that are known for it; another word is kept and shown like any other.
    """

    name: str
    group: str
    kind: Kind
    choices: tuple[str, ...] = ()


def fits(kind: Kind, value: JsonValue) -> bool:
    """Whether ``value`` has the type ``kind``; true and false are no numbers."""
    found = type(value)
    return found in _TYPES[kind] and (found is not float or kind == "any" or is_number(value))


def is_number(value: JsonValue) -> bool:
    """Whether ``value`` is a finite number."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


_TABLE: dict[str, str] = {
    "identity": "sessionId updatedAt:number sessionFile",
    "lineage": "spawnedBy spawnDepth:number forkedFromParent:flag",
    "run": "systemSent:flag abortedLastRun:flag abortCutoffMessageSid abortCutoffTimestamp:number"
    " lastHeartbeatText lastHeartbeatSentAt:number",
    "chat": "chatType=direct,group,channel,room channel groupId subject groupChannel space label displayName",
    "old names": "provider room lastProvider",
    "route": "origin:object deliveryContext:object lastChannel lastTo lastAccountId"
    " lastThreadId:text_or_number",
    "toggles": "thinkingLevel verboseLevel reasoningLevel elevatedLevel ttsAuto"
    " responseUsage=on,off,tokens,full sendPolicy=allow,deny groupActivation=mention,always"
    " groupActivationNeedsSystemIntro:flag"
    " execHost execSecurity execAsk execNode",
    "queue": "queueMode=steer,followup,collect,steer-backlog,steer+backlog,queue,interrupt"
    " queueDebounceMs:number queueCap:number queueDrop=old,new,summarize",
    "model": "providerOverride modelOverride authProfileOverride authProfileOverrideSource=auto,user"
    " authProfileOverrideCompactionCount:number modelProvider model fallbackNoticeSelectedModel"
    " fallbackNoticeActiveModel fallbackNoticeReason",
    "tokens": "inputTokens:number outputTokens:number totalTokens:number contextTokens:number"
    " cacheRead:number cacheWrite:number totalTokensFresh:flag",
    "compaction": "compactionCount:number memoryFlushAt:number memoryFlushCompactionCount:number",
    "command line": "cliSessionIds:object claudeCliSessionId",
    "bulk": "skillsSnapshot:object systemPromptReport:object",
    "acp": "acp:object",
    "2026.4.15": "heartbeatIsolatedBaseSessionKey heartbeatTaskState:any spawnedWorkspaceDir parentSessionKey"
    " subagentRole=orchestrator,leaf subagentControlScope=children,none startedAt:number endedAt:number"
    " runtimeMs:number status=running,done,failed,killed,timeout fastMode:any traceLevel:any"
    " modelOverrideSource liveModelSwitchPending:flag estimatedCostUsd:number compactionCheckpoints:list"
    " memoryFlushContextHash cliSessionBindings:object pluginDebugEntries:list",
    "later": "sessionStartedAt:any lastInteractionAt:any lastActivityAt:any lastReadAt:any markedUnreadAt:any"
    " archivedAt:any pinnedAt:any",
}
"""Group → its fields: ``name``, ``name:kind`` or ``name=choice,choice`` (a text with known words)."""


def _fields() -> dict[str, StoreField]:
    found: dict[str, StoreField] = {}
    for group, names in _TABLE.items():
        for entry in names.split(" "):
            name, _, choices = entry.partition("=")
            name, _, kind = name.partition(":")
            found[name] = StoreField(name, group, _kind(kind), tuple(choices.split(",")) if choices else ())
    return found


def _kind(word: str) -> Kind:
    match word.replace("_", " "):
        case "number" | "flag" | "text or number" | "object" | "list" | "any" as kind:
            return kind
        case _:
            return "text"


FIELDS: dict[str, StoreField] = _fields()
"""All known fields by name, in the order of the table."""

USUAL_TYPES: dict[str, type] = {name: _TYPES[known.kind][0] for name, known in FIELDS.items()}
"""The Python type that most values of each field have; any value of it fits."""

OLD_NAMES: dict[str, str] = {"provider": "channel", "lastProvider": "lastChannel", "room": "groupChannel"}
"""Names of before 2026.3.2 → the names of today. A value that has both keeps today's."""


def names_in(*groups: str) -> tuple[str, ...]:
    """The names of the fields of ``groups``, in the order of the table.

    Raises:
        ValueError: there is no such group.
    """
    for group in groups:
        if group not in _TABLE:
            raise ValueError(group)
    return tuple(field.name for field in FIELDS.values() if field.group in groups)
