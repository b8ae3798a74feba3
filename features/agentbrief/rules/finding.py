"""What is wrong where, and what would fix it? Values only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentbrief.text.span import Span

Severity = Literal["error", "warning", "information", "hint"]
Tag = Literal["unnecessary"]
Argument = str | int
Arguments = tuple[tuple[str, Argument], ...]


@dataclass(frozen=True, slots=True)
class Related:
    """Another place that a finding speaks of. ``message`` is a message identifier."""

    path: str
    span: Span
    message: str
    arguments: Arguments = ()


@dataclass(frozen=True, slots=True)
class Finding:
    """One fault at one place.

    ``span`` is in code points of the file's text; an empty one stands for the character there, or for the
    whole file where the file was not read. ``message`` is a message identifier, ``profile_id`` the agent
    whose rule it states. ``data`` holds what a fix needs, so that fixes need no memory.
    """

    code: str
    path: str
    span: Span
    severity: Severity
    message: str
    profile_id: str
    arguments: Arguments = ()
    tags: tuple[Tag, ...] = ()
    related: tuple[Related, ...] = ()
    data: Arguments = ()

    @property
    def reason(self) -> str | None:
        """The stable word for why the rule fired, where a rule has several."""
        return next((str(value) for name, value in self.data if name == "reason"), None)

    @property
    def line(self) -> int:
        """The line (from 1) in a transcript, whose findings have no offsets; 0 everywhere else."""
        return next((int(value) for name, value in self.data if name == "line"), 0)


@dataclass(frozen=True, slots=True)
class Edit:
    """A change of one file: the text of ``span`` becomes ``new_text``.

    A file that is not there yet has the span (0, 0).
    """

    path: str
    span: Span
    new_text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A change that mends a finding. ``title`` is a message identifier.

    ``edits`` are changes of files; ``command`` (with ``command_arguments``) is an editor command instead.
    ``safe`` fixes may be applied without being looked at; ``confirm`` asks first; ``preferred`` is the one
    that an editor's shortcut takes, and never one that deletes text. ``expected_sha256`` is that of the text
    the offsets belong to.
    """

    id: str
    title: str
    kind: Literal["quickfix", "refactor", "refactor.extract"]
    title_arguments: Arguments = ()
    edits: tuple[Edit, ...] = ()
    expected_sha256: str = ""
    safe: bool = False
    confirm: bool = False
    preferred: bool = False
    command: str = ""
    command_arguments: Arguments = ()
    deletes_file: str = ""
