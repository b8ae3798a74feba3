"""What is a compaction on the command line given: the clock, identifiers, the zone, a way to call it off?"""

from __future__ import annotations

import os
import signal
import time
import uuid
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Generator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from datetime import timezone as fixed

from agentbrief.compaction.layers import Clock
from agentbrief.compaction.providers.provider import CancelToken
from agentbrief.tasks.compaction.asked import Means
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief_server.cli.session_given import now_ms

INTERRUPTED = 130
_MS = 1000


def means_of(setup: SessionsSetup, cancel: CancelToken) -> Means:
    """What tasks on compaction need from outside."""
    seconds = setup.settings.number("compaction.timeoutSeconds") or 1
    clock = Clock(now_ms, seconds * _MS)
    return Means(clock, new_uuid, cancel=cancel, host_zone=host_zone(), pause=time.sleep)


def new_uuid() -> str:
    """A random identifier."""
    return str(uuid.uuid4())


def host_zone() -> tzinfo:
    """The zone of this machine."""
    offset = datetime.now().astimezone().utcoffset()
    return fixed(offset if offset is not None else timedelta())


def add_provider(parser: ArgumentParser) -> None:
    """The option that names who writes."""
    parser.add_argument(
        "--provider",
        metavar="NAME",
        action="append",
        help="who writes: extractive, command, or that of a package; repeat it to name the next ones",
    )


def bound(words: str) -> int:
    """A number of messages or tokens.

    Raises:
        ArgumentTypeError: it is none.
    """
    if not words.isascii() or not words.isdecimal():
        raise ArgumentTypeError("not a whole number of 0 or more")
    return int(words)


@contextmanager
def called_off() -> Generator[CancelToken]:
    """A token that an interruption sets: what runs ends by itself, and nothing is left half done."""
    cancel = CancelToken()

    def note(number: int, frame: object) -> None:
        if cancel.is_cancelled:
            os._exit(INTERRUPTED)
        cancel.cancel()

    before = signal.signal(signal.SIGINT, note)
    try:
        yield cancel
    finally:
        signal.signal(signal.SIGINT, before)
