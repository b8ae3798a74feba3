"""How does one record get to the end of a file, whole or not at all?"""

from __future__ import annotations

import errno
import os
from dataclasses import dataclass

from agentbrief.disk import seam
from agentbrief.disk.folder import holder
from agentbrief.disk.lock import Held
from agentbrief.disk.present import check_plain, compare, same_version
from agentbrief.disk.read import close
from agentbrief.disk.refusal import Conflict, Refused, Untouched, refused
from agentbrief.disk.values import MAX_RECORD_BYTES, Stamp


@dataclass(frozen=True, slots=True)
class Appended:
    """Where a record went: its first byte, the file's stamp before (None: the file was made) and after.

    ``torn_tail``: the last line had no end, so a line end was written before the record.
    """

    offset: int
    before: Stamp | None
    stamp: Stamp
    torn_tail: bool


def append(
    held: Held, path: str, record: bytes, *, expect: Stamp | None = None, durable: bool = True
) -> Appended:
    r"""Where ``record`` was written: one line at the end of ``path``, which is made if it is missing.

    A last line without its end is ended first: what a crash left never harms the next record. After an error
    the file is cut back to its old size. ``durable`` returns when the record has reached the disk.

    Raises:
        Conflict: the file is not the version ``expect``.
        Refused: nothing was changed, or (``tail-torn``) a piece of the record could not be taken back.
        ValueError: ``record`` is empty or no single line.
    """
    if not record or b"\n" in record:
        raise ValueError("a record is one line that is not empty")
    if len(record) > MAX_RECORD_BYTES:
        raise Refused("record-too-large", path)
    fs = held.fs
    with holder(fs, path, held.roots) as (folder, name):
        if expect is not None:
            compare(fs, folder, name, path, expect)
        try:
            descriptor, is_new = fs.open_append(folder, name), False
        except FileNotFoundError:
            if expect is not None:
                raise Conflict(path, detail="gone") from None
            descriptor, is_new = fs.create(folder, name), True
        try:
            before = check_plain(fs, folder, name, path, fs.fstat(descriptor))
            if expect is not None and not same_version(expect, before):
                raise Conflict(path)
            torn = before.st_size > 0 and fs.pread(descriptor, 1, before.st_size - 1) != b"\n"
            if is_new and durable:
                fs.sync_folder(folder)
            data = (b"\n" if torn else b"") + record + b"\n"
            after = _write_or_take_back(fs, descriptor, path, data, before.st_size, durable)
        except (OSError, Refused) as error:
            refusal = error if isinstance(error, Refused) else refused(error, path)
            if (
                is_new
                and refusal.untouched == "nothing-changed"
                and not _unmade(fs, folder, name, descriptor)
            ):
                refusal.leaving("partly-done")
            raise refusal from error
        finally:
            close(fs, descriptor)
    return Appended(before.st_size + torn, None if is_new else Stamp.of(before), after, torn)


def _unmade(fs: seam.FS, folder: seam.Folder, name: str, descriptor: int) -> bool:
    """Whether the file that was made for the record is gone, as nothing is in it."""
    try:
        if fs.fstat(descriptor).st_size == 0:
            fs.unlink(folder, name)
    except OSError:
        return False
    return True


def _write_or_take_back(
    fs: seam.FS, descriptor: int, path: str, data: bytes, size: int, durable: bool
) -> Stamp:
    """The file's stamp after ``data`` was added to its ``size`` bytes."""
    written = 0
    try:
        while written < len(data):
            count = fs.write(descriptor, data[written:] if written else data)
            if count <= 0:
                raise OSError(errno.EIO, os.strerror(errno.EIO))
            written += count
        if durable:
            fs.sync(descriptor)
        return Stamp.of(fs.fstat(descriptor))
    except OSError as error:
        left: Untouched = "unsure" if written == len(data) else "tail-torn"
        if _taken_back(fs, descriptor, size, written):
            left = "nothing-changed"
        raise refused(error, path, left) from error


def _taken_back(fs: seam.FS, descriptor: int, size: int, written: int) -> bool:
    """Whether the file has its old ``size`` again.

    It is cut only if nobody else appended: it must be exactly as long as it was and what we wrote.
    """
    try:
        if fs.fstat(descriptor).st_size != size + written:
            return False
        if written:
            fs.truncate(descriptor, size)
    except OSError:
        return False
    return True
