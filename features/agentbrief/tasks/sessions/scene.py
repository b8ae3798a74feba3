"""What do the rules on transcripts see of an agent's sessions?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from agentbrief.disk.read import Roots, read_text, real_roots
from agentbrief.disk.seam import FS
from agentbrief.disk.values import FileText
from agentbrief.jsonio import JsonValue, loads
from agentbrief.profiles.profile import AgentProfile
from agentbrief.profiles.strategies.claude import claude_slug
from agentbrief.rules.finding import Finding
from agentbrief.rules.registry import check_transcripts
from agentbrief.rules.transcript_scene import SessionIndexFile, TranscriptScene, Unlisted
from agentbrief.sessions.formats.claude_list import named_sessions
from agentbrief.sessions.listing import listed_sessions
from agentbrief.sessions.locations import index_files, misplaced
from agentbrief.tasks.sessions.agent import AgentStore, facts_of

MOST_READ = 50
"""So many transcripts are read for their findings; of the others only what a list shows is judged."""

_SETTINGS_FILES = (".claude/settings.json", ".claude/settings.local.json")
_MOST_SETTINGS_BYTES = 1024 * 1024
_SKIPPED_FOLDERS = frozenset(("node_modules", "target", "dist", "build"))
_MOST_DEPTH = 4
_MOST_FOLDERS = 2000


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What is not in the store: workspace folders, the clock (ms since 1970), and what is in use.

    ``env`` is the environment of the agent, ``expiring_days`` the setting of the same name.
    """

    folders: tuple[str, ...]
    now_ms: int
    env: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    expiring_days: int = 7
    model: str | None = None
    provider: str | None = None


def scene_of(
    fs: FS, store: AgentStore, around: Surroundings, paths: Iterable[str] | None = None
) -> TranscriptScene:
    """The scene of ``store``. ``paths`` are the transcripts to read; None: the newest of the workspace.

    Raises:
        Refused: the disk reports an error.
    """
    if paths is None:
        paths = [each.path for each in store.in_folders(around.folders)[:MOST_READ]]
    read = [facts for path in paths if (facts := facts_of(fs, store, path)) is not None]
    settings = agent_settings(fs, store, around.folders)
    data = store.profile.sessions
    days = None
    if data is not None and data.retention is not None:
        given = settings.get(data.retention.setting or "")
        days = given if isinstance(given, int) and given > 0 else data.retention.days
    stated = settings.get("env")
    named = stated.items() if isinstance(stated, dict) else ()
    env = {key: value for key, value in named if isinstance(value, str)}
    return TranscriptScene(
        store.profile,
        around.now_ms,
        tuple(read),
        store.sessions,
        tuple(_index_files(fs, store)),
        tuple(_unlisted(fs, store, around.folders)),
        days,
        around.expiring_days,
        around.model,
        around.provider,
        {key: value for key, value in settings.items() if isinstance(value, str | int | float)},
        {**env, **around.env},
    )


def judged(scene: TranscriptScene) -> tuple[Finding, ...]:
    """The findings of ``scene``, by file and line."""
    found = check_transcripts(scene)
    return tuple(sorted(found, key=lambda each: (each.path, each.line, each.code)))


def agent_settings(fs: FS, store: AgentStore, folders: Iterable[str]) -> dict[str, JsonValue]:
    """What the agent's own settings files say under the keys that its profile names; the nearest one counts.

    Everything else in them is dropped at once.
    """
    wanted = _wanted(store.profile)
    if not wanted:
        return {}
    folders = tuple(folders)
    readable: Roots = store.readable | real_roots(fs, folders)
    paths = [os.path.join(folder, "settings.json") for folder in store.folders]
    paths += [os.path.join(folder, name) for folder in folders for name in _SETTINGS_FILES]
    found: dict[str, JsonValue] = {}
    for path in paths:
        file = read_text(fs, path, readable, _MOST_SETTINGS_BYTES)
        try:
            value = loads(file.text) if isinstance(file, FileText) else None
        except ValueError:
            continue
        if isinstance(value, dict):
            found |= {key: value[key] for key in wanted if key in value and key != "env"}
            env, before = value.get("env"), found.get("env")
            if isinstance(env, dict):
                kept = {key: env[key] for key in _variables(store.profile) if key in env}
                found["env"] = {**(before if isinstance(before, dict) else {}), **kept}
    return found


def _wanted(agent: AgentProfile) -> frozenset[str]:
    retention = agent.sessions.retention if agent.sessions else None
    keys = {retention.setting if retention else None, agent.windows.setting if agent.windows else None}
    if _variables(agent):
        keys.add("env")
    return frozenset(key for key in keys if key)


def _variables(agent: AgentProfile) -> tuple[str, ...]:
    names = agent.windows.env if agent.windows else None
    return (names.window, names.percent, names.max, names.no_1m, *names.off) if names else ()


def _index_files(fs: FS, store: AgentStore) -> Iterable[SessionIndexFile]:
    data = store.profile.sessions
    if data is None or data.adapter != "claude-code":
        return
    for path in index_files(fs, store.folders, data):
        file = read_text(fs, path, store.readable)
        if not isinstance(file, FileText):
            continue
        folder = os.path.dirname(path)
        missing = [
            each.session_id
            for each in named_sessions(file.text)
            if not _exists(fs, os.path.join(folder, f"{each.session_id}.jsonl"))
            and not (each.path and _exists(fs, each.path))
        ]
        yield SessionIndexFile(path, tuple(dict.fromkeys(missing)))


def _unlisted(fs: FS, store: AgentStore, folders: tuple[str, ...]) -> Iterable[Unlisted]:
    data = store.profile.sessions
    if data is None or data.adapter is None:
        return
    gone: dict[str, bool] = {}
    names: dict[str, str] | None = None
    for session in store.sessions:
        cwd = session.cwd
        if cwd is None or not os.path.isabs(cwd) or session.is_archived:
            continue
        if cwd not in gone:
            gone[cwd] = not _exists(fs, cwd)
        if gone[cwd]:
            names = _folders_by_name(fs, folders) if names is None else names
            yield Unlisted(session.path, "moved", cwd, names.get(os.path.basename(cwd)))
    if data.slug is None:
        return
    places = misplaced(fs, store.folders, data)
    roots = {place.path: place.root for place in places}
    for session in listed_sessions(fs, places, store.readable, data.adapter):
        wanted = None
        if session.cwd:
            parts = (data.glob.split("/")[0], claude_slug(session.cwd, data.slug))
            wanted = os.path.join(roots[session.path], *parts, os.path.basename(session.path))
        yield Unlisted(session.path, "misplaced", session.cwd, wanted)


def _folders_by_name(fs: FS, folders: tuple[str, ...]) -> dict[str, str]:
    """The workspace folders and those a little below them, by name; of two the outer one."""
    found: dict[str, str] = {}
    level, seen = list(folders), 0
    for _ in range(_MOST_DEPTH):
        below: list[str] = []
        for folder in level:
            found.setdefault(os.path.basename(folder), folder)
            seen += 1
            if seen > _MOST_FOLDERS:
                return found
            try:
                entries = sorted(fs.scan(folder), key=lambda entry: entry.name)
            except OSError:
                continue
            below += [entry.path for entry in entries if _is_entered(entry)]
        level = below
    return found


def _is_entered(entry: os.DirEntry[str]) -> bool:
    if entry.name.startswith(".") or entry.name in _SKIPPED_FOLDERS:
        return False
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _exists(fs: FS, path: str) -> bool:
    try:
        fs.lstat(path)
    except (OSError, ValueError):
        return False
    return True
