"""How is one session printed for a person, and which facts stand around its messages as JSON?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief import jsonio
from agentbrief.messages import say
from agentbrief.redact import mask
from agentbrief.report.session_record import Record, damage_records, tokens_record
from agentbrief.report.session_words import damage_text, tokens_text
from agentbrief.sessions.context_used import ContextUsed
from agentbrief.sessions.model import (
    ContentBlock,
    Damage,
    Message,
    Opaque,
    Text,
    Thinking,
    ToolResult,
    ToolUse,
)

_SHOWN_LINES = 12
_MOST_FAULTS = 20


def session_record(
    form: str,
    path: str,
    session_id: str,
    agent: str,
    title: str,
    damage: Iterable[Damage],
    used: ContextUsed,
    counts: tuple[int, int, bool],
) -> Record:
    """The contract of ``sessions show --json`` without its messages.

    ``counts``: lines, records among them, and whether the last line is torn.
    """
    lines, parsed, torn_tail = counts
    return {
        "format": form,
        "path": path,
        "session_id": session_id,
        "agent": agent,
        "title": title,
        "issues": damage_records(damage),
        "tokens": tokens_record(used),
        "lines": lines,
        "parsed": parsed,
        "torn_tail": torn_tail,
    }


def session_lines(
    heading: tuple[str, str, str, str, str],
    counts: tuple[int, int],
    used: ContextUsed,
    damage: tuple[Damage, ...],
    messages: Iterable[Message],
    locale: str,
    in_full: bool,
) -> Iterator[str]:
    """The session for a terminal. ``heading``: title, agent, format, path, identifier;

    ``counts``: lines and records. Of each text the first lines, or with ``in_full`` all.
    """
    title, agent, form, path, session_id = heading
    yield title
    yield f"  {agent} · {form} · {session_id}"
    yield f"  {path}"
    tokens = tokens_text(used.tokens, used.reported, used.window, locale)
    yield "  " + say(locale, "session.show.counts", lines=counts[0], parsed=counts[1], tokens=tokens)
    for each in damage[:_MOST_FAULTS]:
        place = say(locale, "session.check.line", line=each.line) if each.line else path
        yield f"  ! {place}  {damage_text(each, locale)}"
    if len(damage) > _MOST_FAULTS:
        yield "  ! " + say(locale, "session.check.more", count=len(damage) - _MOST_FAULTS)
    for message in messages:
        yield ""
        time = f" · {message.time}" if message.time else ""
        yield f"{say(locale, f'history.{message.role}')}{time}"
        for block in message.blocks:
            yield from _block_lines(block, locale, in_full)


def _block_lines(block: ContentBlock, locale: str, in_full: bool) -> Iterator[str]:
    label, text = "", ""
    match block:
        case Text(words):
            text = words
        case Thinking(words):
            label, text = say(locale, "history.thinking"), words
        case ToolUse(name=name, stored=stored):
            label, text = say(locale, "history.call", name=name), stored
        case ToolResult(tool_name=name, output=output, is_error=is_error):
            label = say(locale, "history.failed" if is_error else "history.result", name=name)
            text = output
        case Opaque(kind, raw):
            label, text = say(locale, "history.other", name=kind), jsonio.dumps(raw).decode("utf-8")
    if label:
        yield f"  {label}"
    # A secret of several lines is one only as long as its lines are together.
    lines = mask(text).split("\n")
    shown = lines if in_full else lines[:_SHOWN_LINES]
    yield from (f"    {line}" for line in shown)
    if len(shown) < len(lines):
        yield "    " + say(locale, "session.show.more-lines", count=len(lines) - len(shown))
