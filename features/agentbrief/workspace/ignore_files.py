"""Which ignore files hold where?

Read are each ``.gitignore`` and the ``info/exclude`` of a ``.git`` folder. Git reads neither through a link.
Source: git documentation gitignore; git/git dir.c.
"""

from __future__ import annotations

import os
from collections.abc import Iterator

from agentbrief.disk import seam
from agentbrief.workspace.ignore import Scope, Source, as_latin, ignore_file, scope_of

IGNORE_NAME = ".gitignore"
GIT_NAME = ".git"

_MAX_BYTES = 1 << 20
_WORKTREES = b"/worktrees/"


def outermost(fs: seam.FS, project: str, repository: str | None) -> Scope:
    """What holds in the folder ``project`` before its own files are read: the files of ``repository`` above
    it.
    """
    below = os.path.relpath(project, repository or project).replace(os.sep, "/")
    if repository is None or below == "." or below.startswith("../"):
        return scope_of((), False)
    sources = list(_sources(fs, repository, 0, below))
    folder, rest = repository, below.split("/")
    while len(rest) > 1:
        folder = os.path.join(folder, rest.pop(0))
        sources += _ignore_source(fs, folder, 0, "/".join(rest))
    return scope_of(tuple(sources), True)


def inside(fs: seam.FS, scope: Scope, folder: str, relative: str, names: frozenset[str]) -> Scope | None:
    """What holds in a folder below ``scope`` that has files or folders of the ``names`` of this module.

    ``folder`` is its path, ``relative`` that from the project on. None if the folder is a second checkout,
    whose files are not listed.
    """
    skip = len(as_latin(relative)) + 1 if relative else 0
    if GIT_NAME in names and (kind := _repository(fs, folder)):
        if kind == "worktree" and scope.in_repository and relative:
            return None
        return scope_of(tuple(_sources(fs, folder, skip, "")), True)
    more = tuple(_ignore_source(fs, folder, skip, "")) if IGNORE_NAME in names else ()
    return scope_of((*scope.sources, *more), scope.in_repository) if more else scope


def _repository(fs: seam.FS, folder: str) -> str | None:
    """What the ``.git`` of ``folder`` makes of it: ``repository``, ``worktree``, or None if it is no git
    folder.
    """
    path = os.path.join(folder, GIT_NAME)
    try:
        status = fs.lstat(path)
        if seam.is_folder(status):
            fs.lstat(os.path.join(path, "HEAD"))
            return "repository"
    except OSError:
        return None
    data = _read(fs, path)
    if data is None or not data.startswith(b"gitdir:"):
        return None
    return "worktree" if _WORKTREES in data.replace(b"\\", b"/") else "repository"


def _sources(fs: seam.FS, folder: str, skip: int, lead: str) -> Iterator[Source]:
    """The ignore files of a repository's own folder; the exclude file has the last word."""
    data = _read(fs, os.path.join(folder, GIT_NAME, "info", "exclude"))
    if data is not None:
        yield Source(ignore_file(data), skip, lead)
    yield from _ignore_source(fs, folder, skip, lead)


def _ignore_source(fs: seam.FS, folder: str, skip: int, lead: str) -> Iterator[Source]:
    data = _read(fs, os.path.join(folder, IGNORE_NAME))
    if data is not None and (file := ignore_file(data)).rules:
        yield Source(file, skip, lead)


def _read(fs: seam.FS, path: str) -> bytes | None:
    """The bytes of a regular file of at most 1 MiB, no link; None for all else."""
    try:
        descriptor = fs.open_read(path)
    except (OSError, ValueError):
        return None
    try:
        status = fs.fstat(descriptor)
        if not seam.is_regular(status) or status.st_size > _MAX_BYTES:
            return None
        pieces = list(iter(lambda: fs.read(descriptor, _MAX_BYTES), b""))
        return b"".join(pieces)
    except OSError:
        return None
    finally:
        fs.close(descriptor)
