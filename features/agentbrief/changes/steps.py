"""What can be done to the files of a store? Values only; each names the version it was planned on."""

from __future__ import annotations

from dataclasses import dataclass

from agentbrief.disk.values import Stamp as Stamp  # steps name versions; who plans them may too


@dataclass(frozen=True, slots=True)
class CopyVerified:
    """A copy of ``source`` under the new name ``target``, read back before anything else happens."""

    source: str
    target: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class ReplaceFile:
    """New content for ``path``; without a stamp, a new file.

    ``makes_folder``: the folder of a new file is made if it is missing.
    """

    path: str
    data: bytes
    stamp: Stamp | None
    makes_folder: bool = False


@dataclass(frozen=True, slots=True)
class AppendRecord:
    """One line more at the end of ``path``; without a stamp, whatever stands before it, or a new file."""

    path: str
    record: bytes
    stamp: Stamp | None = None

    def __post_init__(self) -> None:
        if not self.record or b"\n" in self.record:
            raise ValueError("a record is one line that is not empty")


@dataclass(frozen=True, slots=True)
class MoveToTrash:
    """``path`` goes to the trash of its store. ``label`` is what the trash shows for it."""

    path: str
    stamp: Stamp
    label: str = ""


@dataclass(frozen=True, slots=True)
class RenameFile:
    """``path`` gets the new, free name ``target``."""

    path: str
    target: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class EntryEdit:
    """One entry of a store: the bytes of its value when it was planned, and those it gets.

    None stands for no such entry.
    """

    key: str
    before: bytes | None
    after: bytes | None


@dataclass(frozen=True, slots=True)
class EditStore:
    """Some entries of the JSON object in ``path``; all other bytes stay.

    The file may have changed since the stamp was taken: an edit whose entry is still the planned one is made,
    any other is left out.
    """

    path: str
    edits: tuple[EntryEdit, ...]
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class CutBack:
    """``path`` is cut to ``size_bytes``: an append undone."""

    path: str
    size_bytes: int
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class PutBack:
    """``path`` gets the content of the verified ``copy``, whose stamp holds its hash: a rewrite undone."""

    path: str
    copy: str
    copy_stamp: Stamp
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class RemoveNew:
    """``path``, which a step has made, goes again."""

    path: str
    stamp: Stamp


@dataclass(frozen=True, slots=True)
class FromTrash:
    """What lies at ``trashed`` in the trash goes back to ``path``."""

    trashed: str
    path: str
    stamp: Stamp


Forward = CopyVerified | ReplaceFile | AppendRecord | MoveToTrash | FromTrash | RenameFile | EditStore
"""What a plan consists of; each of them can be taken back."""

Step = Forward | CutBack | PutBack | RemoveNew
"""What can be carried out: the steps of a plan, and those that undo them."""


def touched(step: Step) -> str:
    """The path whose version ``step`` was planned on."""
    if isinstance(step, CopyVerified):
        return step.source
    return step.trashed if isinstance(step, FromTrash) else step.path


def result(step: Step) -> str:
    """The path that ``step`` leaves in a new version."""
    return step.target if isinstance(step, CopyVerified | RenameFile) else step.path
