"""How does a store stand, told as lines for a terminal and as a page?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from agentbrief.messages import say
from agentbrief.redact import escape_markdown, mask
from agentbrief.report.numbers import short
from agentbrief.report.session_words import UNKNOWN, age_text
from agentbrief.report.store_facts import SessionFacts, StoreFacts, flush_word
from agentbrief.report.store_words import database_text, source_text, time_text
from agentbrief.report.table import cell, table
from agentbrief.resume.reset_policy import ResetPolicy
from agentbrief.rules.transcript_scene import size_text

COLUMNS = ("key", "title", "age", "tokens", "compacts", "size", "next", "cleanup")
_RIGHT = frozenset((2, 3, 4, 5))


def status_lines(facts: StoreFacts, now_ms: int, locale: str) -> Iterator[str]:
    """The lines of one store."""
    yield from store_lines(facts, locale)
    if len(facts.sessions) == 1 and facts.sessions[0].transcript is not None:
        yield from (f"  {name}: {words}" for name, words in session_lines(facts.sessions[0], locale))
        return
    rows = [_row(session, now_ms, locale) for session in facts.sessions]
    if rows:
        yield table([say(locale, f"storestatus.column.{name}") for name in COLUMNS], rows, _RIGHT)
        yield say(locale, "store.estimates")


def status_page(stores: Sequence[StoreFacts], now_ms: int, locale: str) -> str:
    """The page in Markdown."""
    parts = [f"# {say(locale, 'storestatus.page')}"]
    for facts in stores:
        parts.append(f"## {_quiet(facts.agent_id)}")
        parts.append("\n".join(f"- {_quiet(line)}" for line in store_lines(facts, locale)))
        if len(facts.sessions) == 1 and facts.sessions[0].transcript is not None:
            lines = session_lines(facts.sessions[0], locale)
            parts.append("\n".join(f"- **{_quiet(name)}**: {_quiet(words)}" for name, words in lines))
        elif facts.sessions:
            head = [say(locale, f"storestatus.column.{name}") for name in COLUMNS]
            rows = [[cell(_quiet(text)) for text in _row(each, now_ms, locale)] for each in facts.sessions]
            parts.append(table(head, rows, _RIGHT))
            parts.append(_quiet(say(locale, "store.estimates")))
    if not stores:
        parts.append(say(locale, "trash.none"))
    return "\n\n".join(parts) + "\n"


def store_lines(facts: StoreFacts, locale: str) -> Iterator[str]:
    """What is told of the store as a whole."""
    place = source_text(facts.path, facts.changed_ms, facts.is_remote, locale)
    yield say(locale, "storestatus.agent", agent=facts.agent_id, source=place)
    if facts.database is not None:
        yield database_text(facts.database, locale)
    if facts.problem is not None:
        yield say(locale, f"store.problem.{facts.problem}", path=facts.path)
        return
    source = say(locale, f"storestatus.version.{facts.version.source}")
    yield say(locale, "storestatus.version", version=facts.version.version or UNKNOWN, source=source)
    yield say(
        locale,
        "storestatus.counts",
        sessions=facts.session_count,
        files=facts.files,
        size=size_text(facts.size + facts.file_bytes),
        loose=facts.unreferenced,
    )
    if facts.refused:
        yield say(locale, "storestatus.refused", place=facts.place)
    else:
        yield say(
            locale,
            "storestatus.cleanup",
            place=facts.place,
            mode=say(locale, f"storestatus.mode.{facts.mode}"),
            sessions=facts.cleanup_sessions,
            files=facts.cleanup_files,
            size=size_text(facts.cleanup_bytes),
        )
    if facts.trash_files:
        size = size_text(facts.trash_bytes)
        yield say(locale, "storestatus.trash", files=facts.trash_files, size=size)
    for code, count in sorted(Counter(code for code, _ in facts.issues).items()):
        yield say(locale, "storestatus.issue", code=code, count=count)


def session_lines(session: SessionFacts, locale: str) -> Iterator[tuple[str, str]]:
    """One session in full, by groups."""

    def line(group: str, words: str) -> tuple[str, str]:
        return say(locale, f"storestatus.group.{group}"), words

    kind = f"{session.key} ({session.shape}, {session.kind})"
    yield line("session", f"{kind} · {session.session_id or UNKNOWN} · {time_text(session.updated_ms)}")
    files = ", ".join(f"{name} {size_text(size)}" for name, size in session.files) or UNKNOWN
    if (found := session.transcript) is not None:
        files += " · " + say(
            locale,
            "storestatus.transcript",
            entries=found.entries,
            branches=found.branches,
            version=str(found.version),
            issues=len(found.issues),
        )
    yield line("transcript", files)
    model = f"{session.provider}/{session.model}" if session.provider else session.model
    yield line("tokens", f"{model} · {tokens_words(session, locale)} · {say(locale, 'store.estimates')}")
    yield line("compaction", compaction_words(session, locale))
    yield line("flush", flush_words(session, locale))
    if session.checkpoints:
        size = size_text(session.checkpoint_bytes)
        yield line(
            "checkpoints", say(locale, "storestatus.checkpoints", count=session.checkpoints, size=size)
        )
    yield line("life", life_words(session, locale))
    yield line("queue", say(locale, f"store.queue.{session.queue.mode}"))
    if session.lock is not None:
        state = "alive" if session.lock.alive else "dead"
        yield line("lock", say(locale, f"storestatus.lock.{state}", pid=str(session.lock.pid or UNKNOWN)))
    yield line("cleanup", cleanup_words(session, locale))


def tokens_words(session: SessionFacts, locale: str) -> str:
    """Counter against window, named apart, and how old the counter is."""
    window = say(locale, f"storestatus.window.{session.window.source}")
    if session.total_tokens is None:
        return say(locale, "storestatus.tokens.unknown", window=session.window.tokens, source=window)
    return say(
        locale,
        "storestatus.tokens",
        used=int(session.total_tokens),
        window=session.window.tokens,
        percent=session.percent or 0,
        source=window,
        freshness=say(locale, f"storestatus.freshness.{session.freshness}"),
    )


def compaction_words(session: SessionFacts, locale: str) -> str:
    """Where OpenClaw compacts, by whose reserve, and how often it has."""
    return say(
        locale,
        "storestatus.compaction",
        threshold=session.threshold_tokens,
        reserve=session.reserve.reserve_tokens,
        source=say(locale, f"storestatus.reserve.{session.reserve.source}"),
        count=session.compaction_count,
    )


def flush_words(session: SessionFacts, locale: str) -> str:
    """Where the notes before a compaction stand."""
    state = session.flush
    match flush_word(state):
        case "due":
            assert state is not None
            return say(
                locale,
                f"store.flush.due.{state.due}",
                total=int(state.total_tokens or 0),
                threshold=state.threshold_tokens or 0,
                size=session.files[0][1] if session.files else 0,
            )
        case "waiting":
            assert state is not None
            return say(locale, "store.flush.waiting", threshold=state.threshold_tokens or 0)
        case "off":
            return say(locale, "storestatus.flush.off")
        case word:
            return say(locale, f"store.flush.{word}")


def life_words(session: SessionFacts, locale: str) -> str:
    """When the session starts anew, by whose rule, and whether the next message already does it."""
    source = say(locale, f"store.policy-source.{session.policy.source}")
    words = f"{policy_words(session.policy, locale)} ({source})"
    if session.is_stale:
        return f"{words} · {say(locale, 'storestatus.stale')}"
    if session.next_start_ms is None:
        return words
    return f"{words} · {say(locale, 'storestatus.next', time=time_text(session.next_start_ms))}"


def policy_words(policy: ResetPolicy, locale: str) -> str:
    """When a session starts anew."""
    hour, minutes = str(policy.at_hour), policy.idle_minutes
    if policy.mode == "daily":
        if minutes is None:
            return say(locale, "store.policy.daily", hour=hour)
        return say(locale, "store.policy.both", hour=hour, minutes=minutes)
    return (
        say(locale, "store.policy.never")
        if minutes is None
        else say(locale, "store.policy.idle", minutes=minutes)
    )


def cleanup_words(session: SessionFacts, locale: str) -> str:
    """What a cleanup would do to the session."""
    if session.kept is not None:
        return say(locale, "storestatus.kept", why=say(locale, f"store.protected.{session.kept}"))
    return say(locale, f"storestatus.fate.{session.fate}")


def _row(session: SessionFacts, now_ms: int, locale: str) -> list[str]:
    size = sum(size for _, size in session.files)
    used = UNKNOWN if session.total_tokens is None else f"~{short(int(session.total_tokens))}"
    following = say(locale, "storestatus.now") if session.is_stale else time_text(session.next_start_ms)[:16]
    return [
        session.key,
        session.title or UNKNOWN,
        age_text(int(session.updated_ms), now_ms, locale) if session.updated_ms is not None else UNKNOWN,
        f"{used}/{short(session.window.tokens)}",
        short(max(session.threshold_tokens, 0)),
        size_text(size) if session.files else UNKNOWN,
        following,
        cleanup_words(session, locale),
    ]


def _quiet(text: str) -> str:
    return escape_markdown(mask(text))
