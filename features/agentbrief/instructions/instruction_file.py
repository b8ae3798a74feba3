"""What is known about one instruction file?"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache

from agentbrief.disk.values import ReadProblem, Stamp
from agentbrief.profiles.profile import Scope
from agentbrief.text.whitespace import collapse, is_blank


@dataclass(frozen=True, slots=True)
class InstructionFile:
    """A file with a listed name that exists in a folder of the chain.

    ``name`` is its name as the profile lists it, relative to ``folder``; ``distance`` grows away from the
    start folder (0), ``rank`` is the place of its name inside the folder. A file that was not read has a
    ``problem``, no ``stamp`` and an empty text. ``spelled`` is the name on a disk that folds case, where it
    differs. ``hidden`` and ``is_open``: see FileText.
    """

    path: str
    real_path: str
    name: str
    folder: str
    scope: Scope
    distance: int
    rank: int
    text: str = ""
    stamp: Stamp | None = None
    problem: ReadProblem | None = None
    spelled: str | None = None
    hidden: int = 0
    is_open: bool = False

    @property
    def chars(self) -> int:
        """The length of the whole text, white space included."""
        return len(self.text)

    @property
    def blank(self) -> bool:
        """Whether the file was read and holds only white space."""
        return self.problem is None and is_blank(self.text)

    @property
    def content_key(self) -> str:
        """The SHA-256 that two files share when an agent that drops duplicates takes them for one."""
        return content_key(self.text)

    def is_same_file(self, other: InstructionFile) -> bool:
        """Whether both names lead to one physical file (a link, or a hard link)."""
        mine, theirs = self.stamp, other.stamp
        return (
            mine is not None
            and theirs is not None
            and (mine.dev, mine.ino) == (theirs.dev, theirs.ino) != (0, 0)
        )


@lru_cache(maxsize=1024)
def content_key(text: str) -> str:
    """SHA-256 (hex) of ``text`` without line-end style, trailing blanks and repeated blank lines.

    The same text object is hashed once: a text that did not change costs a look-up. Source: claw.md 2.4.
    """
    return hashlib.sha256(collapse(text).encode("utf-8", "surrogatepass")).hexdigest()
