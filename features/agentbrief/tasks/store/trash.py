"""What lies in the trash of a store, and how does it come back?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence

from agentbrief.changes.apply import Site, apply, undo
from agentbrief.changes.steps import FromTrash, Step, result
from agentbrief.changes.trash import TrashItem, trash_items
from agentbrief.disk.folder import entries
from agentbrief.disk.lock import Caller
from agentbrief.disk.read import FileBytes, Roots, read_bytes
from agentbrief.disk.refusal import Conflict, Refused
from agentbrief.disk.seam import FS
from agentbrief.disk.values import ReadProblem
from agentbrief.maintenance.batches import MOST_IN_A_BATCH
from agentbrief.maintenance.cleaned import Cleaned, Restored, StoreTrash, TrashedCleanup, TrashedFile
from agentbrief.maintenance.cleanup_record import (
    CleanupRecord,
    is_of_record,
    of_label,
    read_record,
    record_id,
)
from agentbrief.maintenance.take_back import TakingBack, taking_back
from agentbrief.sessions.store.folder import MAX_STORE_BYTES, StoreFolder
from agentbrief.tasks.store.look import folder_at, readable, site_of
from agentbrief.tasks.store.place import StorePlace


def trash_of(fs: FS, place: StorePlace) -> StoreTrash:
    """The trash of the store at ``place``; an empty one where there is none.

    Raises:
        Refused: it may not be read.
    """
    roots = readable(fs, place)
    if not roots:
        raise Refused("vanished", place.folder)
    listed = trash_items(fs, place.folder, roots)
    files = tuple(_trashed(item) for item in listed if not is_of_record(os.path.basename(item.trashed)))
    folder = _folder(fs, place)
    stamps = {entry.name: entry.stamp for entry in entries(fs, place.folder, roots) or ()}
    sizes = {name: stamp.size for name, stamp in stamps.items()}
    size = sizes.get(os.path.basename(place.path))
    keys = {key for entry in folder.store.entries for key in entry.stored}
    cleanups: list[TrashedCleanup] = []
    for record in _records(fs, place, listed):
        found = TrashedCleanup(
            record,
            sum(key not in keys for key in record.dropped),
            sum(
                each.old not in stamps and each.new in stamps and each.is_done_to(stamps[each.new])
                for each in record.renamed
            ),
            sum(file.cleanup == record.id for file in files),
            sum(size is not None and sizes.get(name) == size for name in record.copied),
        )
        if found.is_open:
            cleanups.append(found)
    return StoreTrash(
        place.agent_id, place.path, files, tuple(sorted(cleanups, key=lambda each: -each.record.time_ms))
    )


def restore(fs: FS, place: StorePlace, caller: Caller, wanted: Sequence[str] | None = None) -> Restored:
    """What came back of the trash: all, or the files and cleanups whose identifiers are ``wanted``.

    Raises:
        Refused: the world did not let it happen; what came back before stays.
        ValueError: an identifier names nothing; nothing was changed.
    """
    trash = trash_of(fs, place)
    known = {each.id for each in trash.files} | {each.record.id for each in trash.cleanups}
    if missing := [name for name in wanted or () if name not in known]:
        raise ValueError(missing[0])
    cleanups = [each for each in trash.cleanups if wanted is None or each.record.id in wanted]
    ids = {each.record.id for each in cleanups}
    single = [
        file for file in trash.files if file.cleanup not in ids and (wanted is None or file.id in wanted)
    ]
    found: list[Restored] = []
    try:
        for each in cleanups:
            _take_back(fs, place, each.record, caller, found)
        if single:
            _put_back(fs, place, single, caller, found)
    except Refused as refusal:
        if any(each.receipts for each in found):
            refusal.leaving("partly-done")
        raise
    return _joined(found)


def undo_cleanup(fs: FS, place: StorePlace, cleaned: Cleaned, caller: Caller) -> Restored:
    """What came back of a cleanup that was just done.

    Raises:
        Refused: the world did not let it happen.
    """
    if len(cleaned.receipts) == 1:
        try:
            undone = undo(site_of(fs, _folder(fs, place), caller), cleaned.receipts[0])
        except Conflict:
            # Something has changed since: what still can be is taken back one by one.
            pass
        else:
            keys = tuple(item.what for item in cleaned.done if item.action == "drop-entry")
            names = tuple(item.what for item in cleaned.done if item.action in ("archive", "trash"))
            copies = tuple(item.new_name or "" for item in cleaned.done if item.action == "rotate")
            return Restored(names, keys, (), (undone,), copies)
    trash = trash_of(fs, place)
    record = next((each.record for each in trash.cleanups if each.record.id == cleaned.id), None)
    return restore(fs, place, caller, [record.id]) if record is not None else Restored()


def _take_back(
    fs: FS, place: StorePlace, record: CleanupRecord, caller: Caller, done: list[Restored]
) -> None:
    """Take one cleanup back. What was done is added to ``done`` step by step."""
    folder = _folder(fs, place)
    back = _back(fs, place, folder, record)
    site = site_of(fs, folder, caller)
    done.append(Restored(left_out=back.taken))
    _in_pieces(site, back.files, done)
    if back.store:
        # The files are there before the sessions that use them.
        receipt = apply(site, back.store)
        gone = {edit.key for each in receipt.done for edit in each.left_out}
        done.append(Restored(keys=tuple(key for key in back.keys if key not in gone), receipts=(receipt,)))
    if back.copies:
        receipt = apply(site, back.copies, leave_out_changed=True)
        copies = tuple(os.path.basename(each.path) for each in receipt.done)
        done.append(Restored(receipts=(receipt,), copies=copies))


def _back(fs: FS, place: StorePlace, folder: StoreFolder, record: CleanupRecord) -> TakingBack:
    roots = readable(fs, place)
    mine = [
        item
        for item in trash_items(fs, place.folder, roots)
        if (of_label(item.label) or ("", ""))[0] == record.id
    ]
    store = os.path.join(folder.real_folder, folder.store_name)
    return taking_back(record, folder, mine, _bytes(fs, store, roots), _bytes(fs, record.copy_path, roots))


def _put_back(
    fs: FS, place: StorePlace, files: Iterable[TrashedFile], caller: Caller, done: list[Restored]
) -> None:
    """Put single files back. What was done is added to ``done`` step by step."""
    folder = _folder(fs, place)
    taken = set(folder.names)
    steps: list[Step] = []
    left_out: list[str] = []
    for file in files:
        path = file.item.path
        if path is None or (os.path.dirname(path) in folder.spellings and file.name in taken):
            left_out.append(file.name)
            continue
        taken.add(file.name)
        steps.append(FromTrash(file.item.trashed, path, file.item.stamp))
    done.append(Restored(left_out=tuple(left_out)))
    _in_pieces(site_of(fs, folder, caller), steps, done)


def _in_pieces(site: Site, steps: Sequence[Step], done: list[Restored]) -> None:
    for start in range(0, len(steps), MOST_IN_A_BATCH):
        receipt = apply(site, steps[start : start + MOST_IN_A_BATCH], leave_out_changed=True)
        files = tuple(os.path.basename(each.path) for each in receipt.done)
        left = tuple(os.path.basename(result(each.step)) for each in receipt.left_out)
        done.append(Restored(files, (), left, (receipt,)))


def _folder(fs: FS, place: StorePlace) -> StoreFolder:
    found = folder_at(fs, place)
    if isinstance(found, ReadProblem):
        raise Refused("failed", found.path, detail=found.kind)
    return found


def _records(fs: FS, place: StorePlace, listed: Iterable[TrashItem]) -> Iterable[CleanupRecord]:
    for item in listed:
        if record_id(os.path.basename(item.trashed)) is None:
            continue
        read = _bytes(fs, item.trashed, readable(fs, place))
        record = read_record(item.trashed, read.data) if read is not None else None
        if record is not None:
            yield record


def _bytes(fs: FS, path: str, roots: Roots) -> FileBytes | None:
    read = read_bytes(fs, path, roots, MAX_STORE_BYTES)
    if isinstance(read, ReadProblem):
        raise Refused("failed", path, detail=read.kind)
    return read


def _trashed(item: TrashItem) -> TrashedFile:
    cleanup = of_label(item.label)
    identifier = f"{item.day}/{os.path.basename(item.trashed)}"
    return TrashedFile(identifier, item, *(cleanup or (None, item.label or None)))


def _joined(found: Iterable[Restored]) -> Restored:
    found = tuple(found)
    return Restored(
        tuple(name for each in found for name in each.files),
        tuple(key for each in found for key in each.keys),
        tuple(name for each in found for name in each.left_out),
        tuple(receipt for each in found for receipt in each.receipts),
        tuple(name for each in found for name in each.copies),
    )
