"""What does each agent have again after a compaction by itself, and what is lost until it reads it?"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief.messages import say
from agentbrief.messages.catalogue import sentences
from agentbrief.report.compaction_view import CompactionView, ShownAgain


def again_lines(view: CompactionView, locale: str) -> Iterator[str]:
    """One sentence for each thing that the agent's profile says of it."""
    agent, after = view.agent, view.agent.after_compaction
    found = False
    if agent.delivery == "system-prompt":
        found = True
        yield say(locale, "compaction.again.system-prompt", agent=agent.title)
    if view.again is not None:
        found = True
        yield from _sections(view.again, agent.title, locale)
    if after is not None:
        found = True
        parts = _parts(after.reinjected, locale)
        yield say(locale, "compaction.again.survives", agent=agent.title, parts=parts)
        if not after.reread:
            yield say(locale, "compaction.again.not-reread", agent=agent.title)
        if after.lost_until_read:
            lost = _parts(after.lost_until_read, locale)
            yield say(locale, "compaction.again.lost", agent=agent.title, parts=lost)
        if after.keeps_user_messages_tokens is not None:
            tokens = after.keeps_user_messages_tokens
            yield say(locale, "compaction.again.user-messages", agent=agent.title, tokens=tokens)
        if after.skills is not None:
            each, total = after.skills.tokens_each, after.skills.tokens_total
            yield say(locale, "compaction.again.skills", agent=agent.title, each=each, total=total)
    if not found:
        yield say(locale, "compaction.again.unknown", agent=agent.title)


def _sections(again: ShownAgain, title: str, locale: str) -> Iterator[str]:
    if again.found is None:
        names = ", ".join(f"“{name}”" for name in again.asked)
        yield say(locale, "compaction.again.no-sections", agent=title, file=again.file, names=names)
    else:
        names = ", ".join(f"“{section.name}”" for section in again.found.sections)
        yield say(locale, "compaction.again.sections", agent=title, file=again.file, names=names)
        if again.found.cut is not None:
            yield say(locale, "compaction.again.cut", agent=title)
    for miss in again.misses:
        yield say(locale, f"reinject-near-miss.{miss.kind}", agent=title, name=miss.name)


def _parts(names: Iterable[str], locale: str) -> str:
    known = sentences(locale)
    keys = ((f"compaction.part.{name}", name) for name in names)
    return ", ".join(say(locale, key) if key in known else name for key, name in keys)
