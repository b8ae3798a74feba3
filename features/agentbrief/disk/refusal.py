"""The world refuses: what, where, what was not touched, and what to do now?

One exception for all of it. It carries identifiers of sentences (``disk.json`` of the catalogues), never a
text: the outlets say them in the reader's language.
"""

from __future__ import annotations

import errno
from typing import Literal

What = Literal[
    "no-space",
    "no-access",
    "read-only",
    "vanished",
    "not-a-file",
    "not-a-folder",
    "several-names",
    "not-ours",
    "outside",
    "exists",
    "changed",
    "would-empty",
    "record-too-large",
    "copy-differs",
    "locked",
    "locked-by",
    "held-by",
    "lock-unreadable",
    "lock-unsupported",
    "lock-lost",
    "failed",
]
Untouched = Literal["nothing-changed", "tail-torn", "unsure", "undone", "partly-done"]
Next = Literal[
    "free-space",
    "check-access",
    "check-folder",
    "look-at-file",
    "plan-again",
    "choose-name",
    "split-record",
    "wait",
    "remove-lock",
    "check-disk",
]

_BY_ERROR: dict[int, What] = {
    errno.ENOSPC: "no-space",
    errno.EDQUOT: "no-space",
    errno.EFBIG: "no-space",
    errno.EACCES: "no-access",
    errno.EPERM: "no-access",
    errno.EROFS: "read-only",
    errno.ENOENT: "vanished",
    errno.ENOTDIR: "not-a-folder",
    errno.EISDIR: "not-a-file",
    errno.ELOOP: "not-a-file",
    errno.ENXIO: "not-a-file",
    errno.EEXIST: "exists",
}

_NEXT: dict[What, Next] = {
    "no-space": "free-space",
    "no-access": "check-access",
    "read-only": "check-access",
    "vanished": "check-folder",
    "not-a-file": "look-at-file",
    "not-a-folder": "check-folder",
    "several-names": "look-at-file",
    "not-ours": "check-access",
    "outside": "look-at-file",
    "exists": "choose-name",
    "changed": "plan-again",
    "would-empty": "look-at-file",
    "record-too-large": "split-record",
    "copy-differs": "check-disk",
    "locked": "wait",
    "locked-by": "wait",
    "held-by": "wait",
    "lock-unreadable": "remove-lock",
    "lock-unsupported": "check-folder",
    "lock-lost": "plan-again",
    "failed": "check-disk",
}


class Refused(Exception):
    """The disk, or another program, does not let it happen.

    ``what`` happened, ``where`` (a path), what stayed ``untouched``, what to do ``next``: the sentences are
    ``disk.what.<what>``, ``disk.untouched.<untouched>`` and ``disk.next.<next>``, joined by ``disk.refused``.
    ``arguments`` fill their placeholders. ``detail`` is a word for the log.
    """

    def __init__(
        self,
        what: What,
        where: str,
        untouched: Untouched = "nothing-changed",
        *,
        arguments: tuple[tuple[str, str | int], ...] = (),
        detail: str = "",
    ) -> None:
        super().__init__(what, where, untouched)
        self.what: What = what
        self.where = where
        self.untouched: Untouched = untouched
        self.next: Next = _NEXT[what]
        self.arguments = arguments
        self.detail = detail

    def __str__(self) -> str:
        return f"{self.what}, {self.untouched}: {self.where}" + (f" ({self.detail})" if self.detail else "")

    def leaving(self, untouched: Untouched) -> Refused:
        """The same refusal of an operation that left the disk in the state ``untouched``."""
        self.untouched = untouched
        return self


class Conflict(Refused):
    """What was planned on is not what is there now."""

    def __init__(self, where: str, untouched: Untouched = "nothing-changed", *, detail: str = "") -> None:
        super().__init__("changed", where, untouched, detail=detail)


def refused(error: OSError, where: str, untouched: Untouched = "nothing-changed") -> Refused:
    """The refusal that stands for an error of the operating system."""
    what = _BY_ERROR.get(error.errno or 0, "failed")
    return Refused(what, where, untouched, detail=errno.errorcode.get(error.errno or 0, "EIO"))
