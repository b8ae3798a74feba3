"""How are the steps of a session of the workspace carried out?"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agentbrief.changes.apply import Site, apply
from agentbrief.changes.receipt import Receipt
from agentbrief.changes.steps import Step
from agentbrief.disk.lock import Caller
from agentbrief.disk.refusal import Conflict
from agentbrief.disk.seam import FS
from agentbrief.tasks.sessions.own import NotOwn, OwnFile, roots_of

_TRIES = 3

Planned = tuple[Step, ...] | NotOwn


def site_for(fs: FS, file: OwnFile, caller: Caller) -> Site:
    """Where steps of the session are carried out; the folder of its store is made if it is missing."""
    return Site(fs, file.store, caller, also=roots_of(fs, file))


def write(site: Site, steps: Sequence[Step]) -> Receipt | None:
    """The receipt of ``steps``; None when there is nothing to do, and then nothing is touched.

    Raises:
        Refused: nothing was changed.
    """
    return apply(site, steps) if steps else None


def planned_and_written(site: Site, plan: Callable[[], Planned]) -> Receipt | NotOwn | None:
    """The receipt of what ``plan`` gives; it is asked again when the file changed between plan and deed.

    Raises:
        Refused: nothing was changed.
    """
    for attempt in range(_TRIES):
        steps = plan()
        if isinstance(steps, NotOwn):
            return steps
        try:
            return write(site, steps)
        except Conflict:
            if attempt == _TRIES - 1:
                raise
    raise AssertionError("unreachable")
