"""Is what stands there now the plain file that was planned on?"""

from __future__ import annotations

import hashlib
import os

from agentbrief.disk import seam
from agentbrief.disk.read import close
from agentbrief.disk.refusal import Conflict, Refused
from agentbrief.disk.temporary import drop_twins
from agentbrief.disk.values import Stamp

_CHUNK_BYTES = 1 << 20


def plain(fs: seam.FS, folder: seam.Folder, name: str, path: str) -> os.stat_result:
    """The status of a plain file of ours under one name.

    Raises:
        Refused: it is something else, has further names, or another owner.
        FileNotFoundError: nothing is there.
    """
    return check_plain(fs, folder, name, path, fs.lstat_in(folder, name))


def check_plain(
    fs: seam.FS, folder: seam.Folder, name: str, path: str, status: os.stat_result
) -> os.stat_result:
    """``status``, which must be a plain file's of ours; renewed if a crash of ours had left a second name."""
    if not seam.is_regular(status):
        raise Refused("not-a-file", path)
    if status.st_nlink > 1:
        drop_twins(fs, folder, status)
        status = fs.lstat_in(folder, name)
        if status.st_nlink > 1:
            raise Refused("several-names", path)
    if not fs.is_ours(status):
        raise Refused("not-ours", path)
    return status


def compare(fs: seam.FS, folder: seam.Folder, name: str, path: str, expect: Stamp) -> os.stat_result:
    """The status of the plain file ``name``, which must still be the version ``expect``.

    Its content is compared too if ``expect`` holds a hash.

    Raises:
        Conflict: it is another version, or gone.
    """
    try:
        status = plain(fs, folder, name, path)
        if not same_version(expect, status):
            raise Conflict(path)
        if expect.sha256 is not None and sha256_of(fs, folder, name) != expect.sha256:
            raise Conflict(path, detail="content")
    except FileNotFoundError as error:
        raise Conflict(path, detail="gone") from error
    return status


def same_version(expect: Stamp, status: os.stat_result) -> bool:
    """Whether ``status`` is that of the version ``expect``, content not looked at."""
    found = Stamp.of(status, expect.sha256)
    return found == expect


def sha256_of(fs: seam.FS, folder: seam.Folder, name: str) -> str:
    """The SHA-256 of a file's content, in hexadecimal digits."""
    descriptor = fs.open_in(folder, name)
    try:
        digest = hashlib.sha256()
        while piece := fs.read(descriptor, _CHUNK_BYTES):
            digest.update(piece)
        return digest.hexdigest()
    finally:
        close(fs, descriptor)
