"""How is a compaction previewed: what goes, what stays, what is read again, and by which steps?

Nothing on the page has happened yet.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.compaction.pi.pi_plan import PiPlan
from agentbrief.compaction.plan import CompactionPlan
from agentbrief.messages import say
from agentbrief.redact import escape_markdown, fenced, mask
from agentbrief.report.compaction_again import again_lines
from agentbrief.report.compaction_view import CompactionView
from agentbrief.report.compaction_words import (
    outcome_text,
    percent_less,
    provider_text,
    reason_text,
    step_texts,
    time_text,
    warning_text,
)
from agentbrief.report.messages_text import first_words
from agentbrief.report.numbers import short
from agentbrief.report.table import cell, table
from agentbrief.rules.transcript_scene import size_text

_MOST_KEPT = 20
_LAYERS = ("queue", "trigger", "providers", "retries", "call")


def compaction_page(view: CompactionView, locale: str) -> str:
    """The preview as Markdown, secrets masked."""
    title = say(locale, "compaction.page.title", title=escape_markdown(mask(view.title)))
    plan = view.outcome.plan
    parts = [f"# {title}"]
    if plan is None or view.outcome.ended != "planned":
        parts.append(escape_markdown(mask(outcome_text(locale, view.outcome, view.path, view.rules))))
    else:
        parts += _planned(view, plan, locale)
    parts.append(_layers(locale))
    return "\n\n".join(part for part in parts if part) + "\n"


def compaction_lines(view: CompactionView, locale: str) -> Iterator[str]:
    """The preview for a terminal: numbers, what stays, the checkpoint, warnings, steps."""
    plan = view.outcome.plan
    if plan is None or view.outcome.ended != "planned":
        yield outcome_text(locale, view.outcome, view.path, view.rules)
        return
    yield reason_text(locale, plan, view.rules)
    yield "  " + _messages(plan, locale)
    share = percent_less(plan.tokens_before, plan.tokens_after)
    yield f"  {_tokens(plan, locale)} ({share})"
    for line in _around(view, plan, locale):
        yield f"  {line}"
    yield "  " + provider_text(locale, plan.provider)
    for warning in plan.warnings:
        yield "  ! " + warning_text(locale, warning)
    for text in step_texts(locale, plan, view.notes):
        yield f"  - {text}"


def _planned(view: CompactionView, plan: CompactionPlan, locale: str) -> Iterator[str]:
    yield say(locale, "compaction.page.nothing-changed")
    yield _numbers(plan, locale)
    yield "\n".join(f"- {escape_markdown(mask(line))}" for line in _around(view, plan, locale))
    yield escape_markdown(say(locale, "compaction.page.why", reason=reason_text(locale, plan, view.rules)))
    if plan.warnings:
        yield f"## {say(locale, 'compaction.page.warnings')}"
        yield "\n".join(f"- {escape_markdown(mask(warning_text(locale, each)))}" for each in plan.warnings)
    yield f"## {say(locale, 'compaction.page.stays')}"
    yield "\n".join(_stays(view, plan, locale))
    yield f"## {say(locale, 'compaction.page.summary')}"
    yield escape_markdown(provider_text(locale, plan.provider))
    yield fenced(mask(plan.formatted_summary), "text")
    yield f"## {say(locale, 'compaction.page.again', agent=view.agent.title)}"
    yield "\n".join(f"- {escape_markdown(mask(line))}" for line in again_lines(view, locale))
    if view.notes is not None and view.notes.text:
        yield f"## {say(locale, 'compaction.page.notes')}"
        yield fenced(mask(view.notes.text), "markdown")
    yield f"## {say(locale, 'compaction.page.steps')}"
    yield "\n".join(f"- [x] {escape_markdown(mask(text))}" for text in step_texts(locale, plan, view.notes))


def _numbers(plan: CompactionPlan, locale: str) -> str:
    kept = len(plan.kept)
    rows = [
        [
            say(locale, "compaction.page.messages"),
            f"{len(plan.removed) + kept:,}",
            say(locale, "compaction.page.kept", kept=kept),
        ],
        [
            say(locale, "compaction.page.tokens"),
            f"~{short(plan.tokens_before)}",
            f"~{short(plan.tokens_after)} ({percent_less(plan.tokens_before, plan.tokens_after)})",
        ],
        [
            say(locale, "compaction.page.bytes"),
            size_text(plan.bytes_before),
            size_text(plan.bytes_after),
        ],
    ]
    header = ["", say(locale, "compaction.page.now"), say(locale, "compaction.page.after")]
    return table(header, rows, frozenset((1, 2)))


def _around(view: CompactionView, plan: CompactionPlan, locale: str) -> Iterator[str]:
    if view.is_copy:
        yield say(locale, "compaction.page.copy", path=plan.target)
    else:
        yield say(
            locale,
            "compaction.preview.checkpoint",
            time=f"{time_text(view.now_ms)} UTC",
            size=size_text(plan.bytes_before),
        )
        if view.dropped:
            yield say(locale, "compaction.preview.dropped", count=view.dropped)
        yield say(locale, "compaction.preview.same-id")
    if isinstance(plan, PiPlan) and plan.split_turn:
        yield say(locale, "compaction.page.split-turn")
    automatic = view.agent.automatic_compaction
    if automatic is not None:
        yield say(
            locale,
            "compaction.preview.automatic",
            agent=view.agent.title,
            tokens=automatic.input_tokens,
            variable=automatic.variable,
        )
        yield say(locale, "compaction.preview.pre-pass", agent=view.agent.title)


def _stays(view: CompactionView, plan: CompactionPlan, locale: str) -> Iterator[str]:
    if plan.reinjected:
        names = ", ".join(f"“{name}”" for name in plan.reinjected)
        file = view.again.file if view.again is not None else ""
        yield "- " + escape_markdown(say(locale, "compaction.page.sections", file=file, names=names))
    if not view.kept:
        yield "- " + say(locale, "compaction.page.none-stays")
        return
    yield "- " + say(locale, "compaction.page.last", count=len(view.kept))
    for message in view.kept[-_MOST_KEPT:]:
        yield f"  - {message.role}: {cell(escape_markdown(mask(first_words(message))))}"
    if len(view.kept) > _MOST_KEPT:
        yield "  - " + say(locale, "compaction.page.more", count=len(view.kept) - _MOST_KEPT)


def _layers(locale: str) -> str:
    lines = [f"{number}. {say(locale, f'compaction.layer.{name}')}" for number, name in enumerate(_LAYERS, 1)]
    return f"## {say(locale, 'compaction.page.layers')}\n\n" + "\n".join(lines)


def _messages(plan: CompactionPlan, locale: str) -> str:
    kept = len(plan.kept)
    return say(locale, "compaction.preview.messages", count=len(plan.removed) + kept, kept=kept)


def _tokens(plan: CompactionPlan, locale: str) -> str:
    return say(
        locale,
        "compaction.preview.tokens",
        before=short(plan.tokens_before),
        after=short(plan.tokens_after),
    )
