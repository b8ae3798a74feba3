"""How is a plan carried out so that it happens as it was previewed, and can be undone?

The locks are taken, each file is compared with the version that was planned on, verified copies are made,
then the rest is done in its order. The first failure stops it, and what was done before is undone.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from agentbrief.changes.perform import perform
from agentbrief.changes.places import checkpoints_folder, is_own
from agentbrief.changes.receipt import Done, LeftOut, Receipt
from agentbrief.changes.steps import (
    AppendRecord,
    CopyVerified,
    EditStore,
    Forward,
    Step,
    result,
    touched,
)
from agentbrief.changes.trash import TrashItem, purge
from agentbrief.disk.folder import make_folder, stamp_of
from agentbrief.disk.lock import Caller, Held, hold
from agentbrief.disk.read import Roots
from agentbrief.disk.refusal import Conflict, Refused
from agentbrief.disk.seam import FS
from agentbrief.disk.sidecar import Beside, LockFormat, hold_beside
from agentbrief.disk.spelling import refused_spelling
from agentbrief.disk.temporary import sweep
from agentbrief.disk.values import Stamp, bare

Protected = Callable[[Step], str | None]
"""Why a step must not be carried out now, as one word; None if it may."""


@dataclass(frozen=True, slots=True)
class Site:
    """Where steps are carried out.

    ``store`` is the folder whose lock is held, and which is made if its parent lies in ``also``. ``also`` are
    further real folders to write in, ``read`` further ones that sources of copies may lie in. ``beside`` are
    the files whose lock file of another program is held too, in this order.
    """

    fs: FS
    store: str
    caller: Caller
    also: Roots = frozenset()
    read: Roots = frozenset()
    beside: tuple[str, ...] = ()
    lock_format: LockFormat | None = None


def apply(
    site: Site,
    steps: Sequence[Step],
    *,
    protected: Protected | None = None,
    leave_out_changed: bool = False,
) -> Receipt:
    """The receipt of ``steps``, carried out as planned.

    A step whose file changed since the plan stops it all, or with ``leave_out_changed`` is left out alone, as
    is what ``protected`` gives a reason for; it is asked right before each step. Nothing is ever added. What
    went into our own folder, such as a checkpoint, stays when the receipt is undone.

    Raises:
        Refused: nothing was changed, or what was done before was undone (``undone``), or (``partly-done``)
            could not be. ``Conflict`` if a file is not the version that was planned on.
        ValueError: a path is none, or a step lacks its stamp.
    """
    _require_paths(steps)
    with _locked(site) as (held, locks):
        return _applied(site, held, locks, steps, protected, leave_out_changed)


def apply_planned(site: Site, plan: Callable[[], Sequence[Step]]) -> Receipt:
    """The receipt of the steps that ``plan`` gives once the locks are held, when nobody else of us writes.

    For a plan that is quickly made and that nobody was shown; see :func:`apply`. What ``plan`` raises is
    raised, and nothing was changed.
    """
    with _locked(site) as (held, locks):
        steps = plan()
        _require_paths(steps)
        return _applied(site, held, locks, steps, None, False)


def undo(site: Site, receipt: Receipt) -> Receipt:
    """The receipt of taking back ``receipt``. Only while each file is as the change left it.

    Raises:
        Refused: nothing was changed, or (``partly-done``) a part was taken back. ``Conflict`` if a file was
            changed since.
    """
    with _locked(site) as (held, locks):
        seen: set[str] = set()
        for step in receipt.undo:
            if touched(step) not in seen and stamp_of(held.fs, touched(step)) != bare(step.stamp):
                raise Conflict(touched(step))
            seen |= {touched(step), result(step)}
        done, _ = _carry_out(site, held, locks, receipt.undo, [], None, False)
        return Receipt(site.fs.unique(), site.caller.now_ns(), held.store, tuple(done))


def purge_trash(site: Site, items: Sequence[TrashItem]) -> tuple[TrashItem, ...]:
    """Those ``items`` of the trash that are gone for good now.

    Raises:
        Refused: the store is locked, or the trash may not be written.
    """
    with _locked(site) as (held, _):
        return purge(held, items)


def _require_paths(steps: Sequence[Step]) -> None:
    """What a caller got wrong is said before anything is done, as it could not be undone afterwards."""
    for step in steps:
        for path in (touched(step), result(step)):
            if refused_spelling(path) or not os.path.isabs(path) or not os.path.basename(path):
                raise ValueError(f"no path of a file: {path!r}")


def _applied(
    site: Site,
    held: Held,
    locks: Sequence[Beside],
    steps: Sequence[Step],
    protected: Protected | None,
    leave_out_changed: bool,
) -> Receipt:
    left_out: list[LeftOut] = []
    ready: list[Step] = []
    for step in sorted(steps, key=lambda step: not isinstance(step, CopyVerified)):
        why = _why_not(held, step, protected)
        if why == "changed" and not leave_out_changed:
            raise Conflict(touched(step))
        if why:
            left_out.append(LeftOut(step, why))
        else:
            ready.append(step)
    done, undo = _carry_out(site, held, locks, ready, left_out, protected, leave_out_changed)
    back = tuple(step for step in undo if not (is_own(touched(step)) and is_own(result(step))))
    return Receipt(site.fs.unique(), site.caller.now_ns(), held.store, tuple(done), tuple(left_out), back)


@contextmanager
def _locked(site: Site) -> Generator[tuple[Held, tuple[Beside, ...]]]:
    if not os.path.isabs(site.store):
        raise ValueError(f"no path of a folder: {site.store!r}")
    if site.also and stamp_of(site.fs, site.store) is None:
        make_folder(site.fs, site.store, site.also)
    with ExitStack() as stack:
        held = stack.enter_context(hold(site.fs, site.store, site.caller, also=site.also))
        for folder in (held.store, checkpoints_folder(held.store)):
            sweep(held, folder)
        locks: list[Beside] = []
        for path in site.beside:
            if site.lock_format is None:
                raise ValueError("lock files of a program need its format")
            locks.append(stack.enter_context(hold_beside(held, path, site.lock_format)))
        yield held, tuple(locks)


def _why_not(held: Held, step: Step, protected: Protected | None) -> str | None:
    """Why ``step`` may not be carried out now: ``changed``, or the word of ``protected``."""
    is_open = isinstance(step, EditStore) or (isinstance(step, AppendRecord) and step.stamp is None)
    if not is_open and stamp_of(held.fs, touched(step)) != bare(step.stamp):
        return "changed"
    return protected(step) if protected is not None else None


def _carry_out(
    site: Site,
    held: Held,
    locks: Sequence[Beside],
    steps: Sequence[Step],
    left_out: list[LeftOut],
    protected: Protected | None,
    leave_out_changed: bool,
) -> tuple[list[Done], list[Step]]:
    done: list[Done] = []
    undo: list[Step] = []
    now: dict[str, Stamp | None] = {}
    try:
        for step in steps:
            for lock in locks:
                lock.require()
            if protected is not None and (why := protected(step)):
                left_out.append(LeftOut(step, why))
                continue
            path = touched(step)
            try:
                found = perform(held, step, now.get(path, step.stamp), done, site.read)
            except Conflict:
                if not leave_out_changed:
                    raise
                left_out.append(LeftOut(step, "changed"))
                continue
            done.append(found.done)
            undo[:0] = found.undo
            now[found.done.path] = found.done.stamp
    except Refused as refusal:
        if done:
            is_final = any(not isinstance(each.step, Forward) for each in done)
            # A step that may have taken effect needs what was done before it: the copy above all.
            keep = is_final or refusal.untouched in ("unsure", "partly-done")
            if keep or not _taken_back(site, held, undo):
                refusal.leaving("partly-done")
            elif refusal.untouched == "nothing-changed":
                refusal.leaving("undone")
        raise
    return done, undo


def _taken_back(site: Site, held: Held, undo: Sequence[Step]) -> bool:
    """Whether everything that was done is undone."""
    now: dict[str, Stamp | None] = {}
    for step in undo:
        try:
            found = perform(held, step, now.get(touched(step), step.stamp), [], site.read)
        except Refused:
            return False
        now[found.done.path] = found.done.stamp
    return True
