"""What does a change cost where a power failure may undo it?

The setting ``durability: process``: what is written survives the end of the program, not that of the system.
"""

from __future__ import annotations

from agentbrief.disk.seam import FS, Folder


class Unsynced(FS):
    """The file calls of the operating system, without those that wait for the disk."""

    def sync(self, descriptor: int) -> None:
        """Nothing: the system writes when it likes."""

    def sync_folder(self, folder: Folder) -> None:
        """Nothing: the system writes when it likes."""
