"""Which files below an agent's folders are its sessions?

Only names are looked at; nothing is opened. A pattern has ``/`` between its parts; ``*`` stands for one name
and ``**`` for any folders between.
"""

from __future__ import annotations

import fnmatch
import os
import re
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from agentbrief.disk.seam import FS, is_regular
from agentbrief.profiles.sessions_data import SessionsData, identifier_in

_MOST_DEPTH = 12
_HIDDEN_PREFIX = ".agentbrief"
_PATH = attrgetter("path")
_NAME = attrgetter("name")


class Location(NamedTuple):
    """A transcript that was found. ``root`` is the agent's folder that it lies in.

    ``is_compressed``: it has to be decompressed first. ``is_archived``: the agent has put it aside.
    """

    path: str
    root: str
    session_id: str
    is_archived: bool = False
    is_compressed: bool = False


def transcripts(fs: FS, roots: Iterable[str], data: SessionsData) -> tuple[Location, ...]:
    """The agent's transcripts below ``roots``, by path.

    Of one name the file in use wins over the archived one, and a plain file over a compressed one.
    """
    found: list[Location] = []
    for root in dict.fromkeys(roots):
        for pattern in filter(None, (data.glob, data.archived)):
            is_archived = pattern == data.archived
            for path in matches(fs, root, pattern):
                name = path.rpartition("/")[2]
                identifier = identifier_in(data, name)
                if identifier is None or name.startswith(_HIDDEN_PREFIX):
                    continue
                is_compressed = data.compressed is not None and name.endswith(data.compressed)
                found.append(Location(path, root, identifier, is_archived, is_compressed))
    if data.archived or data.compressed:
        found = _one_of_each_name(found, data)
    return tuple(sorted(found, key=_PATH))


def _one_of_each_name(places: Iterable[Location], data: SessionsData) -> list[Location]:
    found: dict[tuple[str, str], Location] = {}
    for place in places:
        folder, slash, name = place.path.rpartition("/")
        plain = name.removesuffix(data.compressed or "") if place.is_compressed else name
        unique = place.root, plain if data.archived else folder + slash + plain
        known = found.get(unique)
        if known is None or _rank(place) < _rank(known):
            found[unique] = place
    return list(found.values())


def subagents(fs: FS, roots: Iterable[str], data: SessionsData) -> tuple[str, ...]:
    """The transcripts of agents that work for a session, by path."""
    if data.subagents is None:
        return ()
    return tuple(sorted(path for root in roots for path in matches(fs, root, data.subagents)))


def spilled_results(fs: FS, roots: Iterable[str], data: SessionsData) -> tuple[str, ...]:
    """The files with results of tools that were too large for the transcript, by path."""
    if data.spilled is None:
        return ()
    return tuple(sorted(path for root in roots for path in matches(fs, root, data.spilled)))


def index_files(fs: FS, roots: Iterable[str], data: SessionsData) -> tuple[str, ...]:
    """The files in which the agent lists its sessions, by path."""
    if data.index is None:
        return ()
    return tuple(sorted(path for root in roots for path in matches(fs, root, data.index)))


def misplaced(fs: FS, roots: Iterable[str], data: SessionsData) -> tuple[Location, ...]:
    """Transcripts that lie too high or too deep for the agent to list, by path."""
    parts = data.glob.split("/")
    if data.name is None or "**" in parts or len(parts) < 2:
        return ()
    found: dict[str, Location] = {}
    for root in roots:
        for depth in (len(parts) - 1, len(parts) + 1, len(parts) + 2):
            pattern = "/".join([parts[0], *["*"] * (depth - 2), parts[-1]])
            for path in matches(fs, root, pattern):
                if identifier := identifier_in(data, os.path.basename(path)):
                    found[path] = Location(path, root, identifier)
    return tuple(found[path] for path in sorted(found))


def matches(fs: FS, root: str, pattern: str) -> Iterator[str]:
    """The files below ``root`` whose path from there follows ``pattern``."""
    yield from _below(fs, root, pattern.split("/"), _MOST_DEPTH)


def _below(fs: FS, folder: str, parts: list[str], depth: int) -> Iterator[str]:
    first, *rest = parts
    if depth == 0:
        return
    if not any(char in first for char in "*?["):
        path = f"{folder}/{first}"
        if rest:
            yield from _below(fs, path, rest, depth - 1)
        elif _is_file(fs, path):
            yield path
        return
    if first == "**":
        yield from _below(fs, folder, rest, depth)
    wanted = _matcher("*" if first == "**" else first)
    try:
        entries = sorted(fs.scan(folder), key=_NAME)
    except (OSError, ValueError):
        return
    for entry in entries:
        name = entry.name
        if not wanted(name) or name.startswith("."):
            continue
        try:
            is_folder = entry.is_dir(follow_symlinks=first != "**")
        except OSError:
            continue
        if first == "**":
            if is_folder:
                yield from _below(fs, f"{folder}/{name}", parts, depth - 1)
        elif rest and is_folder:
            yield from _below(fs, f"{folder}/{name}", rest, depth - 1)
        elif not rest and not is_folder:
            yield f"{folder}/{name}"


@lru_cache(maxsize=64)
def _matcher(pattern: str) -> Callable[[str], re.Match[str] | None]:
    return re.compile(fnmatch.translate(pattern)).match


def _is_file(fs: FS, path: str) -> bool:
    try:
        return is_regular(fs.stat(path))
    except (OSError, ValueError):
        return False


def _rank(place: Location) -> tuple[bool, bool]:
    return place.is_archived, place.is_compressed
