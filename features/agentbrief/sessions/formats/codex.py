"""Is this a rollout of Codex, and what does it say?

Places: ``sessions/YYYY/MM/DD/rollout-<time>-<uuid>.jsonl`` and ``archived_sessions/``. The files are Codex's
own and are never written.

Source: agents.md 9.2.
"""

from __future__ import annotations

from collections.abc import Container, Iterable

from agentbrief.disk.values import Stamp
from agentbrief.sessions.context_used import ContextUsed, chars_of, context_used
from agentbrief.sessions.facts import TranscriptFacts, TypeSize
from agentbrief.sessions.formats.codex_messages import Turns
from agentbrief.sessions.formats.codex_records import COMPACTED, META, Part, Value
from agentbrief.sessions.formats.codex_transcript import CodexTranscript, look
from agentbrief.sessions.formats.codex_view import Item, model_view, unpaired
from agentbrief.sessions.jsonl.lines import Record
from agentbrief.sessions.model import Session, SessionRef
from agentbrief.sessions.sniff.codex import FORMAT
from agentbrief.sessions.usage import summed

WRITABLE = False


def read(
    data: bytes | Iterable[bytes],
    path: str,
    stamp: Stamp | None = None,
    parent_totals: Container[int] | None = None,
) -> Session:
    """The session at ``path`` with its words; whatever is wrong with ``data`` is part of it.

    ``header`` is the first ``session_meta``. ``parent_totals``: see :func:`codex_usage.counted`.
    """
    turns = Turns()
    header: Value = {}

    def take(record: Record, part: Part) -> None:
        nonlocal header
        turns.add(record, part)
        header = header or (part.payload if part.type == META else {})

    found = look(data, path, take)
    torn = found.lines.torn_tail
    return Session(
        SessionRef(path, FORMAT, found.session_id, WRITABLE),
        header,
        turns.messages({event.line: event.last for event in found.counted(parent_totals)}),
        summed(found.calls(parent_totals)),
        (*found.lines.damage, *((torn,) if torn else ())),
        stamp,
        found.lines.lines,
        found.lines.parsed,
        torn is not None,
    )


def facts_of(
    transcript: CodexTranscript,
    keeps_user_tokens: int,
    stamp: Stamp | None = None,
    parent_totals: Container[int] | None = None,
) -> TranscriptFacts:
    """What a rule may judge. ``keeps_user_tokens``: see :func:`codex_view.model_view`."""
    view = model_view(transcript.steps, keeps_user_tokens)
    lines = transcript.lines
    return TranscriptFacts(
        transcript.path,
        FORMAT,
        transcript.session_id,
        stamp.size if stamp else 0,
        stamp.mtime_ns // 1_000_000 if stamp else 0,
        cwd=transcript.cwd,
        version=transcript.origin.version,
        model=transcript.model,
        last_time=transcript.last_time,
        damage=lines.damage,
        torn_tail=lines.torn_tail,
        half_pairs=lines.half_pairs,
        long_records=lines.long_records,
        types=tuple(_with_last_seen(kind, transcript) for kind in lines.types),
        unpaired=tuple(unpaired(view)),
        boundaries=transcript.boundaries,
        context=context_of(transcript, view, parent_totals),
    )


def context_of(
    transcript: CodexTranscript, view: Iterable[Item], parent_totals: Container[int] | None = None
) -> ContextUsed:
    """How full the context is: the last call after the last compaction, else an estimate of ``view``."""
    start = transcript.boundaries[-1].line if transcript.boundaries else 0
    events = transcript.counted(parent_totals)
    last = next((event for event in reversed(events) if event.line > start), None)
    return context_used(
        chars_of(size for item in view for size in item.sizes),
        last.last_total if last else None,
        model=transcript.model,
        line=last.line if last else 0,
        window=next((event.window for event in reversed(transcript.events) if event.window), None),
    )


def _with_last_seen(kind: TypeSize, transcript: CodexTranscript) -> TypeSize:
    return kind._replace(unseen_bytes=transcript.unseen_compacted_bytes) if kind.type == COMPACTED else kind
