"""How is a file of unknown kind, size and owner read without harm?

The order of the checks is the specification's (claw.md 2.3, reliability.md 8): link target, kind, place,
size, opening without blocking, identity, encoding. Each refusal is a :class:`ReadProblem`, never an
exception. A path that a stranger spelled (an identifier, an import, a setting, a URI) first passes
:mod:`agentbrief.disk.spelling`.
"""

from __future__ import annotations

import errno
import hashlib
import os
from contextlib import suppress
from dataclasses import dataclass
from typing import NamedTuple

from agentbrief.disk import seam
from agentbrief.disk.values import FileText, ProblemKind, ReadProblem, Stamp, hashed

MAX_TEXT_BYTES = 4 * 1024 * 1024
"""The largest instruction file that is read."""

_CHUNK_BYTES = 1 << 20
_MORE_ATTEMPTS = 2
_CHANGED = "changed"

Roots = frozenset[str]
"""Real paths of the folders below which files may be read."""


def real_roots(fs: seam.FS, folders: tuple[str, ...]) -> Roots:
    """The real paths of those ``folders`` that exist; one that lies in another is not named."""
    found: set[str] = set()
    for folder in folders:
        try:
            found.add(fs.real_path(folder))
        except (OSError, ValueError):
            continue
    return frozenset(real for real in found if not lies_in(real, frozenset(found - {real})))


def lies_in(path: str, roots: Roots) -> bool:
    """Whether the real path ``path`` is one of ``roots`` or below one."""
    return any(
        path == root or path.startswith(root if root.endswith(os.sep) else root + os.sep) for root in roots
    )


class Opened(NamedTuple):
    """A plain file open for reading: its descriptor, to be closed, its status and its real path."""

    descriptor: int
    status: os.stat_result
    real_path: str


@dataclass(frozen=True, slots=True)
class FileBytes:
    """A file that was read whole, undecoded. Its stamp holds the SHA-256 of the content."""

    path: str
    real_path: str
    data: bytes
    stamp: Stamp


def read_text(
    fs: seam.FS, path: str, roots: Roots, max_bytes: int = MAX_TEXT_BYTES
) -> FileText | ReadProblem | None:
    """The UTF-8 text at ``path``, or why it was not read; None when there is no such entry."""
    found = _whole(fs, path, roots, max_bytes)
    if found is None or isinstance(found, ReadProblem):
        return found
    data, stamp, real = found
    try:
        return FileText(path, real, data.decode("utf-8"), stamp)
    except UnicodeDecodeError as error:
        utf16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
        return ReadProblem(path, "not-utf8", error.start, "utf-16" if utf16 else "")


def read_bytes(fs: seam.FS, path: str, roots: Roots, max_bytes: int) -> FileBytes | ReadProblem | None:
    """The bytes at ``path``, or why they were not read; None when there is no such entry."""
    found = _whole(fs, path, roots, max_bytes)
    if found is None or isinstance(found, ReadProblem):
        return found
    data, stamp, real = found
    return FileBytes(path, real, data, hashed(stamp, hashlib.sha256(data).hexdigest()))


def opened(fs: seam.FS, path: str, roots: Roots, max_bytes: int | None = None) -> Opened | ReadProblem | None:
    """The plain file at ``path``, open and known to lie in ``roots``;

    or why it was not opened; None when there is no such entry. A file that is exchanged between the look and
    the open is looked at again.
    """
    found = _opened_once(fs, path, roots, max_bytes)
    for _ in range(_MORE_ATTEMPTS):
        if not isinstance(found, ReadProblem) or found.detail != _CHANGED:
            break
        found = _opened_once(fs, path, roots, max_bytes)
    return found


def _opened_once(fs: seam.FS, path: str, roots: Roots, max_bytes: int | None) -> Opened | ReadProblem | None:
    try:
        status = fs.lstat(path)
    except ValueError:
        return ReadProblem(path, "unreadable", detail="nul")
    except OSError as error:
        return None if seam.is_missing(error) else _unreadable(path, error)
    try:
        real = fs.real_path(path)
        target = fs.stat(path) if seam.is_link(status) else status
    except OSError as error:
        return ReadProblem(path, "dangling-link") if seam.is_missing(error) else _unreadable(path, error)
    if not seam.is_regular(target):
        return ReadProblem(path, "not-a-file")
    if not lies_in(real, roots):
        return ReadProblem(path, "outside-roots", detail=real)
    if max_bytes is not None and target.st_size > max_bytes:
        return ReadProblem(path, "too-large")
    try:
        descriptor = fs.open_read(real)
    except FileNotFoundError:
        return ReadProblem(path, "unreadable", detail=_CHANGED)
    except OSError as error:
        return _unreadable(path, error)
    try:
        found = _identified(fs, path, roots, real, target, descriptor)
    except OSError as error:
        found = _unreadable(path, error)
    except BaseException:
        close(fs, descriptor)
        raise
    if isinstance(found, ReadProblem):
        close(fs, descriptor)
    return found


def _identified(
    fs: seam.FS, path: str, roots: Roots, real: str, target: os.stat_result, descriptor: int
) -> Opened | ReadProblem:
    """The open file, if it is the one that was looked at and still stands below ``roots``.

    A folder on the way may have become a link after its real path was asked for.
    """
    status = fs.fstat(descriptor)
    if not seam.is_regular(status):
        return ReadProblem(path, "not-a-file")
    if (status.st_dev, status.st_ino) != (target.st_dev, target.st_ino):
        return ReadProblem(path, "unreadable", detail=_CHANGED)
    said = fs.path_of(descriptor)
    if said is None:
        said = fs.real_path(path)
    if not lies_in(said, roots):
        return ReadProblem(path, "outside-roots", detail=said)
    return Opened(descriptor, status, real)


def _whole(
    fs: seam.FS, path: str, roots: Roots, max_bytes: int
) -> tuple[bytes, Stamp, str] | ReadProblem | None:
    found = opened(fs, path, roots, max_bytes)
    if found is None or isinstance(found, ReadProblem):
        return found
    descriptor = found.descriptor
    try:
        pieces: list[bytes] = []
        size = 0
        while piece := fs.read(descriptor, _CHUNK_BYTES):
            size += len(piece)
            if size > max_bytes:
                return ReadProblem(path, "too-large")
            pieces.append(piece)
        return b"".join(pieces), Stamp.of(fs.fstat(descriptor)), found.real_path
    except OSError as error:
        return _unreadable(path, error)
    finally:
        close(fs, descriptor)


def close(fs: seam.FS, descriptor: int) -> None:
    """Give a descriptor back. What was written was synced before, so an error now tells nothing."""
    with suppress(OSError):
        fs.close(descriptor)


def _unreadable(path: str, error: OSError) -> ReadProblem:
    kind: ProblemKind = "not-a-file" if error.errno == errno.EISDIR else "unreadable"
    return ReadProblem(path, kind, detail=errno.errorcode.get(error.errno or 0, "EIO").lower())
