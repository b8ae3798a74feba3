"""What would the next run of a session of a store send, part by part, and where does each part come from?

Open, sanitise, limit, bootstrap files, skills and tools (openclaw.md 11, 12.2). In memory only.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import tzinfo

from agentbrief import jsonio
from agentbrief.brief.context_files import (
    SentFile,
    context_budget,
    context_limits,
    context_names,
    read_context_files,
)
from agentbrief.compaction.pi.estimate import message_tokens
from agentbrief.disk.files import Files
from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import StoreSummaryData, for_version
from agentbrief.report.run_facts import (
    GivenKind,
    GivenPart,
    LeftOutMessage,
    RunFacts,
    RunFile,
    RunMessage,
    reported_prompt,
)
from agentbrief.resume.held import Held
from agentbrief.resume.limits import history_limit
from agentbrief.resume.policies import policy_for
from agentbrief.resume.sanitize import SentHistory, sanitized, sent
from agentbrief.resume.session_key import subagent_depth
from agentbrief.sessions.agent_config import object_at, text_at
from agentbrief.sessions.pi.context import Context, ContextMessage, RawMessage, context_of, provider_view
from agentbrief.sessions.pi.messages import CALL_TYPES, call_input
from agentbrief.sessions.pi.tree import PiTranscript
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.sessions.store.keys import is_cron
from agentbrief.tasks.openclaw_agent import OpenClawAgent, openclaw_agent
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.store.look import StoreLook, openclaw_data
from agentbrief.tasks.store.plan import StorePlan
from agentbrief.tasks.store.status import session_facts
from agentbrief.tasks.store.transcript import api_of, transcript_of
from agentbrief.text import utf16
from agentbrief.text.line_index import LineIndex


def run_facts(
    setup: SessionsSetup,
    files: Files,
    found: StorePlan,
    entry: StoreEntry,
    host_zone: tzinfo,
    given: Sequence[tuple[GivenKind, str]] = (),
) -> RunFacts | None:
    """The request of the next run of ``entry``; None where its transcript cannot be read.

    ``given`` are texts on skills and tools besides those that the entry holds.

    Raises:
        Refused: a file may not be looked at.
    """
    look, data = found.look, openclaw_data()
    names = look.folder.files_of(entry)
    if not names:
        return None
    path = os.path.join(look.folder.real_folder, names[0])
    transcript = transcript_of(setup.fs, path, frozenset((look.folder.real_folder,)))
    if not isinstance(transcript, PiTranscript):
        return None
    facts = session_facts(setup.fs, look, entry, setup.settings, setup.now_ms, host_zone, found)
    agent = openclaw_agent(setup, os.path.join(look.folder.folder, names[0]), look.folder.store)
    context = context_of(transcript.tree, transcript.tree.leaf_id)
    provider, model = facts.provider, entry.text("model") or entry.text("modelOverride")
    if context.model is not None:
        provider, model = context.model.provider or provider, context.model.model_id or model
    policy = policy_for(api_of(transcript), provider, model)
    limit = history_limit(entry.key, dict(agent.settings))
    clean = sanitized([each.value for each in context.messages], policy, now_ms=setup.now_ms)
    history = sent(clean, policy, limit=limit, now_ms=setup.now_ms)
    lines = {each.id: each.line for each in transcript.tree.entries}
    limits, placed = _bootstrap(look, agent, files, entry, data.summary)
    return RunFacts(
        key=entry.key,
        agent_id=look.place.agent_id,
        session_id=entry.session_id or transcript.session_id,
        title=facts.title,
        path=path,
        workspace=agent.workspace,
        provider=provider,
        model=model,
        policy=policy,
        window=facts.window,
        threshold_tokens=facts.threshold_tokens,
        starts_anew=facts.is_stale,
        limit=limit,
        context_count=len(context.messages),
        summary_line=lines.get(context.compaction_id or ""),
        files=placed,
        max_file_chars=limits[0],
        max_total_chars=limits[1],
        given=tuple(_given(entry, given, data.summary)),
        messages=tuple(_messages(history, context, lines, data.summary)),
        left_out=tuple(_left_out(history, context.messages, lines)),
        steps=history.steps,
        only_upstream_keeps=history.only_upstream_keeps,
        reported=reported_prompt(object_at(entry.fields, "systemPromptReport")),
    )


def _bootstrap(
    look: StoreLook, agent: OpenClawAgent, files: Files, entry: StoreEntry, summary: StoreSummaryData
) -> tuple[tuple[int, int], tuple[RunFile, ...]]:
    """The limits for a file and for all, and what becomes of each file."""
    data = for_version(openclaw_data().context_files, agent.version)
    limits = context_limits(object_at(agent.settings, "agents", "defaults"), data)
    small = subagent_depth(entry.key) > 0 or is_cron(entry.key)
    found = read_context_files(files, agent.workspace, context_names(data, small=small), data)
    placed = context_budget(found, limits, data).files
    return (limits.max_file_chars, limits.max_total_chars), tuple(_file(each, summary) for each in placed)


def _file(found: SentFile, data: StoreSummaryData) -> RunFile:
    lines = None
    if found.lost is not None and found.file.text is not None:
        index = LineIndex(found.file.text)
        last = max(found.lost.start, found.lost.end - 1)
        lines = index.line_of(found.lost.start) + 1, index.line_of(last) + 1
    text = found.sent or ""
    return RunFile(
        found.file.name,
        found.file.path,
        found.result,
        found.raw_chars,
        found.sent_chars,
        _tokens(text, data),
        text,
        lines,
    )


def _given(
    entry: StoreEntry, given: Iterable[tuple[GivenKind, str]], data: StoreSummaryData
) -> Iterator[GivenPart]:
    skills = text_at(object_at(entry.fields, "skillsSnapshot"), "prompt")
    own: list[tuple[GivenKind, str]] = [("skills", skills)] if skills else []
    for kind, text in (*own, *given):
        yield GivenPart(kind, text, utf16.length(text), _tokens(text, data))


def _messages(
    history: SentHistory, context: Context, lines: dict[str, int], data: StoreSummaryData
) -> Iterator[RunMessage]:
    steps: dict[int, list[str]] = {}
    for step in history.steps:
        for origin in (*step.changed, *step.moved):
            steps.setdefault(origin, []).append(step.step)
    for held in history.messages:
        for value in provider_view([held.value]):
            text = message_text(value)
            source = _source(held, context.messages)
            yield RunMessage(
                str(value.get("role")),
                text,
                utf16.length(text),
                message_tokens(held.value, data),
                source.entry_id if source is not None else None,
                lines.get(source.entry_id) if source is not None else None,
                tuple(dict.fromkeys(steps.get(held.origin, ()))) if held.origin is not None else (),
            )


def _left_out(
    history: SentHistory, messages: Sequence[ContextMessage], lines: dict[str, int]
) -> Iterator[LeftOutMessage]:
    for step in history.steps:
        for origin in step.dropped:
            source = messages[origin]
            yield LeftOutMessage(source.role, source.entry_id, lines.get(source.entry_id, 0), step.step)


def _source(held: Held, messages: Sequence[ContextMessage]) -> ContextMessage | None:
    return messages[held.origin] if held.origin is not None else None


def message_text(value: RawMessage) -> str:
    """What a model reads of a message: its texts, its calls as ``name`` and input, a mark for each image."""
    content = value.get("content")
    if isinstance(content, str):
        return content
    return "\n".join(_block_text(block) for block in content) if isinstance(content, list) else ""


def _block_text(block: JsonValue) -> str:
    if not isinstance(block, dict):
        return ""
    kind = block.get("type")
    if kind in CALL_TYPES:
        written = jsonio.dumps(call_input(block)).decode("utf-8", "replace")
        return f"[{text_at(block, 'name') or '–'}] {written}"
    if kind == "image":
        return f"[image {text_at(block, 'mimeType') or '–'}]"
    for key in ("text", "thinking"):
        found = text_at(block, key)
        if found is not None:
            return found
    return f"[{kind}]"


def _tokens(text: str, data: StoreSummaryData) -> int:
    return -(-utf16.length(text) // data.chars_per_token)
