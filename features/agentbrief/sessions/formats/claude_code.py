"""Is this a transcript of Claude Code, and what does it say?

Places: ``projects/<slug>/<session>.jsonl``, subagents in ``<session>/subagents/agent-*.jsonl``. The vendor
calls the records internal and changes them with versions: what is not known is kept as it is. The files are
Claude Code's own and are never written.

Source: agents.md 9.1.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass

from agentbrief.disk.values import Stamp
from agentbrief.sessions.context_used import ContextUsed, chars_of, context_used
from agentbrief.sessions.facts import TranscriptFacts
from agentbrief.sessions.formats.claude_chain import Chain, chain_faults, chain_of
from agentbrief.sessions.formats.claude_doubles import repeated_ids, two_writers
from agentbrief.sessions.formats.claude_entry import Entry, entry_of, text_of
from agentbrief.sessions.formats.claude_messages import session_of
from agentbrief.sessions.formats.claude_sent import rejected_blocks, sent_of, split_messages, unpaired
from agentbrief.sessions.jsonl.line_facts import LineFacts, Watched
from agentbrief.sessions.jsonl.lines import Line, Record
from agentbrief.sessions.jsonl.records import read_lines
from agentbrief.sessions.model import Session
from agentbrief.sessions.sniff.claude_code import FORMAT
from agentbrief.sessions.usage import Call

WRITABLE = False

SEEN_BY_MODEL = frozenset(("user", "assistant", "system", "attachment"))
"""Types of records that can be sent; all others are notes of the program."""

_NAME = re.compile(r"(?:.*[/\\])?(.+?)\.jsonl")


@dataclass(frozen=True, slots=True)
class ClaudeTranscript:
    """A transcript without its words. ``session_id`` is that of the file's name, else of its records."""

    path: str
    session_id: str | None
    entries: tuple[Entry, ...]
    lines: LineFacts
    cwd: str | None
    version: str | None

    @property
    def chain(self) -> Chain:
        """The chain, records on damaged lines included."""
        return chain_of(self.entries)

    @property
    def calls(self) -> tuple[Call, ...]:
        """The calls to a model that the lines state, each line one; see :mod:`agentbrief.sessions.usage`."""
        own = self.own_from
        return tuple(
            Call(
                entry.line,
                entry.usage,
                entry.message_id,
                entry.request_id,
                entry.is_sidechain,
                entry.is_copied or entry.line < own,
            )
            for entry in self.entries
            if entry.is_call and entry.usage is not None
        )

    @property
    def own_from(self) -> int:
        """The line from which on the records are the session's own; what stands before was copied."""
        first = next((entry.line for entry in self.entries if entry.session_id == self.session_id), 0)
        others = any(entry.session_id and entry.line < first for entry in self.entries)
        return first if others else 0


def read(data: bytes | Iterable[bytes], path: str, stamp: Stamp | None = None) -> Session:
    """The session at ``path`` with its words; whatever is wrong with ``data`` is part of it."""
    return session_of(_lines(data), FORMAT, path, session_id_of(path), stamp)


def look(data: bytes | Iterable[bytes], path: str) -> ClaudeTranscript:
    """The transcript at ``path`` without its words, for files of any size."""
    watched = Watched(_lines(data), "uuid", _type_of, lambda kind: kind not in SEEN_BY_MODEL)
    entries: list[Entry] = []
    cwd = version = None
    for record, is_recovered in watched.records():
        entries.append(entry_of(record, is_recovered))
        cwd = cwd or text_of(record.value, "cwd")
        version = text_of(record.value, "version") or version
    named = session_id_of(path)
    stated = next((entry.session_id for entry in reversed(entries) if entry.session_id), None)
    return ClaudeTranscript(path, named or stated, tuple(entries), watched.facts(), cwd, version)


def facts_of(
    transcript: ClaudeTranscript, stamp: Stamp | None = None, elsewhere: Container[str] = frozenset()
) -> TranscriptFacts:
    """What a rule may judge. ``elsewhere`` are identifiers of records in other files of the project."""
    chain, lines = transcript.chain, transcript.lines
    sent = sent_of(chain)
    used = context_of(chain)
    entries = transcript.entries
    return TranscriptFacts(
        transcript.path,
        FORMAT,
        transcript.session_id,
        stamp.size if stamp else 0,
        stamp.mtime_ns // 1_000_000 if stamp else 0,
        cwd=transcript.cwd,
        version=transcript.version,
        model=used.model,
        last_time=next((entry.time for entry in reversed(entries) if entry.time), None),
        damage=lines.damage,
        torn_tail=lines.torn_tail,
        half_pairs=lines.half_pairs,
        long_records=lines.long_records,
        types=lines.types,
        reach=chain.reach(),
        chain_faults=chain_faults(chain, elsewhere),
        repeated=tuple(repeated_ids(entries, chain)),
        two_writers=tuple(two_writers(chain)),
        unpaired=tuple(unpaired(sent)),
        split=tuple(split_messages(sent)),
        rejected=tuple(rejected_blocks(sent, chain)),
        injected=tuple(entry.injected for entry in chain.entries if entry.injected is not None),
        boundaries=tuple(entry.compaction.boundary for entry in chain.entries if entry.compaction),
        context=used,
    )


def context_of(chain: Chain) -> ContextUsed:
    """How full the context is at the end of ``chain``: what the last call took in, its answer left out."""
    model = next((entry.model for entry in reversed(chain.path()) if entry.model), None)
    return context_on(chain.model_path(), model)


def context_on(path: Sequence[Entry], model: str | None) -> ContextUsed:
    """How full the context is at the end of ``path``, the records that ``model`` is sent."""
    last = next((at for at in range(len(path) - 1, -1, -1) if path[at].is_call), None)
    if last is None:
        boundary = path[0].compaction.boundary if path and path[0].compaction else None
        chars = chars_of(size for entry in path for size in entry.sizes)
        return context_used(chars, boundary.after_tokens if boundary else None, model=model)
    call = path[last]
    before = [entry for entry in path[:last] if entry.message_id != call.message_id or not call.message_id]
    usage = call.usage
    reported = usage.input + usage.cache_creation_input + usage.cache_read_input if usage else None
    chars = chars_of(size for entry in before for size in entry.sizes)
    return context_used(chars, reported, model=model, line=call.line)


def session_id_of(path: str) -> str | None:
    """The identifier in a transcript's file name."""
    found = _NAME.fullmatch(path)
    return found[1] if found else None


def _lines(data: bytes | Iterable[bytes]) -> Iterable[Line]:
    return read_lines((data,) if isinstance(data, bytes) else data)


def _type_of(record: Record) -> str:
    return text_of(record.value, "type") or ""
