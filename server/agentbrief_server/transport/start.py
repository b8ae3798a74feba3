"""What must be done before the first import that could print?

The protocol gets descriptors of its own. Descriptor 1 becomes a second name of standard error, descriptor 0
an empty file: from then on nothing a library prints, a C function writes or a child process reads can touch
the protocol. Only the standard library is imported here, and of it little.
"""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from typing_extensions import Buffer


@dataclass(frozen=True, slots=True)
class Descriptors:
    """The protocol's own descriptors."""

    reading: int
    writing: int


_YOUNG, _YOUNG_WHILE_IMPORTING = 8_000, 50_000
"""How many new objects make the garbage collector look. An answer makes hundreds that die by themselves."""

_NEVER = 1_000

_claimed: Descriptors | None = None


def claim_descriptors() -> Descriptors:
    """The protocol's own descriptors; the usual ones are pointed elsewhere. A second call changes nothing.

    Raises:
        OSError: standard input or output is closed: there is nobody to talk to.
    """
    global _claimed
    if _claimed is None:
        _claimed = Descriptors(_moved(0), _moved(1))
        empty = os.open(os.devnull, os.O_RDWR)
        os.dup2(empty, 0)
        try:
            os.dup2(2, 1)
        except OSError:  # closed: what is printed has nowhere to go
            os.dup2(empty, 1)
            os.dup2(empty, 2)
        os.close(empty)
        sys.stdin = io.TextIOWrapper(io.FileIO(0, "r", closefd=False), encoding="utf-8", errors="replace")
        sys.stdout = _stray_output(1)
        sys.stderr = _stray_output(2)
    return _claimed


@contextmanager
def importing() -> Generator[None, None, None]:
    """Let the garbage collector look at new objects alone, and rarely, while modules are imported.

    At rest it would leave a tenth more memory, for hardly less time. What the modules made
    is left out of its later rounds.
    """
    gc.set_threshold(_YOUNG_WHILE_IMPORTING, _NEVER, _NEVER)
    try:
        yield
    finally:
        gc.freeze()
        gc.set_threshold(_YOUNG, 20, 20)


def _moved(descriptor: int) -> int:
    """A duplicate above the three standard descriptors, which no child process inherits."""
    kept: list[int] = []
    try:
        while (duplicate := os.dup(descriptor)) <= 2:
            kept.append(duplicate)
    finally:
        for spare in kept:
            os.close(spare)
    return duplicate


class _Stray(io.RawIOBase):
    """A descriptor that may be dead: a write never fails, or each one would be reported to the same place."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._descriptor

    def write(self, data: Buffer, /) -> int:
        octets = memoryview(data)
        try:
            return os.write(self._descriptor, octets)
        except OSError:
            return octets.nbytes


def _stray_output(descriptor: int) -> io.TextIOWrapper:
    return io.TextIOWrapper(
        io.BufferedWriter(_Stray(descriptor)),
        encoding="utf-8",
        errors="backslashreplace",
        line_buffering=True,
    )
