"""What does a look at the disk give back? Values only."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Literal, NamedTuple

ProblemKind = Literal["outside-roots", "not-utf8", "too-large", "not-a-file", "unreadable", "dangling-link"]

BYTE_ORDER_MARK = "\ufeff"

MAX_RECORD_BYTES = 16 * 1024 * 1024
"""The longest line of a transcript that is held in memory or written."""


class Stamp(NamedTuple):
    """Which version of which file:

    device, inode, size (bytes), modification time (ns), and, where asked for, SHA-256.
    """

    dev: int
    ino: int
    size: int
    mtime_ns: int
    sha256: str | None = None

    @staticmethod
    def of(status: os.stat_result, sha256: str | None = None) -> Stamp:
        """The stamp of a status."""
        return Stamp(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, sha256)


def bare(stamp: Stamp | None) -> Stamp | None:
    """``stamp`` without its hash: as a look at the file, not into it, gives it."""
    return None if stamp is None else hashed(stamp, None)


def hashed(stamp: Stamp, sha256: str | None) -> Stamp:
    """``stamp`` with the hash ``sha256`` of the content."""
    return Stamp(stamp.dev, stamp.ino, stamp.size, stamp.mtime_ns, sha256)


@dataclass(frozen=True, slots=True)
class FileText:
    """A text file that was read whole.

    ``path`` as asked for, ``real_path`` with links resolved. ``hidden`` counts the code points at the start
    of ``text`` that an editor does not show (a byte-order mark that the open buffer lacks); ``is_open`` marks
    the text of an open buffer.
    """

    path: str
    real_path: str
    text: str
    stamp: Stamp
    hidden: int = 0
    is_open: bool = False


@dataclass(frozen=True, slots=True)
class FileTail:
    """The end of a file, undecoded. ``skipped`` are the bytes before ``data``, which were not read."""

    path: str
    real_path: str
    data: bytes
    stamp: Stamp
    skipped: int = 0


@dataclass(frozen=True, slots=True)
class ReadProblem:
    """Why a file that exists was not read. ``offset`` is the first bad byte of a ``not-utf8`` file.

    ``detail`` is a word for people: the system's reason, ``utf-16``, or the place an ``outside-roots`` link
    leads to.
    """

    path: str
    kind: ProblemKind
    offset: int | None = None
    detail: str = ""
