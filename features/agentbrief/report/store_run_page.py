"""How is the request of the next run told: as JSON, and as a page that ends with the request itself?"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.jsonio import JsonValue
from agentbrief.messages import say
from agentbrief.redact import escape_markdown, fenced, mask
from agentbrief.report.numbers import short
from agentbrief.report.run_facts import ReportedPrompt, RunFacts, RunFile, RunMessage
from agentbrief.report.store_words import time_text
from agentbrief.report.table import cell, table
from agentbrief.resume.held import StepReport

MOST_MESSAGES = 200
"""So many messages a page lists and shows, the last ones."""

MOST_TEXT_CHARS = 2000
"""So much of one message a page shows."""

UNKNOWN = "–"


def run_record(facts: RunFacts) -> dict[str, JsonValue]:
    """The JSON: sizes and places, no text."""
    return {
        "key": facts.key,
        "agentId": facts.agent_id,
        "sessionId": facts.session_id,
        "path": facts.path,
        "workspace": facts.workspace,
        "model": facts.model,
        "modelProvider": facts.provider,
        "window": facts.window.tokens,
        "threshold": facts.threshold_tokens,
        "startsAnew": facts.starts_anew,
        "historyLimit": facts.limit,
        "contextMessages": facts.context_count,
        "summaryLine": facts.summary_line,
        "files": [_file_record(file) for file in facts.files],
        "given": [{"kind": each.kind, "chars": each.chars, "tokens": each.tokens} for each in facts.given],
        "messages": [_message_record(message) for message in facts.messages],
        "leftOut": [
            {"role": each.role, "entryId": each.entry_id, "line": each.line, "step": each.step}
            for each in facts.left_out
        ],
        "steps": [_step_record(step) for step in facts.steps],
        "onlyUpstreamKeeps": list(facts.only_upstream_keeps),
        "knownTokens": facts.known_tokens,
        "estimate": True,
        "reported": _reported_record(facts.reported) if facts.reported is not None else None,
    }


def run_page(facts: RunFacts, locale: str) -> str:
    """The page in Markdown."""
    parts = [
        f"# {say(locale, 'run.page')}",
        "\n".join(f"- {_quiet(line)}" for line in _head(facts, locale)),
        *(_quiet(note) for note in _notes(facts, locale)),
        f"## {say(locale, 'run.parts')}",
        _parts_table(facts, locale),
        say(locale, "store.estimates"),
        f"## {say(locale, 'run.files')}",
        say(locale, "run.limits", file=facts.max_file_chars, total=facts.max_total_chars),
        _files_table(facts, locale),
    ]
    if facts.reported is not None:
        parts += [
            f"## {say(locale, 'run.reported', time=time_text(facts.reported.time_ms))}",
            _reported_table(facts, facts.reported, locale),
        ]
    if facts.steps:
        parts += [f"## {say(locale, 'run.steps')}", _steps_table(facts, locale)]
    if facts.left_out:
        lines = (_left_out_line(facts, locale, number) for number in range(len(facts.left_out)))
        parts += [f"## {say(locale, 'run.left-out')}", "\n".join(f"- {_quiet(line)}" for line in lines)]
    parts += [f"## {say(locale, 'run.request')}", *_request(facts, locale)]
    return "\n\n".join(parts) + "\n"


def _head(facts: RunFacts, locale: str) -> Iterator[str]:
    yield say(locale, "run.session", title=facts.title or facts.key, key=facts.key, id=facts.session_id)
    yield say(locale, "run.transcript", path=facts.path)
    model = "/".join(part for part in (facts.provider, facts.model) if part) or UNKNOWN
    yield say(locale, "run.model", model=model, window=facts.window.tokens, threshold=facts.threshold_tokens)
    yield say(locale, "run.policy", words=_policy_words(facts, locale))


def _policy_words(facts: RunFacts, locale: str) -> str:
    policy = facts.policy
    words = [say(locale, f"run.policy.ids.{policy.call_ids or 'as-they-are'}")]
    if policy.cleans_text:
        words.append(say(locale, "run.policy.cleans-text"))
    if policy.merges_users:
        words.append(say(locale, "run.policy.merges-users"))
    if policy.merges_assistants:
        words.append(say(locale, "run.policy.merges-assistants"))
    if policy.drops_thinking:
        words.append(say(locale, "run.policy.drops-thinking"))
    return " · ".join(words)


def _notes(facts: RunFacts, locale: str) -> Iterator[str]:
    if facts.starts_anew:
        yield say(locale, "run.starts-anew")
    if facts.limit is not None and facts.limit > 0:
        yield say(locale, "run.limited", turns=facts.limit)
    if facts.summary_line is not None:
        yield say(locale, "run.summary", line=facts.summary_line)
    if facts.only_upstream_keeps:
        words = ", ".join(say(locale, f"run.upstream.{each}") for each in facts.only_upstream_keeps)
        yield say(locale, "run.upstream", words=words)


def _parts_table(facts: RunFacts, locale: str) -> str:
    head = [say(locale, f"run.column.{name}") for name in ("part", "chars", "tokens", "source")]
    unknown = f"{facts.reported.other_chars:,}" if facts.reported is not None else UNKNOWN
    rows = [[say(locale, "run.part.prompt"), unknown, UNKNOWN, say(locale, "run.part.prompt-source")]]
    chars, tokens = facts.file_chars, sum(file.tokens for file in facts.files)
    rows.append([say(locale, "run.part.files"), f"{chars:,}", _tokens(tokens), facts.workspace])
    for each in facts.given:
        source = say(locale, "run.part.given")
        rows.append([say(locale, f"run.part.{each.kind}"), f"{each.chars:,}", _tokens(each.tokens), source])
    name = say(locale, "run.part.history", count=len(facts.messages))
    size = sum(message.chars for message in facts.messages)
    rows.append([name, f"{size:,}", _tokens(facts.history_tokens), facts.path])
    rows.append([say(locale, "run.part.known"), "", _tokens(facts.known_tokens), ""])
    return table(head, [[cell(_quiet(text)) for text in row] for row in rows], frozenset((1, 2)))


def _files_table(facts: RunFacts, locale: str) -> str:
    head = [say(locale, f"run.column.{name}") for name in ("file", "what", "of", "sent", "lost")]
    rows = [
        [
            file.name,
            say(locale, f"run.file.{file.result}"),
            f"{file.raw_chars:,}",
            f"{file.chars:,}",
            say(locale, "run.lines", first=file.lost_lines[0], last=file.lost_lines[1])
            if file.lost_lines is not None
            else "",
        ]
        for file in facts.files
    ]
    return table(head, [[cell(_quiet(text)) for text in row] for row in rows], frozenset((2, 3)))


def _reported_table(facts: RunFacts, reported: ReportedPrompt, locale: str) -> str:
    """What is predicted beside what OpenClaw noted of its last request."""
    head = [say(locale, f"run.column.{name}") for name in ("part", "predicted", "noted")]
    now = {file.name: file.chars for file in facts.files}
    noted = {file.name: file.chars for file in reported.files}
    rows = [
        [name, f"{now[name]:,}" if name in now else UNKNOWN, f"{noted[name]:,}" if name in noted else UNKNOWN]
        for name in dict.fromkeys((*now, *noted))
    ]
    sums = (
        ("run.part.files", f"{facts.file_chars:,}", reported.context_chars),
        ("run.part.prompt", UNKNOWN, reported.other_chars),
        ("run.part.skills", _given_chars(facts, "skills"), reported.skills_chars),
        ("run.part.tools", _given_chars(facts, "tools"), reported.tools_chars),
    )
    rows += [[say(locale, name), predicted, f"{chars:,}"] for name, predicted, chars in sums]
    return table(head, [[cell(_quiet(text)) for text in row] for row in rows], frozenset((1, 2)))


def _given_chars(facts: RunFacts, kind: str) -> str:
    found = [each.chars for each in facts.given if each.kind == kind]
    return f"{sum(found):,}" if found else UNKNOWN


def _steps_table(facts: RunFacts, locale: str) -> str:
    names = ("step", "changed", "dropped", "moved", "made")
    head = [say(locale, f"run.column.{name}") for name in names]
    rows = [
        [
            cell(say(locale, f"run.step.{step.step}")),
            *(
                str(count or "")
                for count in (len(step.changed), len(step.dropped), len(step.moved), step.made)
            ),
        ]
        for step in facts.steps
    ]
    return table(head, rows, frozenset((1, 2, 3, 4)))


def _left_out_line(facts: RunFacts, locale: str, number: int) -> str:
    each = facts.left_out[number]
    return say(
        locale,
        "run.left-out-line",
        line=each.line,
        role=each.role,
        step=say(locale, f"run.step.{each.step}"),
    )


def _request(facts: RunFacts, locale: str) -> Iterator[str]:
    """The request from its beginning to its end."""
    yield f"### {say(locale, 'run.part.prompt')}"
    yield say(locale, "run.part.prompt-source")
    for file in facts.files:
        if file.text:
            yield f"### {_quiet(file.path)}"
            yield fenced(mask(file.text), "markdown")
    for each in facts.given:
        yield f"### {say(locale, f'run.part.{each.kind}')}"
        yield fenced(mask(each.text), "text")
    shown = facts.messages[-MOST_MESSAGES:]
    if (before := len(facts.messages) - len(shown)) > 0:
        yield say(locale, "run.earlier", count=before)
    for message in shown:
        yield f"### {_quiet(_message_title(message, locale))}"
        text = mask(message.text)
        yield fenced(text[:MOST_TEXT_CHARS], "text")
        if (more := len(text) - MOST_TEXT_CHARS) > 0:
            yield say(locale, "run.more", count=more)


def _message_title(message: RunMessage, locale: str) -> str:
    words = [message.role, f"~{short(message.tokens)}"]
    words.append(
        say(locale, "run.from-line", line=message.line)
        if message.line is not None
        else say(locale, "run.made-up")
    )
    words += [say(locale, f"run.step.{step}") for step in message.steps]
    return " · ".join(words)


def _tokens(count: int) -> str:
    return f"~{count:,}"


def _file_record(file: RunFile) -> JsonValue:
    return {
        "name": file.name,
        "path": file.path,
        "result": file.result,
        "rawChars": file.raw_chars,
        "injectedChars": file.chars,
        "tokens": file.tokens,
        "lostLines": list(file.lost_lines) if file.lost_lines is not None else None,
    }


def _message_record(message: RunMessage) -> JsonValue:
    return {
        "role": message.role,
        "chars": message.chars,
        "tokens": message.tokens,
        "entryId": message.entry_id,
        "line": message.line,
        "steps": list(message.steps),
    }


def _step_record(step: StepReport) -> JsonValue:
    return {
        "step": step.step,
        "changed": len(step.changed),
        "dropped": len(step.dropped),
        "moved": len(step.moved),
        "made": step.made,
    }


def _reported_record(reported: ReportedPrompt) -> JsonValue:
    return {
        "chars": reported.chars,
        "projectContextChars": reported.context_chars,
        "nonProjectContextChars": reported.other_chars,
        "skillsChars": reported.skills_chars,
        "toolsChars": reported.tools_chars,
        "files": [{"name": file.name, "injectedChars": file.chars} for file in reported.files],
    }


def _quiet(text: str) -> str:
    return escape_markdown(mask(text))
