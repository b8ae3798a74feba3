"""What does a pi transcript say: header, tree, name, labels?

OpenClaw writes the same format. ``pi_read`` makes these values of a file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.model import Damage
from agentbrief.sessions.pi.versions import VERSION
from agentbrief.sessions.tree import TranscriptTree, TreeEntry
from agentbrief.text import utf16


def cwd_of(header: Mapping[str, JsonValue]) -> str | None:
    """The folder that a header names."""
    cwd = header.get("cwd")
    return cwd if isinstance(cwd, str) else None


@dataclass(frozen=True, slots=True)
class PiTranscript:
    """A transcript that was read. ``header`` is shown as of version 3 where it was older.

    ``version`` is the one in the file. ``lines`` counts all but blank ones, ``parsed`` the records among
    them. ``ends_with_newline`` is false where the next record has to begin with a line end.
    """

    header: Mapping[str, JsonValue] = field(hash=False)
    version: int
    tree: TranscriptTree
    damage: tuple[Damage, ...]
    lines: int
    parsed: int
    torn_tail: bool
    ends_with_newline: bool

    @property
    def session_id(self) -> str:
        """The identifier in the header."""
        return str(self.header["id"])

    @property
    def cwd(self) -> str | None:
        """The folder in the header."""
        return cwd_of(self.header)

    @property
    def name(self) -> str | None:
        """The name given last on any branch, trimmed; None if there is none or it was cleared."""
        for entry in reversed(self.tree.entries):
            if entry.type == "session_info":
                name = entry.value.get("name")
                return utf16.trim(name) or None if isinstance(name, str) else None
        return None

    @property
    def writable(self) -> bool:
        """Whether the format's version is one that may be appended to."""
        return self.version <= VERSION


@dataclass(frozen=True, slots=True)
class NoTranscript:
    """Why a file is no transcript (``no-header``, ``empty-file``), and what its first line has wrong."""

    code: str
    damage: tuple[Damage, ...] = ()


def is_header(value: Mapping[str, JsonValue]) -> bool:
    """Whether a record is the header of a session."""
    return value.get("type") == "session" and isinstance(value.get("id"), str)


def label_text(entry: TreeEntry) -> str | None:
    """The words of a label entry; None if it clears the label."""
    label = entry.value.get("label")
    return label if isinstance(label, str) and label else None


def labels_of(tree: TranscriptTree) -> dict[str, TreeEntry]:
    """Each labelled entry's identifier with the label entry that counts, in the order they were set.

    A label that is set again keeps its place; one that was cleared and set again goes to the end.
    """
    found: dict[str, TreeEntry] = {}
    for entry in tree.entries:
        target = entry.value.get("targetId") if entry.type == "label" else None
        if not isinstance(target, str) or target not in tree.by_id:
            continue
        if label_text(entry) is None:
            found.pop(target, None)
        else:
            found[target] = entry
    return found
