"""What is wrong with a store? OpenClaw's list of troubles as checks (openclaw.md 16)."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import tzinfo

from agentbrief.changes.openclaw_lock import OPENCLAW_LOCK
from agentbrief.disk.seam import FS
from agentbrief.jsonio import JsonValue
from agentbrief.maintenance.values import CleanupChoices
from agentbrief.profiles.openclaw_data import is_since
from agentbrief.report.store_doctor import LEVELS, Complaint, Diagnosis
from agentbrief.report.store_facts import SessionFacts
from agentbrief.rules.finding import Arguments, Finding, Severity
from agentbrief.rules.store_scene import StoreTranscript
from agentbrief.rules.transcript_scene import size_text
from agentbrief.sessions.pi.context import context_of
from agentbrief.sessions.pi.tree import PiTranscript
from agentbrief.sessions.store.entries import Store
from agentbrief.sessions.store.health import unreferenced
from agentbrief.sessions.times import iso_of
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.store.look import StoreLook, is_locked, openclaw_data
from agentbrief.tasks.store.plan import plan_of
from agentbrief.tasks.store.scene import judged, scene_of, version_of
from agentbrief.tasks.store.status import session_facts
from agentbrief.tasks.store.transcript import ends_of, facts_of, judged_transcript, transcript_of
from agentbrief.text import utf16

MOST_READ = 200
"""So many transcripts are read, those of the sessions that were active last."""

_MOST_LOOKED_INTO = 50
_LEAK_FIXED_IN = "2026.1.10"
_LEFT_BEHIND = (".tmp", ".truncate-tmp")


def diagnosis(
    fs: FS,
    look: StoreLook,
    settings: Settings,
    now_ms: int,
    host_zone: tzinfo,
    *,
    text: str | None = None,
    others: Mapping[str, Store] | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
    cancelled: Callable[[], bool] = lambda: False,
) -> Diagnosis:
    """What is wrong with a store. ``others`` are the other stores of this machine by path.

    ``text`` is that of the store, for the places of findings in it.

    Raises:
        Refused: a file in its folder may not be looked at.
    """
    work = _Examination(fs, look, settings, now_ms, host_zone)
    work.store(others or {})
    entries = sorted(look.folder.store.entries, key=lambda entry: -(entry.updated_at_ms or 0))
    read = [entry.key for entry in entries if look.folder.files_of(entry)]
    for number, key in enumerate(read[:MOST_READ]):
        if cancelled():
            break
        work.session(key)
        progress(number + 1, min(len(read), MOST_READ))
    work.rules(text)
    found = sorted(work.found, key=lambda each: (LEVELS.index(each.severity), each.code, each.subject))
    return Diagnosis(look.place.agent_id, look.folder.store_path, tuple(found), work.read, len(read))


class _Examination:
    """One store under examination."""

    def __init__(self, fs: FS, look: StoreLook, settings: Settings, now_ms: int, host_zone: tzinfo) -> None:
        self.found: list[Complaint] = []
        self.read = 0
        self._fs = fs
        self._look = look
        self._settings = settings
        self._now_ms = now_ms
        self._zone = host_zone
        self._plan = plan_of(look, settings, CleanupChoices(dry_run=True), now_ms)
        self._transcripts: list[StoreTranscript] = []

    def store(self, others: Mapping[str, Store]) -> None:
        """What needs no transcript."""
        look, folder = self._look, self._look.folder
        config = look.place.config
        if look.database is not None:
            self._note("database", "warning", look.database.path, path=look.database.path)
        if config.is_remote:
            self._note("remote-gateway", "information", config.path)
        if config.problem is not None:
            self._note("config-not-read", "error", config.path, path=config.path)
        version = version_of(config, folder.store, self._settings).version
        if version is not None and not is_since(version, _LEAK_FIXED_IN):
            self._note("silent-token-leaks", "warning", version, version=version)
        elsewhere = {
            session_id: path
            for path, store in others.items()
            for entry in store.entries
            if (session_id := entry.session_id) is not None
        }
        for entry in folder.store.entries:
            if entry.session_id is not None and (other := elsewhere.get(entry.session_id)) is not None:
                self._note("session-in-two-stores", "warning", entry.key, key=entry.key, path=other)
        for number, file in enumerate(unreferenced(folder)):
            when = iso_of(file.stamp.mtime_ns // 1_000_000)[:10]
            size = size_text(file.stamp.size)
            first, last = self._ends(file.name) if number < _MOST_LOOKED_INTO else ("", "")
            self._note(
                "transcript-unreferenced", "information", file.name,
                name=file.name, size=size, date=when, first=first or "–", last=last or "–",
            )  # fmt: skip
        for name in folder.names:
            if name.endswith(OPENCLAW_LOCK.suffix):
                if not is_locked(self._fs, folder, name.removesuffix(OPENCLAW_LOCK.suffix)):
                    self._note("lock-left-behind", "information", name, name=name)
            elif name.endswith(_LEFT_BEHIND) or ".bak-" in name:
                self._note("file-left-behind", "information", name, name=name)

    def _ends(self, name: str) -> tuple[str, str]:
        """The first and the last words in a transcript."""
        path = os.path.join(self._look.folder.real_folder, name)
        found = transcript_of(self._fs, path, frozenset((self._look.folder.real_folder,)))
        return ends_of(found) if isinstance(found, PiTranscript) else ("", "")

    def session(self, key: str) -> None:
        """What a session's transcript and its numbers tell."""
        look = self._look
        entry = look.folder.store.get(key)
        if entry is None:
            return
        facts = session_facts(self._fs, look, entry, self._settings, self._now_ms, self._zone, self._plan)
        if facts.shape in ("malformed_agent", "missing"):
            self._note("key-malformed", "warning", key, key=key)
        path = os.path.join(look.folder.real_folder, facts.files[0][0])
        found = transcript_of(self._fs, path, frozenset((look.folder.real_folder,)))
        if not isinstance(found, PiTranscript):
            self._numbers(facts, None)
            return
        self.read += 1
        config = look.place.config.value
        self._transcripts.append(judged_transcript(found, path, key, dict(config), self._now_ms))
        self._transcript(facts, found, path)
        self._numbers(facts, found)

    def rules(self, text: str | None) -> None:
        """What the rules find."""
        scene = scene_of(self._look, self._settings, text, self._transcripts)
        for finding in judged(scene, self._settings):
            self.found.append(_of_rule(finding))

    def _transcript(self, facts: SessionFacts, found: PiTranscript, path: str) -> None:
        told = facts_of(found)
        if facts.session_id is not None and told.header_id != facts.session_id and len(facts.files) == 1:
            self._note("header-differs", "warning", facts.key, path, key=facts.key, id=told.header_id)
        if facts.compaction_count != told.compactions:
            self._note(
                "compactions-differ", "information", facts.key, path,
                key=facts.key, counted=facts.compaction_count, found=told.compactions,
            )  # fmt: skip
        if told.issues:
            self._note("transcript-faults", "warning", facts.key, path, key=facts.key, count=len(told.issues))
        if facts.freshness == "stale":
            self._note("counters-old", "information", facts.key, path, key=facts.key)

    def _numbers(self, facts: SessionFacts, found: PiTranscript | None) -> None:
        window, reserve = facts.window.tokens, facts.reserve.reserve_tokens
        data = openclaw_data()
        if 0 < window < data.window.warn_below_tokens:
            least = data.window.warn_below_tokens
            self._note("window-small", "warning", facts.key, key=facts.key, window=window, least=least)
        if reserve >= window:
            self._note("always-due", "error", facts.key, key=facts.key, reserve=reserve, window=window)
        elif 2 * reserve > window:
            self._note("reserve-large", "warning", facts.key, key=facts.key, reserve=reserve, window=window)
        if found is None:
            return
        results, largest, total = _result_tokens(found, data.tool_result.chars_per_token)
        if largest > window * data.tool_result.window_share:
            self._note(
                "tool-result-large", "warning", facts.key, key=facts.key, tokens=largest, window=window
            )
        if total and 2 * results > total and total > window // 4:
            self._note("results-over-half", "information", facts.key, key=facts.key, tokens=results)

    def _note(
        self, code: str, severity: Severity, subject: str, path: str | None = None, /, **arguments: str | int
    ) -> None:
        given: Arguments = tuple(arguments.items())
        place = path or self._look.folder.store_path
        self.found.append(Complaint(code, severity, place, subject, f"doctor.{code}", given))


def _of_rule(finding: Finding) -> Complaint:
    subject = next((str(value) for name, value in finding.data if name in ("key", "place")), "")
    return Complaint(
        finding.code,
        finding.severity,
        finding.path,
        subject,
        finding.message,
        finding.arguments,
        finding.line,
    )


def _result_tokens(found: PiTranscript, chars_per_token: int) -> tuple[int, int, int]:
    """Tokens of all tool results in the context, of the largest one, and of everything; estimates."""
    results = largest = total = 0
    for message in context_of(found.tree, found.tree.leaf_id).messages:
        tokens = -(-sum(_chars(message.value.get("content"))) // chars_per_token)
        total += tokens
        if message.role == "toolResult":
            results += tokens
            largest = max(largest, tokens)
    return results, largest, total


def _chars(content: JsonValue) -> Iterator[int]:
    if isinstance(content, str):
        yield utf16.length(content)
        return
    for block in content if isinstance(content, list) else []:
        text = block.get("text") if isinstance(block, dict) else None
        if isinstance(text, str):
            yield utf16.length(text)


def other_stores(folders: Iterable[StoreLook], mine: StoreLook) -> dict[str, Store]:
    """The other stores by path."""
    path = mine.folder.store_path
    return {each.folder.store_path: each.folder.store for each in folders if each.folder.store_path != path}
