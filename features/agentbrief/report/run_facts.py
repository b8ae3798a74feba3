"""What would the next run of a session send? Values only: parts in order, sizes, and where each is from.

Sizes are UTF-16 units (``chars``) and tokens by pi's formula, which are estimates; lines count from 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agentbrief.brief.context_files import Outcome
from agentbrief.compaction.openclaw.windows import Window
from agentbrief.jsonio import JsonValue
from agentbrief.resume.held import StepReport
from agentbrief.resume.policies import HistoryPolicy
from agentbrief.sessions.agent_config import text_at, value_at, whole_number

GivenKind = Literal["skills", "tools"]


@dataclass(frozen=True, slots=True)
class RunMessage:
    """One message as the provider gets it. ``text`` is what the model reads, its blocks one after another.

    It comes from the entry ``entry_id`` in line ``line`` of the transcript; both None for one that is made
    up. ``steps`` are those that changed it.
    """

    role: str
    text: str = field(repr=False)
    chars: int
    tokens: int
    entry_id: str | None = None
    line: int | None = None
    steps: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LeftOutMessage:
    """A message of the context that is not sent, and the step that left it out."""

    role: str
    entry_id: str
    line: int
    step: str


@dataclass(frozen=True, slots=True)
class RunFile:
    """A bootstrap file. ``lost_lines`` are the first and the last line of which something is not sent."""

    name: str
    path: str
    result: Outcome
    raw_chars: int
    chars: int
    tokens: int
    text: str = field(repr=False)
    lost_lines: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class GivenPart:
    """A part of the request that was handed in: what it is, and where it comes from in words."""

    kind: GivenKind
    text: str = field(repr=False)
    chars: int
    tokens: int


@dataclass(frozen=True, slots=True)
class ReportedFile:
    """A file of the last request, by OpenClaw's own report."""

    name: str
    raw_chars: int
    chars: int
    truncated: bool
    missing: bool


@dataclass(frozen=True, slots=True)
class ReportedPrompt:
    """What OpenClaw noted of the prompt it sent last (``systemPromptReport``); 0 where it noted nothing."""

    time_ms: int
    chars: int
    context_chars: int
    other_chars: int
    skills_chars: int
    tools_chars: int
    files: tuple[ReportedFile, ...]


@dataclass(frozen=True, slots=True)
class RunFacts:
    """The request of the next run of the session ``key``.

    ``starts_anew``: the next message begins a new session, so that no history is sent. ``limit`` is how many
    user turns the settings leave (None: all). ``context_count`` are the messages before anything was done;
    ``summary_line`` that of the compaction whose summary stands first.
    """

    key: str
    agent_id: str
    session_id: str
    title: str
    path: str
    workspace: str
    provider: str | None
    model: str | None
    policy: HistoryPolicy
    window: Window
    threshold_tokens: int
    starts_anew: bool
    limit: int | None
    context_count: int
    summary_line: int | None
    files: tuple[RunFile, ...]
    max_file_chars: int
    max_total_chars: int
    given: tuple[GivenPart, ...]
    messages: tuple[RunMessage, ...]
    left_out: tuple[LeftOutMessage, ...]
    steps: tuple[StepReport, ...]
    only_upstream_keeps: tuple[str, ...]
    reported: ReportedPrompt | None

    @property
    def file_chars(self) -> int:
        """What the bootstrap files take."""
        return sum(file.chars for file in self.files)

    @property
    def history_tokens(self) -> int:
        """What the history takes."""
        return sum(message.tokens for message in self.messages)

    @property
    def known_tokens(self) -> int:
        """All that is known of the request; OpenClaw's own instructions are not."""
        files, given = sum(file.tokens for file in self.files), sum(part.tokens for part in self.given)
        return self.history_tokens + files + given


def reported_prompt(report: Mapping[str, JsonValue]) -> ReportedPrompt | None:
    """What the report of an entry says; None where there is none."""
    if not report:
        return None
    listed = report.get("injectedWorkspaceFiles")
    files = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    return ReportedPrompt(
        whole_number(report.get("generatedAt"), 0) or 0,
        _chars(report, "systemPrompt", "chars"),
        _chars(report, "systemPrompt", "projectContextChars"),
        _chars(report, "systemPrompt", "nonProjectContextChars"),
        _chars(report, "skills", "promptChars"),
        _chars(report, "tools", "listChars") + _chars(report, "tools", "schemaChars"),
        tuple(
            ReportedFile(
                text_at(each, "name") or "–",
                _chars(each, "rawChars"),
                _chars(each, "injectedChars"),
                each.get("truncated") is True,
                each.get("missing") is True,
            )
            for each in files
        ),
    )


def _chars(value: Mapping[str, JsonValue], *keys: str) -> int:
    return whole_number(value_at(value, *keys), 0) or 0
