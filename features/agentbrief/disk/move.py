"""How does a file leave its place? Moved, or, where that was asked for, removed."""

from __future__ import annotations

import errno

from agentbrief.disk import seam
from agentbrief.disk.copy import copy_verified
from agentbrief.disk.folder import holder
from agentbrief.disk.lock import Held
from agentbrief.disk.present import compare
from agentbrief.disk.refusal import Conflict, Refused, refused
from agentbrief.disk.values import Stamp


def move(held: Held, source: str, target: str, *, expect: Stamp) -> Stamp:
    """The stamp of the file ``source`` under its new, free name ``target``. Its times stay.

    On another device it is copied, the copy verified, and only then the original removed.

    Raises:
        Conflict: ``source`` is not the version ``expect``.
        Refused: the name is taken (``exists``), or the system refuses; nothing was changed, or
            (``partly-done``) the file stands at both places.
    """
    fs = held.fs
    with (
        holder(fs, source, held.roots) as (folder, name),
        holder(fs, target, held.roots) as (target_folder, target_name),
    ):
        status = compare(fs, folder, name, source, expect)
        _require_free(fs, target_folder, target_name, target)
        try:
            fs.replace(folder, name, target_folder, target_name)
        except OSError as error:
            if error.errno == errno.EXDEV:
                return _across(held, source, target, expect)
            raise
        try:
            fs.sync_folder(target_folder)
            fs.sync_folder(folder)
        except OSError as error:
            try:
                fs.replace(target_folder, target_name, folder, name)
            except OSError:
                raise refused(error, source, "unsure") from error
            raise
        return Stamp.of(status, expect.sha256)


def _require_free(fs: seam.FS, folder: seam.Folder, name: str, path: str) -> None:
    try:
        fs.lstat_in(folder, name)
    except FileNotFoundError:
        return
    raise Refused("exists", path)


def _across(held: Held, source: str, target: str, expect: Stamp) -> Stamp:
    copied = copy_verified(
        held.fs,
        source,
        target,
        read_roots=held.roots,
        roots=held.roots,
        expect=expect,
        keep_times=True,
    )
    try:
        remove(held, source, expect=copied.source)
    except Conflict:
        remove(held, target, expect=copied.stamp)
        raise
    except Refused as refusal:
        if refusal.untouched != "nothing-changed":
            raise
        try:
            remove(held, target, expect=copied.stamp)
        except Refused:
            raise refusal.leaving("partly-done") from None
        raise
    return copied.stamp


def remove(held: Held, path: str, *, expect: Stamp) -> None:
    """Remove the file ``path``, which must still be the version ``expect``.

    Raises:
        Conflict: it is another version, or gone; nothing was changed.
        Refused: the system refuses.
    """
    fs = held.fs
    with holder(fs, path, held.roots) as (folder, name):
        compare(fs, folder, name, path, expect)
        fs.unlink(folder, name)
        try:
            fs.sync_folder(folder)
        except OSError as error:
            raise refused(error, path, "unsure") from error


def remove_empty_folder(held: Held, path: str) -> bool:
    """Whether the folder ``path`` was empty and is gone now."""
    try:
        with holder(held.fs, path, held.roots) as (folder, name):
            held.fs.remove_folder(folder, name)
    except Refused:
        return False
    return True
