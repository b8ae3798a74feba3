"""How are the settings said in VS Code's manifest?

The server's table is the source; what only the extension needs is added here.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from agentbrief.profiles.load import profile, profile_ids
from agentbrief.tasks.automatic_agent import AUTOMATIC
from agentbrief.tasks.settings import SEVERITIES, TABLE, Setting

CLIENT_ONLY: tuple[Setting, ...] = (
    Setting("statusBar.visible", "boolean", True, "window"),
    Setting("interpreter", "string", "", "machine", True),
    Setting("importStrategy", "enum", "useBundled", "machine", True, ("useBundled", "fromEnvironment")),
)
"""Settings that never reach the server."""

GROUPS = (
    (
        "agents",
        ("enable", "startFolder", "discovery", "agents", "customProfiles", "versions", "limits", "tokens"),
    ),
    ("editor", ("diagnostics", "codeLens", "fadeCutText", "inlayHints", "pictures", "statusBar")),
    (
        "sessions",
        (
            "contextWindow",
            "sessions",
            "readHomeSessions",
            "compaction",
            "claw",
            "export",
            "maintenance",
            "durability",
            "oracleLog",
        ),
    ),
    ("server", ("context", "allowedRoots", "interpreter", "importStrategy", "trace")),
)
"""The groups of the settings page, each with the first parts of the keys that stand in it."""


def settings() -> tuple[Setting, ...]:
    """All settings, the server's and the extension's own, each key once."""
    known = {each.key for each in TABLE}
    return TABLE + tuple(each for each in CLIENT_ONLY if each.key not in known)


def client_only() -> list[str]:
    """The keys that are not sent to the server."""
    return [each.key for each in CLIENT_ONLY]


def groups(given: Iterable[Setting]) -> list[dict[str, Any]]:
    """``contributes.configuration``: the groups that hold something.

    Raises:
        ValueError: a setting belongs to no group.
    """
    waiting = list(given)
    made: list[dict[str, Any]] = []
    for order, (name, parts) in enumerate(GROUPS, 1):
        inside = [each for each in waiting if each.key.split(".")[0] in parts]
        waiting = [each for each in waiting if each not in inside]
        if inside:
            properties = {f"agentbrief.{each.key}": _property(each) for each in inside}
            made.append({"title": f"%group.{name}%", "order": order, "properties": properties})
    if waiting:
        raise ValueError(f"in no group: {', '.join(each.key for each in waiting)}")
    return made


def restricted(given: Iterable[Setting]) -> list[str]:
    """The settings that an untrusted workspace cannot set."""
    return [f"agentbrief.{each.key}" for each in given if each.restricted]


def _property(setting: Setting) -> dict[str, Any]:
    default = list(setting.default) if isinstance(setting.default, tuple) else setting.default
    said = {"default": default, "scope": setting.scope, "description": f"%{setting.message}%"}
    return {**_type(setting), **said}


_OTHERWISE = {"null": "null", "false": "boolean"}
"""What a setting may be beside its kind, as JSON Schema calls it."""


def _type(setting: Setting) -> dict[str, Any]:
    kind, *others = setting.kind.split(" or ")
    match kind:
        case "enum":
            made: dict[str, Any] = {"type": "string", "enum": list(setting.choices)}
        case "integer":
            made = {"type": "integer", "minimum": 0}
        case "strings":
            items: dict[str, Any] = {"type": "string"}
            if setting.key == "agents":
                # Offered, not enforced: a profile of the user's own has an identifier that nobody here knows.
                known = [each for each in profile_ids() if profile(each).walk is not None] + [AUTOMATIC]
                items["defaultSnippets"] = [{"label": each, "body": each} for each in known]
            made = {"type": "array", "items": items}
        case "object" if setting.parts:
            parts = {part: {"type": "string"} for part in setting.parts}
            made = {"type": "object", "properties": parts, "additionalProperties": False}
        case "object" if setting.keys == "profiles":
            parts = {each: {"type": "string"} for each in profile_ids()}
            made = {"type": "object", "properties": parts, "additionalProperties": {"type": "string"}}
        case "object":
            made = {"type": "object", "additionalProperties": {"type": "string", "enum": list(SEVERITIES)}}
        case _:
            made = {"type": kind}
    types = [made["type"], *(_OTHERWISE[other] for other in others)]
    return {**made, "type": types} if others else made
