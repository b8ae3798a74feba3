"""What was true when the message was dispatched?

A coroutine's first step runs after everything that is already waiting, a later edit of the same document
among it. So the snapshot is taken when a message is handed on, and every task keeps the one of its own
moment.
"""

from __future__ import annotations

from contextvars import ContextVar

_SNAPSHOT: ContextVar[object] = ContextVar("snapshot", default=None)


def current_snapshot() -> object:
    """The snapshot of the message that is being handled here; None outside of one."""
    return _SNAPSHOT.get()


def keep(snapshot: object) -> None:
    """Make ``snapshot`` the current one of this context."""
    _SNAPSHOT.set(snapshot)
