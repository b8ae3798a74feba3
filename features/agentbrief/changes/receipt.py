"""What was done, what was left out, and how is it undone? Values only."""

from __future__ import annotations

from dataclasses import dataclass

from agentbrief.changes.steps import EntryEdit, Step
from agentbrief.disk.values import Stamp


@dataclass(frozen=True, slots=True)
class Done:
    """A step that was carried out, and the version it left.

    ``path`` is where its result stands: the copy, the trashed file, the file itself. ``left_out`` are the
    edits of a store that were not made, as their entries had changed.
    """

    step: Step
    path: str
    stamp: Stamp | None
    left_out: tuple[EntryEdit, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A step of the plan that was not carried out: its file had ``changed``, or what protects it."""

    step: Step
    why: str


@dataclass(frozen=True, slots=True)
class Receipt:
    """The result of an application, held in memory.

    ``time_ns`` is when it was done (since 1970), ``store`` the folder whose lock was held, ``undo`` the steps
    that take it back, in their order.
    """

    id: str
    time_ns: int
    store: str
    done: tuple[Done, ...]
    left_out: tuple[LeftOut, ...] = ()
    undo: tuple[Step, ...] = ()
