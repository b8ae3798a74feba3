"""How is one step carried out, and which steps would take it back?"""

from __future__ import annotations

import os
from typing import NamedTuple, assert_never

from agentbrief.changes.places import is_own
from agentbrief.changes.receipt import Done
from agentbrief.changes.steps import (
    AppendRecord,
    CopyVerified,
    CutBack,
    EditStore,
    FromTrash,
    MoveToTrash,
    PutBack,
    RemoveNew,
    RenameFile,
    ReplaceFile,
    Step,
)
from agentbrief.changes.store_text import edited
from agentbrief.changes.trash import from_trash, to_trash
from agentbrief.disk.append import append
from agentbrief.disk.copy import copy_verified
from agentbrief.disk.folder import make_folder
from agentbrief.disk.lock import Held
from agentbrief.disk.move import move, remove
from agentbrief.disk.read import FileBytes, Roots, read_bytes
from agentbrief.disk.refusal import Conflict, Refused
from agentbrief.disk.replace import replace, shorten
from agentbrief.disk.values import ReadProblem, Stamp, hashed

MAX_REWRITTEN_BYTES = 1 << 31
"""The largest file that is rewritten whole."""


class Performed(NamedTuple):
    """A step done, and the steps that take it back, in their order."""

    done: Done
    undo: tuple[Step, ...]


def perform(held: Held, step: Step, stamp: Stamp | None, done: list[Done], read_roots: Roots) -> Performed:
    """What came of ``step``; its file must be the version ``stamp``.

    ``done`` are the steps before it: a file that one of them has copied is put back from that copy.

    Raises:
        Refused: nothing of this step was changed, or its ``untouched`` says what was.
    """
    match step:
        case CopyVerified():
            _own_folder_for(held, step.target)
            copied = copy_verified(
                held.fs,
                step.source,
                step.target,
                read_roots=read_roots | held.roots,
                roots=held.roots,
                expect=stamp,
            )
            return Performed(Done(step, copied.path, copied.stamp), (RemoveNew(copied.path, copied.stamp),))
        case ReplaceFile():
            return _replaced(held, step, stamp, done)
        case AppendRecord():
            _own_folder_for(held, step.path)
            appended = append(held, step.path, step.record, expect=stamp)
            back: Step = RemoveNew(step.path, appended.stamp)
            if appended.before is not None:
                back = CutBack(step.path, appended.before.size, appended.stamp)
            return Performed(Done(step, step.path, appended.stamp), (back,))
        case MoveToTrash():
            trashed, left = to_trash(held, step.path, _required(stamp), step.label)
            return Performed(Done(step, trashed, left), (FromTrash(trashed, step.path, left),))
        case RenameFile():
            left = move(held, step.path, step.target, expect=_required(stamp))
            return Performed(Done(step, step.target, left), (RenameFile(step.target, step.path, left),))
        case EditStore():
            return _store_edited(held, step)
        case CutBack():
            return _undone(step, shorten(held, step.path, step.size_bytes, expect=_required(stamp)))
        case PutBack():
            copy = read_whole(held, step.copy)
            if copy.stamp.sha256 != step.copy_stamp.sha256:
                raise Refused("copy-differs", step.copy)
            return _undone(step, replace(held, step.path, copy.data, expect=_required(stamp)))
        case RemoveNew():
            remove(held, step.path, expect=_required(stamp))
            return _undone(step, None)
        case FromTrash():
            left = from_trash(held, step.trashed, step.path, _required(stamp))
            return Performed(Done(step, step.path, left), (MoveToTrash(step.path, left),))
        case _:
            assert_never(step)


def read_whole(held: Held, path: str) -> FileBytes:
    """The content of ``path``, with its hash in the stamp.

    Raises:
        Refused: it cannot be read.
    """
    found = read_bytes(held.fs, path, held.roots, MAX_REWRITTEN_BYTES)
    if isinstance(found, FileBytes):
        return found
    if isinstance(found, ReadProblem):
        raise Refused("outside" if found.kind == "outside-roots" else "failed", path, detail=found.kind)
    raise Conflict(path, detail="gone")


def _replaced(held: Held, step: ReplaceFile, stamp: Stamp | None, done: list[Done]) -> Performed:
    _own_folder_for(held, step.path)
    if stamp is None:
        if step.makes_folder:
            make_folder(held.fs, os.path.dirname(step.path), held.roots)
        left = replace(held, step.path, step.data, expect=None)
        return Performed(Done(step, step.path, left), (RemoveNew(step.path, left),))
    copy = next(
        (made for made in done if isinstance(made.step, CopyVerified) and made.step.source == step.path), None
    )
    if copy is not None and copy.stamp is not None:
        expect = stamp if stamp.sha256 else hashed(stamp, copy.stamp.sha256)
        left = replace(held, step.path, step.data, expect=expect)
        return Performed(Done(step, step.path, left), (PutBack(step.path, copy.path, copy.stamp, left),))
    old = read_whole(held, step.path)
    left = replace(
        held, step.path, step.data, expect=stamp if stamp.sha256 else hashed(stamp, old.stamp.sha256)
    )
    return Performed(Done(step, step.path, left), (_with_old_content(step.path, old.data, left),))


def _store_edited(held: Held, step: EditStore) -> Performed:
    """Compared entry by entry, under the lock: other entries of a store change all the time."""
    old = read_whole(held, step.path)
    try:
        new = edited(old.data, step.edits)
    except ValueError as error:
        raise Conflict(step.path, detail="no JSON object") from error
    if new.data == old.data:
        return Performed(Done(step, step.path, old.stamp, new.left_out), ())
    left = replace(held, step.path, new.data, expect=old.stamp)
    return Performed(
        Done(step, step.path, left, new.left_out), (_with_old_content(step.path, old.data, left),)
    )


def _with_old_content(path: str, data: bytes, left: Stamp) -> Step:
    return ReplaceFile(path, data, left) if data else CutBack(path, 0, left)


def _undone(step: Step, left: Stamp | None) -> Performed:
    assert not isinstance(step, CopyVerified)
    path = step.path
    return Performed(Done(step, path, left), ())


def _own_folder_for(held: Held, path: str) -> None:
    """Our own folder of a store is made when something first goes into it."""
    if is_own(path):
        make_folder(held.fs, os.path.dirname(path), held.roots)


def _required(stamp: Stamp | None) -> Stamp:
    if stamp is None:
        raise ValueError("this step needs a stamp")
    return stamp
