"""What does the status item say when a session runs? The numbers of the files and of the session together."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from agentbrief.messages import say
from agentbrief.redact import escape_markdown, mask
from agentbrief.report.numbers import short
from agentbrief.report.session_words import UNKNOWN, tokens_text
from agentbrief.report.status import State, Status
from agentbrief.sessions.context_used import NEAR_PERCENT, SessionStatus


def with_session(
    status: Status,
    sent_chars: int,
    session: SessionStatus | None,
    title: str,
    expiring: tuple[int, int],
    locale: str,
    numbers: Callable[[str], str] | None = None,
) -> Status:
    """``status`` of a workspace folder with its session.

    ``numbers`` is how the user wants them, made of the session's tokens; None = characters and share.
    ``expiring``: how many sessions expire within how many days. Hidden text and a cut stay what is said
    first; then a near compaction, then sessions that expire.
    """
    count, days = expiring
    if session is not None:
        status = _with_numbers(status, sent_chars, session, title, locale, numbers)
    if status.state in ("hidden-text", "cut", "near-compaction") or not count:
        return status
    words = say(locale, "status.expiring", count=count, days=days)
    text = status.text
    if status.state in ("files", "session", "working") and text.startswith("$("):
        text = "$(history)" + text[text.index(")") + 1 :]
    elif not text:
        text = f"$(history) {count}"
    return Status("expiring", text, f"{words}\n\n{status.tooltip}", f"{words}. {status.label}")


def session_lines(session: SessionStatus, title: str, locale: str) -> tuple[str, str]:
    """The session in a sentence, as Markdown and for a screen reader."""
    tokens = tokens_text(session.used, session.reported, session.window, locale)
    how = say(locale, "status.reported" if session.reported else "status.estimate")
    name = mask(title)
    line = say(locale, "status.session", title=escape_markdown(name), tokens=tokens, how=how)
    label = say(locale, "status.session", title=name, tokens=tokens, how=how)
    if session.compacts_at is not None:
        at = say(locale, "status.compacts-at", tokens=short(session.compacts_at))
        return f"{line}\n\n{at}", label
    return line, label


def is_near(session: SessionStatus) -> bool:
    """Whether the session is at 80 % of the way to its compaction, or of its window."""
    if session.compacts_at:
        return session.used * 100 >= session.compacts_at * NEAR_PERCENT
    return session.is_near_compaction


def near_text(session: SessionStatus, locale: str) -> str:
    """Where the session is compacted, and what is kept free of its window."""
    at, window = session.compacts_at or session.window or 0, session.window
    if window is None or window <= at:
        return say(locale, "status.near", tokens=short(at))
    reserve = short(window - at)
    return say(locale, "status.near-reserve", tokens=short(at), window=short(window), reserve=reserve)


def share_text(session: SessionStatus) -> str:
    """The share of the window in use; an estimate has a ``~`` before it, an unknown window is a dash."""
    percent = session.percent
    if percent is None:
        return UNKNOWN
    return f"{percent}%" if session.reported else f"~{percent}%"


def _with_numbers(
    status: Status,
    sent_chars: int,
    session: SessionStatus,
    title: str,
    locale: str,
    wanted: Callable[[str], str] | None,
) -> Status:
    line, label = session_lines(session, title, locale)
    tooltip = f"{status.tooltip}\n\n{line}"
    if status.state in ("hidden-text", "cut"):
        return replace(status, tooltip=tooltip, label=f"{status.label}. {label}")
    numbers = share_text(session)
    if wanted is not None:
        numbers = wanted(f"{'' if session.reported else '~'}{short(session.used)}")
    elif status.state != "no-files":
        numbers = f"{short(sent_chars)} · {numbers}"
    if is_near(session):
        words = near_text(session, locale)
        return Status(
            "near-compaction", f"$(warning) {numbers}", f"{words}\n\n{tooltip}", f"{words}. {label}"
        )
    icon = "sync~spin" if status.state == "working" else "book"
    state: State = "working" if status.state == "working" else "session"
    return Status(state, f"$({icon}) {numbers}", tooltip, f"{status.label}. {label}")
