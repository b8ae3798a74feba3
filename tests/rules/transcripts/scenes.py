"""Scenes for the rules on transcripts, made of small files."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from agentbrief.disk.values import Stamp
from agentbrief.profiles.load import profile
from agentbrief.rules.finding import Finding
from agentbrief.rules.registry import check_transcripts, rules
from agentbrief.rules.transcript_scene import TranscriptScene
from agentbrief.sessions.facts import TranscriptFacts
from agentbrief.sessions.formats import claude_code, codex, pi_facts
from agentbrief.sessions.formats.codex_transcript import look as look_at_rollout
from agentbrief.sessions.listing import ListedSession
from agentbrief.sessions.sketch import Sketch
from tests.sessions.claude_code import written as claude
from tests.sessions.codex import written as rollouts

RULES = rules()
"""Found once, before any test: the registry looks at its own folder."""

NOW_MS = 1_790_000_000_000
HOUR_MS = 3_600_000
DAY_MS = 24 * HOUR_MS


def facts(
    agent: str, *lines: Any, path: str = "/s.jsonl", end: str = "\n", age_ms: int = HOUR_MS
) -> TranscriptFacts:
    """What a file of ``lines`` shows that changed ``age_ms`` ago."""
    data = claude.file_of(*lines, end=end) if lines else b""
    stamp = Stamp(1, 1, len(data), (NOW_MS - age_ms) * 1_000_000)
    if agent == "codex":
        return codex.facts_of(look_at_rollout(data, rollouts.PATH), 20, stamp)
    if agent == "claude-code":
        return claude_code.facts_of(claude_code.look(data, path), stamp)
    return pi_facts.facts_of(data, path, agent, stamp)


def scene(
    agent: str, *transcripts: TranscriptFacts, version: str | None = None, **more: Any
) -> TranscriptScene:
    return replace(TranscriptScene(profile(agent, version), NOW_MS, transcripts), **more)


def found(given: TranscriptScene, code: str) -> list[Finding]:
    """The findings of one rule."""
    return [finding for finding in check_transcripts(given) if finding.code == code]


def places(given: TranscriptScene, code: str) -> list[tuple[int, str | None]]:
    """The line and the reason of each finding of one rule."""
    return [(finding.line, finding.reason) for finding in found(given, code)]


def listed(
    name: str, cwd: str | None, folder: str = "/c/projects/-w-my-app", age_days: float = 1
) -> ListedSession:
    stamp = Stamp(1, 1, 100, int((NOW_MS - age_days * DAY_MS) * 1_000_000))
    return ListedSession(f"{folder}/{name}.jsonl", "claude-code", name, "", stamp, Sketch(cwd=cwd))
