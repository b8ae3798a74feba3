"""What does a rule on transcripts see? What was read and listed, as values; nothing it would have to fetch.

A transcript is not a text of an editor: its findings have no offsets but a line, in ``data`` under ``line``
(from 1); 0 stands for the whole file.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agentbrief.profiles.profile import AgentProfile
from agentbrief.profiles.windows import CompactionPoint, Window, compaction_point, window_of
from agentbrief.rules.finding import Arguments, Finding, Fix, Related, Severity
from agentbrief.sessions.context_used import RUNNING_MS
from agentbrief.sessions.facts import TranscriptFacts
from agentbrief.sessions.listing import ListedSession
from agentbrief.text.span import Span

NOWHERE = Span(0, 0)

Setting = str | int | float | bool


@dataclass(frozen=True, slots=True)
class SessionIndexFile:
    """A file in which an agent lists its sessions. ``missing`` are identifiers whose transcript is gone."""

    path: str
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unlisted:
    """A session that its agent does not list: its folder is gone, or its file lies in the wrong place.

    ``suggestion`` is a folder of the same name, or the path where the agent looks; None: nothing is known.
    """

    path: str
    kind: str
    cwd: str | None
    suggestion: str | None = None


@dataclass(frozen=True, slots=True)
class SessionBudget:
    """Where a session stands against the bounds of its compaction, in tokens (estimates).

    ``measure`` says by what: counted ``messages`` (of which ``preserve`` stay) from ``limit_tokens`` on, or a
    context of more than the ``limit_tokens`` that the agent's reserve leaves of its ``window``.
    ``tokens_after`` is what a compaction would leave, None where that is not known.
    """

    path: str
    measure: Literal["messages", "window"]
    is_due: bool
    tokens: int
    limit_tokens: int
    messages: int
    preserve: int = 0
    tokens_after: int | None = None


@dataclass(frozen=True, slots=True)
class TranscriptScene:
    """One agent's transcripts and store.

    ``transcripts`` were read, ``listed`` only looked at. ``model`` and ``provider`` are those in use, where
    they are known; ``settings`` and ``env`` those of the agent that profile data names. ``retention_days``
    None: the agent keeps its sessions. Times in ms since 1970.
    """

    profile: AgentProfile
    now_ms: int
    transcripts: tuple[TranscriptFacts, ...] = ()
    listed: tuple[ListedSession, ...] = ()
    index_files: tuple[SessionIndexFile, ...] = ()
    unlisted: tuple[Unlisted, ...] = ()
    retention_days: int | None = None
    expiring_days: int = 7
    model: str | None = None
    provider: str | None = None
    settings: Mapping[str, Setting] = field(default_factory=dict[str, Setting], hash=False)
    env: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    budgets: tuple[SessionBudget, ...] = ()

    def may_be_running(self, facts: TranscriptFacts) -> bool:
        """Whether the agent may still be writing that file."""
        return 0 <= self.now_ms - facts.mtime_ms < RUNNING_MS

    def window(self, facts: TranscriptFacts) -> Window:
        """The window of the model that a session was run with."""
        stated = facts.context.window if facts.context else None
        model = self.model or facts.model
        return window_of(self.profile.windows, model, stated=stated, provider=self.provider, env=self.env)

    def point(self, window: Window) -> CompactionPoint:
        """Where the agent compacts that window, with the settings that count."""
        return compaction_point(self.profile.windows, window, self.settings, self.env)


def finding_at(
    scene: TranscriptScene,
    code: str,
    path: str,
    line: int,
    severity: Severity,
    arguments: Arguments = (),
    *,
    reason: str | None = None,
    message: str | None = None,
    related: tuple[Related, ...] = (),
    data: Arguments = (),
) -> Finding:
    """The finding ``code`` at line ``line`` (from 1; 0: the file) of ``path``.

    The message is the one named after the code, and after the reason where ``message`` says so.
    """
    given: Arguments = (("line", line), *data)
    return Finding(
        code,
        path,
        NOWHERE,
        severity,
        message or code,
        scene.profile.id,
        (("agent", scene.profile.title), *arguments),
        related=related,
        data=(("reason", reason), *given) if reason else given,
    )


def other_line(path: str, line: int, message: str) -> Related:
    """Another line of a transcript that a finding speaks of; its argument ``line`` says which."""
    return Related(path, NOWHERE, message, (("line", line),))


def repaired_copy(finding: Finding) -> tuple[Fix, ...]:
    """The offer to write a repaired copy; the transcript itself stays as it is."""
    return (
        Fix(
            "repair-copy",
            "fix.repair-copy",
            "quickfix",
            command="agentbrief.session.repair",
            command_arguments=(("uri", finding.path),),
        ),
    )


def size_text(size: int) -> str:
    """A size in bytes for people: ``820 B``, ``5.9 MB``."""
    amount, unit = float(size), "B"
    for unit in ("B", "kB", "MB", "GB"):
        if amount < 1000 or unit == "GB":
            break
        amount /= 1000
    return f"{amount:.0f} {unit}" if unit == "B" else f"{amount:.1f} {unit}"


def percent_text(part: int, whole: int) -> str:
    """A share for people: ``92 %``, at least ``under 1 %``."""
    share = 100 * part // whole if whole else 0
    return f"{share} %" if share else "< 1 %"
