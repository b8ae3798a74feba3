"""Take back a change that was carried out, to the exact bytes, while each file is as the change left it."""

from __future__ import annotations

from agentbrief.changes.apply import undo
from agentbrief.changes.receipt import Receipt
from agentbrief.disk.lock import Caller
from agentbrief.disk.seam import FS
from agentbrief.tasks.compaction.keeping import Where


def undo_change(fs: FS, receipt: Receipt, where: Where, caller: Caller) -> Receipt:
    """The receipt of taking back ``receipt``, carried out in ``where``. Its checkpoint stays.

    Raises:
        Refused: nothing was changed. ``Conflict`` if a file was changed since: then the checkpoint can still
            be restored.
    """
    return undo(where.site(fs, caller), receipt)
