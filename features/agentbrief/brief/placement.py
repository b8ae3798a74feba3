"""What became of one instruction file, and of all of them together?"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentbrief.disk.values import ReadProblem
from agentbrief.instructions import InstructionFile, NearMiss
from agentbrief.text.markdown import headings
from agentbrief.text.span import Span

LimitedBy = Literal["file", "total"]
WhyOmitted = Literal["budget", "blank", "not-loaded"]


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits in force, in characters: those of the profile, or the settings that replace them."""

    per_file: int
    total: int


@dataclass(frozen=True, slots=True)
class Charge:
    """What a file takes of the total limit, in characters. ``limit`` is what it could have taken at most."""

    budget_before: int
    consumed: int
    limit: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A file that is sent.

    ``sent`` is the part of its text that reaches the agent; ``printed`` what stands in the prompt.

    ``scope`` is the folder that its heading names, ``heading`` the heading without its hashes.
    """

    file: InstructionFile
    heading: str
    sent: Span
    printed: str
    charge: Charge

    @property
    def kept_chars(self) -> int:
        """The characters of the file's text that are sent."""
        return len(self.sent)


@dataclass(frozen=True, slots=True)
class Included(Entry):
    """A file that is sent whole, but for the white space at its ends."""


@dataclass(frozen=True, slots=True)
class CutAt(Entry):
    """A file whose end, or whose middle, is not sent.

    ``at`` is the first character that is not, ``by`` the limit that was passed. ``tail`` is what is sent of
    the end of a file that lost its middle.
    """

    by: LimitedBy
    lost_chars: int
    tail: Span | None = None

    @property
    def at(self) -> int:
        """The offset of the first character that is not sent."""
        return self.sent.end

    @property
    def lost(self) -> Span:
        """The part of the file's text that is not sent."""
        return Span(self.at, self.tail.start if self.tail is not None else self.file.chars)

    @property
    def lost_headings(self) -> tuple[str, ...]:
        """The titles of the headings that are not sent."""
        lost = self.lost
        return tuple(title for _, title, start, _ in headings(self.file.text, lost.start) if start < lost.end)

    @property
    def kept_chars(self) -> int:
        """The characters of the file's text that are sent."""
        return len(self.sent) + (len(self.tail) if self.tail is not None else 0)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file of which nothing is sent."""

    file: InstructionFile


@dataclass(frozen=True, slots=True)
class DuplicateOf(Skipped):
    """A file with the text of another one, which is the one that is sent."""

    survivor: InstructionFile


@dataclass(frozen=True, slots=True)
class Omitted(Skipped):
    """A file left out: nothing of the total limit was left, it is blank, or it could not be read
    (``file.problem``).

    ``heading`` is the one that it would have had; only files left out by the budget have one.
    """

    why: WhyOmitted
    heading: str = ""


@dataclass(frozen=True, slots=True)
class Marker:
    """What is sent in place of a file that the agent looks for and does not find.

    ``rank`` is the place of its name among the names, ``consumed`` what it takes of the total limit.
    """

    name: str
    path: str
    rank: int
    printed: str
    consumed: int


Placement = Included | CutAt | DuplicateOf | Omitted


@dataclass(frozen=True, slots=True)
class Brief:
    """All that one agent, started in ``start``, is told by instruction files.

    ``placements`` stand in the order of the rendered text: outermost folder first, names in their order
    inside a folder. With ``aborted`` the agent loads nothing, because that file cannot be read.
    """

    profile_id: str
    start: str
    folders: tuple[str, ...]
    placements: tuple[Placement, ...]
    limits: Limits
    above: tuple[str, ...] = ()
    near_misses: tuple[NearMiss, ...] = ()
    aborted: ReadProblem | None = None
    unread: tuple[str, ...] = ()
    markers: tuple[Marker, ...] = ()

    @property
    def bound(self) -> str:
        """The outermost folder of the chain."""
        return self.folders[-1]

    @property
    def entries(self) -> tuple[Included | CutAt, ...]:
        """The files that are sent, in the order of the text."""
        return tuple(placed for placed in self.placements if isinstance(placed, Entry))

    @property
    def sent_chars(self) -> int:
        """The characters that are charged to the total limit."""
        marked = sum(each.consumed for each in self.markers)
        return sum(entry.charge.consumed for entry in self.entries) + marked

    @property
    def remaining(self) -> int:
        """The characters of the total limit that are left."""
        return self.limits.total - self.sent_chars

    @property
    def listed(self) -> tuple[Included | CutAt | Omitted, ...]:
        """The files that count as instruction files in the prompt:

        those that are sent and those the budget left out.
        """
        return tuple(
            placed
            for placed in self.placements
            if isinstance(placed, Entry) or (isinstance(placed, Omitted) and placed.why == "budget")
        )

    @property
    def by_priority(self) -> tuple[Placement, ...]:
        """The placements in the order of views: nearest folder first, names in their order."""
        return tuple(
            sorted(self.placements, key=lambda each: (each.file.distance, each.file.rank, each.file.path))
        )

    def placement(self, path: str) -> Placement | None:
        """What became of the file at ``path``; None when it is not on the chain."""
        return next((placed for placed in self.placements if placed.file.path == path), None)
