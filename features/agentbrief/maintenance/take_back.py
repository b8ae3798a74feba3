"""Which steps take a cleanup back, as far as that is still possible?

Files get their old names again where these are free; sessions that the store lacks come back. The store gets
the very bytes it had where nothing else has changed in it, else only the entries it lacks.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from agentbrief.changes.steps import EditStore, EntryEdit, FromTrash, RemoveNew, RenameFile, ReplaceFile, Step
from agentbrief.changes.store_text import edited
from agentbrief.changes.trash import TrashItem
from agentbrief.disk.read import FileBytes
from agentbrief.disk.values import hashed
from agentbrief.maintenance.batches import raw_values
from agentbrief.maintenance.cleanup_record import CleanupRecord
from agentbrief.sessions.store.folder import StoreFolder

EMPTY_STORE = b"{}"


@dataclass(frozen=True, slots=True)
class TakingBack:
    """What can be taken back of a cleanup. ``taken`` are names of files whose old place is taken.

    ``files`` are the steps on files, ``store`` those that come after them, ``copies`` the last ones: copies
    that the cleanup made of the very store that is there again. ``keys`` are the sessions that come back.
    """

    files: tuple[Step, ...] = ()
    store: tuple[Step, ...] = ()
    copies: tuple[Step, ...] = ()
    keys: tuple[str, ...] = ()
    taken: tuple[str, ...] = ()


def taking_back(
    record: CleanupRecord,
    folder: StoreFolder,
    trashed: Iterable[TrashItem],
    store: FileBytes | None,
    copy: FileBytes | None,
) -> TakingBack:
    """What of the cleanup ``record`` can be taken back in ``folder``.

    ``trashed`` are the files that it moved to the trash, ``store`` the store as it is, ``copy`` the copy that
    was made of it; None where it is not there.
    """
    stamps = {file.name: file.stamp for file in folder.files}
    steps: list[Step] = []
    taken: list[str] = []
    for each in record.renamed:
        if each.new not in stamps or not each.is_done_to(stamps[each.new]):
            continue
        if each.old in stamps:
            # One that looks the same still has its old name: its archive name was another file's.
            if not each.is_done_to(stamps[each.old]):
                taken.append(each.old)
            continue
        steps.append(RenameFile(_path(folder, each.new), _path(folder, each.old), stamps[each.new]))
        stamps[each.old] = stamps.pop(each.new)
    for item in trashed:
        name = os.path.basename(item.path) if item.path is not None else ""
        if not name or name in stamps:
            taken.append(name or item.trashed)
            continue
        steps.append(FromTrash(item.trashed, _path(folder, name), item.stamp))
        stamps[name] = item.stamp
    keys, after, store_steps = _store_steps(record, folder, store, copy)
    same = next((each for each in (copy, store) if each is not None and each.data == after), None)
    copies = [
        RemoveNew(_path(folder, name), hashed(stamps[name], same.stamp.sha256))
        for name in record.copied
        if same is not None and name in stamps and stamps[name].size == len(same.data)
    ]
    return TakingBack(tuple(steps), tuple(store_steps), tuple(copies), keys, tuple(taken))


def _store_steps(
    record: CleanupRecord, folder: StoreFolder, store: FileBytes | None, copy: FileBytes | None
) -> tuple[tuple[str, ...], bytes, list[Step]]:
    """The sessions that come back, the store's bytes afterwards, and the steps."""
    present = store.data if store is not None else EMPTY_STORE
    if copy is None:
        return (), present, []
    try:
        old, now = raw_values(copy.data), raw_values(present)
    except ValueError:
        return (), present, []
    keys = tuple(key for key in record.dropped if key in old and key not in now)
    if not keys:
        return (), present, []
    path = _path(folder, record.store)
    back = tuple(EntryEdit(key, None, old[key]) for key in keys)
    if store is None:
        return keys, edited(present, back).data, [ReplaceFile(path, edited(present, back).data, None)]
    without = edited(copy.data, tuple(EntryEdit(key, old[key], None) for key in keys)).data
    if without == present:
        return keys, copy.data, [ReplaceFile(path, copy.data, store.stamp)]
    return keys, edited(present, back).data, [EditStore(path, back, store.stamp)]


def _path(folder: StoreFolder, name: str) -> str:
    return os.path.join(folder.real_folder, name)
