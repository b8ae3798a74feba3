"""Real processes that write, read and die. They are forked: a start takes milliseconds."""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.process import BaseProcess
from typing import Any

import pytest

from agentbrief.disk.lock import Caller

needs_fork = pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="forks processes and kills them"
)


def real_caller() -> Caller:
    return Caller(os.getpid(), time.time_ns, time.sleep)


@contextmanager
def running(work: Callable[..., Any], *arguments: Any) -> Iterator[tuple[BaseProcess, int]]:
    """A process that does ``work(write_end, *arguments)``, and the end on which it is heard."""
    read_end, write_end = os.pipe()

    def child() -> None:
        os.close(read_end)
        try:
            work(write_end, *arguments)
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        os._exit(0)

    process = multiprocessing.get_context("fork").Process(target=child)
    process.start()
    os.close(write_end)
    try:
        yield process, read_end
    finally:
        if process.is_alive():
            os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
        os.close(read_end)


def heard(read_end: int) -> bytes:
    """All that a process said until it ended."""
    said = b""
    while piece := os.read(read_end, 1 << 16):
        said += piece
    return said
