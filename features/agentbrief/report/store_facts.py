"""What is told of a store and of its sessions? Values only; times in ms since 1970, sizes in bytes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from agentbrief.compaction.openclaw.flush import FlushState
from agentbrief.compaction.openclaw.queue_settings import QueueSettings
from agentbrief.compaction.openclaw.settings import Reserve
from agentbrief.compaction.openclaw.windows import Window
from agentbrief.jsonio import JsonValue
from agentbrief.maintenance.values import EntryAction, Protection
from agentbrief.resume.reset_policy import ResetPolicy
from agentbrief.resume.session_key import KeyShape
from agentbrief.sessions.store.entries import StoreProblem
from agentbrief.sessions.store.keys import SessionKind
from agentbrief.sessions.store.newer_store import LiveDatabase
from agentbrief.sessions.store.openclaw_version import AgentVersion
from agentbrief.sessions.times import iso_of

Freshness = Literal["fresh", "stale", "unknown"]


@dataclass(frozen=True, slots=True)
class TranscriptFactsOfStore:
    """What a session's transcript holds; ``branches`` are ends of paths besides the leaf's."""

    entries: int
    leaf_id: str | None
    branches: int
    version: int
    header_id: str
    compactions: int
    issues: tuple[tuple[int, str], ...] = ()


@dataclass(frozen=True, slots=True)
class LockFacts:
    """Who holds the lock of a transcript. ``alive`` None: it cannot be told."""

    pid: int | None
    alive: bool


@dataclass(frozen=True, slots=True)
class SessionFacts:
    """One session of a store. ``files`` are its transcripts by name with their sizes.

    ``threshold_tokens`` is where OpenClaw compacts; ``next_start_ms`` from when on the next message starts a
    new session (None: never by itself). ``fate`` is what a cleanup now would do, ``kept`` why it stays.
    """

    key: str
    shape: KeyShape
    kind: SessionKind
    agent_id: str
    session_id: str | None
    title: str
    updated_ms: int | float | None
    files: tuple[tuple[str, int], ...]
    model: str
    provider: str | None
    window: Window
    total_tokens: int | float | None
    freshness: Freshness
    reserve: Reserve
    threshold_tokens: int
    compaction_count: int
    flush: FlushState | None
    flush_at_ms: int | float | None
    flush_count: int | float | None
    checkpoints: int
    checkpoint_bytes: int
    policy: ResetPolicy
    is_stale: bool
    next_start_ms: int | float | None
    queue: QueueSettings
    fate: EntryAction = "keep"
    kept: Protection | None = None
    lock: LockFacts | None = None
    bulk_bytes: int = 0
    transcript: TranscriptFactsOfStore | None = None

    @property
    def percent(self) -> int | None:
        """The share of the window in use."""
        if self.total_tokens is None or not self.window.tokens:
            return None
        return round(100 * self.total_tokens / self.window.tokens)

    def record(self) -> dict[str, JsonValue]:
        """The session by groups (openclaw.md 16)."""
        found: dict[str, JsonValue] = {
            "key": self.key,
            "shape": self.shape,
            "kind": self.kind,
            "agentId": self.agent_id,
            "sessionId": self.session_id,
            "title": self.title,
            "updatedAt": _time(self.updated_ms),
            "transcript": self._transcript_record(),
            "tokens": {
                "model": self.model,
                "modelProvider": self.provider,
                "window": self.window.tokens,
                "windowSource": self.window.source,
                "totalTokens": self.total_tokens,
                "freshness": self.freshness,
                "percent": self.percent,
                "estimate": True,
            },
            "compaction": {
                "threshold": self.threshold_tokens,
                "distance": None if self.total_tokens is None else self.threshold_tokens - self.total_tokens,
                "reserve": self.reserve.reserve_tokens,
                "reserveSource": self.reserve.source,
                "compactionCount": self.compaction_count,
                "flushThreshold": self.flush.threshold_tokens if self.flush is not None else None,
                "flush": flush_word(self.flush),
                "memoryFlushAt": _time(self.flush_at_ms),
                "memoryFlushCompactionCount": self.flush_count,
                "checkpoints": self.checkpoints,
                "checkpointBytes": self.checkpoint_bytes,
            },
            "life": {
                "mode": self.policy.mode,
                "atHour": self.policy.at_hour if self.policy.mode == "daily" else None,
                "idleMinutes": self.policy.idle_minutes,
                "policySource": self.policy.source,
                "stale": self.is_stale,
                "nextStart": _time(self.next_start_ms),
                "queueMode": self.queue.mode,
                "lock": {"pid": self.lock.pid, "alive": self.lock.alive} if self.lock is not None else None,
                "cleanup": self.fate,
                "protected": self.kept,
            },
        }
        return found

    def _transcript_record(self) -> JsonValue:
        found: dict[str, JsonValue] = {
            "files": [{"name": name, "bytes": size} for name, size in self.files],
            "bulkBytes": self.bulk_bytes,
        }
        if self.transcript is not None:
            found |= {
                "entries": self.transcript.entries,
                "leafId": self.transcript.leaf_id,
                "branches": self.transcript.branches,
                "version": self.transcript.version,
                "headerId": self.transcript.header_id,
                "compactions": self.transcript.compactions,
                "issues": [[line, code] for line, code in self.transcript.issues],
            }
        return found


@dataclass(frozen=True, slots=True)
class StoreFacts:
    """One store. ``cleanup_*`` is what a cleanup by the settings of ``place`` would do.

    ``issues`` are codes with the key they are about; ``refused`` the codes of settings that are wrong.
    """

    agent_id: str
    path: str
    is_configured: bool
    changed_ms: int | None
    problem: StoreProblem | None
    exists: bool
    database: LiveDatabase | None
    is_remote: bool
    version: AgentVersion
    size: int
    files: int
    file_bytes: int
    unreferenced: int
    place: str
    mode: str
    cleanup_sessions: int = 0
    cleanup_files: int = 0
    cleanup_bytes: int = 0
    trash_files: int = 0
    trash_bytes: int = 0
    issues: tuple[tuple[str, str | None], ...] = ()
    refused: tuple[str, ...] = ()
    sessions: tuple[SessionFacts, ...] = field(default=())
    session_count: int = 0

    def record(self) -> dict[str, JsonValue]:
        """The store with its sessions."""
        return {
            "agentId": self.agent_id,
            "storePath": self.path,
            "configured": self.is_configured,
            "exists": self.exists,
            "changed": _time(self.changed_ms),
            "problem": self.problem,
            "database": self.database.path if self.database is not None else None,
            "remote": self.is_remote,
            "version": self.version.version,
            "versionSource": self.version.source,
            "bytes": self.size,
            "files": self.files,
            "fileBytes": self.file_bytes,
            "unreferenced": self.unreferenced,
            "maintenance": {
                "settings": self.place,
                "mode": self.mode,
                "problems": list(self.refused),
                "sessions": self.cleanup_sessions,
                "files": self.cleanup_files,
                "bytes": self.cleanup_bytes,
            },
            "trash": {"files": self.trash_files, "bytes": self.trash_bytes},
            "issues": [{"code": code, "key": key} for code, key in self.issues],
            "count": self.session_count,
            "sessions": [session.record() for session in self.sessions],
        }


def flush_word(state: FlushState | None) -> str:
    """Where the notes before a compaction stand: ``off``, ``never``, ``due``, ``done`` or ``waiting``."""
    if state is None:
        return "off"
    if state.due is not None:
        return "due"
    if state.done:
        return "done"
    return "never" if state.threshold_tokens is None else "waiting"


def _time(time_ms: int | float | None) -> str | None:
    return iso_of(int(time_ms)) if time_ms is not None else None
