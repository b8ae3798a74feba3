"""Is a profile of the user's own one that the rules can work with?

The shape is that of the profiles in this package. What the engine does not do yet is refused by name: a
profile that were half obeyed would state something false about its agent.

Source: agents.md 3 (load errors name the profile and the key).
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentbrief.jsonio import JsonValue
from agentbrief.profiles.load import ProfileError, parse, profile, profile_ids
from agentbrief.profiles.profile import AgentProfile, LayerFile

_ID = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_TITLE = re.compile(r"[^\W_][\w .+'()-]{0,39}")
_NAME = re.compile(r"(?:[^/\\\x00-\x1f]+/)?[^/\\\x00-\x1f]+")
_NOT_FOR_INSTRUCTIONS = (
    "compaction", "openclaw", "session_file", "python_engine", "automatic_compaction", "sessions", "windows",
    "after_compaction",
)  # fmt: skip
_ORDERS = ("nearest-first", "outermost-first")
_NEEDED = ("walk", "layers", "limits", "rendering")


def custom_profile(data: JsonValue, name: str, version: str | None = None) -> AgentProfile:
    """The profile that ``data`` describes, for ``version`` of its agent. ``name`` names it in an error where
    it has no identifier.

    Raises:
        ProfileError: it does not follow the schema, or asks for what is not done; the message names the
            profile and the key.
    """
    if not isinstance(data, dict):
        raise ProfileError(f"{name}: expected an object")
    identifier = data.get("id")
    if not isinstance(identifier, str) or not _ID.fullmatch(identifier):
        raise ProfileError(f"{name}.id: expected lower-case letters, digits and hyphens, 40 at most")
    if identifier in profile_ids():
        raise ProfileError(f"{identifier}.id: this profile comes with Agent Brief; choose another identifier")
    for key in _NEEDED:
        if not data.get(key):
            raise ProfileError(f"{identifier}: missing key {key!r}")
    for key in _NOT_FOR_INSTRUCTIONS:
        if key in data:
            raise ProfileError(
                f"{identifier}.{key}: a profile of your own holds the rules of instruction files only"
            )
    found = parse(identifier, data, version)
    for key, fault in _faults(found):
        raise ProfileError(f"{identifier}.{key}: {fault}")
    return found


def _faults(found: AgentProfile) -> Iterator[tuple[str, str]]:
    """Keys whose value has the right type and says what cannot be done, and why."""
    if not _TITLE.fullmatch(found.title):
        yield (
            "title",
            "expected letters, digits, spaces and . + ' ( ) _ -, 40 at most, a letter or digit first",
        )
    if found.title.casefold() in {profile(name).title.casefold() for name in profile_ids()}:
        yield "title", "this is the title of a profile that comes with Agent Brief"
    if found.compared_with is not None and not _has_rules(found.compared_with):
        yield "compared_with", f"no profile with rules of instruction files is called {found.compared_with!r}"
    yield from _faults_of_names(found)
    yield from _faults_of_limits(found)


def _has_rules(name: str) -> bool:
    return name in profile_ids() and profile(name).walk is not None


def _faults_of_names(found: AgentProfile) -> Iterator[tuple[str, str]]:
    if not found.names:
        yield "layers", "no layer names a file"
    files = [
        (f"layers[{at}].files[{index}].name", file)
        for at, layer in enumerate(found.layers)
        for index, file in enumerate(layer.files)
    ]
    unread = [(f"unread[{index}]", LayerFile(name, "project")) for index, name in enumerate(found.unread)]
    for where, file in (*files, *unread):
        if not _NAME.fullmatch(file.name) or not {".", ".."}.isdisjoint(file.name.split("/")):
            yield (
                where,
                f"{file.name!r} is no file name; one folder may stand before it, as in .claude/CLAUDE.md",
            )


def _faults_of_limits(found: AgentProfile) -> Iterator[tuple[str, str]]:
    for at, limit in enumerate(found.limits):
        if limit.unit != "chars":
            yield f"limits[{at}].unit", "limits of instruction files are counted in 'chars' only"
        if limit.scope == "index" or limit.then != "cut":
            yield f"limits[{at}]", "only limits of scope 'file' and 'total' that 'cut' are known"
        if limit.max < 0:
            yield f"limits[{at}].max", "expected 0 or more"
        if limit.setting not in (None, "limits.perFile", "limits.total"):
            yield f"limits[{at}].setting", "expected 'limits.perFile' or 'limits.total'"
    for scope in ("file", "total"):
        if len([limit for limit in found.limits if limit.scope == scope]) != 1:
            yield "limits", f"expected one limit of scope {scope!r}"
    total = next((each for each in found.limits if each.scope == "total"), None)
    if total is not None and total.order not in _ORDERS:
        yield "limits", f"the order of the total limit is one of {', '.join(_ORDERS)}"
    if found.rendering is not None and found.rendering.cut == "head-and-tail":
        yield (
            "rendering.cut",
            "'head-and-tail' is OpenClaw's own; expected 'clean-marker' or 'charged-marker'",
        )
