"""How does a file get new content so that the old or the new one is there at every moment, never a mix?"""

from __future__ import annotations

from contextlib import suppress

from agentbrief.disk import seam
from agentbrief.disk.folder import holder
from agentbrief.disk.lock import Held
from agentbrief.disk.present import compare, plain, same_version, sha256_of
from agentbrief.disk.read import close
from agentbrief.disk.refusal import Conflict, Refused, refused
from agentbrief.disk.temporary import discard, linked, publish, temporary_name, write_temporary
from agentbrief.disk.values import Stamp


def replace(held: Held, path: str, data: bytes, *, expect: Stamp | None, durable: bool = True) -> Stamp:
    """The stamp of ``path`` with content ``data``, if it still was the version ``expect``.

    None expects no file of that name. The mode stays as it was; a new file has 0600. What was written into
    the old file until the moment it lost its name brings it back.

    Raises:
        Conflict: another version is there; nothing was changed.
        Refused: it is no plain file of ours, would lose all its content, or the system refuses.
    """
    fs = held.fs
    with holder(fs, path, held.roots) as (folder, name):
        if expect is None:
            return _new(fs, folder, name, path, data, durable)
        status = compare(fs, folder, name, path, expect)
        if status.st_size and not data:
            raise Refused("would-empty", path)
        temporary, stamp = write_temporary(fs, folder, (data,), mode=status.st_mode & 0o777)
        kept = temporary_name(fs)
        try:
            if not linked(fs, folder, name, kept):
                kept = ""
            if not same_version(expect, fs.lstat_in(folder, name)):
                raise Conflict(path)
            _exchange(fs, folder, temporary, name)
        except BaseException as error:
            discard(fs, folder, temporary)
            if kept:
                discard(fs, folder, kept)
            if isinstance(error, FileNotFoundError):
                raise Conflict(path, detail="gone") from error
            raise
        _keep_or_bring_back(fs, folder, name, path, kept, expect, durable)
        return stamp


def shorten(held: Held, path: str, size: int, *, expect: Stamp) -> Stamp:
    """The stamp of ``path`` cut to its first ``size`` bytes: the undoing of an append.

    Raises:
        Conflict: it is not the version ``expect``; nothing was changed.
        Refused: the system refuses.
    """
    if not 0 <= size <= expect.size:
        raise ValueError(f"{size} of {expect.size} bytes")
    fs = held.fs
    with holder(fs, path, held.roots) as (folder, name):
        compare(fs, folder, name, path, expect)
        descriptor = fs.open_append(folder, name)
        try:
            if not same_version(expect, fs.fstat(descriptor)):
                raise Conflict(path)
            fs.truncate(descriptor, size)
            try:
                fs.sync(descriptor)
                return Stamp.of(fs.fstat(descriptor))
            except OSError as error:
                raise refused(error, path, "unsure") from error
        finally:
            close(fs, descriptor)


def _new(fs: seam.FS, folder: seam.Folder, name: str, path: str, data: bytes, durable: bool) -> Stamp:
    try:
        plain(fs, folder, name, path)
    except FileNotFoundError:
        pass
    else:
        raise Conflict(path, detail="exists")
    temporary, stamp = write_temporary(fs, folder, (data,))
    try:
        publish(fs, folder, temporary, name, durable=durable)
    except FileExistsError as error:
        raise Conflict(path, detail="exists") from error
    return stamp


def _exchange(fs: seam.FS, folder: seam.Folder, temporary: str, name: str) -> None:
    for pause in fs.replace_pauses:
        try:
            fs.replace(folder, temporary, folder, name)
        except PermissionError:
            fs.pause(pause)
        else:
            return
    fs.replace(folder, temporary, folder, name)


def _keep_or_bring_back(
    fs: seam.FS, folder: seam.Folder, name: str, path: str, kept: str, expect: Stamp, durable: bool
) -> None:
    """Let the old file, which has the name ``kept`` now, go; or give it its name back and say why."""
    try:
        if kept and _was_written(fs, folder, kept, expect):
            raise Conflict(path)
        if durable:
            fs.sync_folder(folder)
    except (OSError, Refused) as error:
        refusal = error if isinstance(error, Refused) else refused(error, path)
        if not kept or not _brought_back(fs, folder, kept, name):
            refusal.leaving("unsure")
        raise refusal from error
    if kept:
        discard(fs, folder, kept)


def _brought_back(fs: seam.FS, folder: seam.Folder, kept: str, name: str) -> bool:
    try:
        fs.replace(folder, kept, folder, name)
    except OSError:
        return False
    with suppress(OSError):
        fs.sync_folder(folder)
    return True


def _was_written(fs: seam.FS, folder: seam.Folder, kept: str, expect: Stamp) -> bool:
    if not same_version(expect, fs.lstat_in(folder, kept)):
        return True
    return expect.sha256 is not None and sha256_of(fs, folder, kept) != expect.sha256
