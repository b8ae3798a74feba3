"""Which folders are the agent's own? Home and environment are arguments, paths are text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from agentbrief.profiles.sessions_data import Root

_VARIABLE = re.compile(r"\$([A-Za-z_][A-Za-z0-9_]*)(?=/|$)")


def root_folders(roots: tuple[Root, ...], home: str, env: Mapping[str, str]) -> tuple[str, ...]:
    """The agent's folders, in order, each once; whether they exist is not asked.

    A variable that is set and not blank replaces the paths. A path whose own variable is not set is left out.
    """
    for root in roots:
        named = env.get(root.env, "").strip() if root.env else ""
        if named:
            parts = [part.strip() for part in named.split(",")] if root.list else [named]
            return _each_once(_at_home(part, home) for part in parts if part)
    paths = (_with_variable(root.path, env) for root in roots if root.path)
    return _each_once(_at_home(path, home) for path in paths if path)


def _with_variable(path: str, env: Mapping[str, str]) -> str | None:
    found = _VARIABLE.match(path)
    if found is None:
        return path
    value = env.get(found[1], "").strip()
    return value + path[found.end() :] if value else None


def _at_home(path: str, home: str) -> str:
    if path == "~" or path.startswith(("~/", "~\\")):
        return home + path[1:]
    return path


def _each_once(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path.rstrip("/") or "/" for path in paths))
