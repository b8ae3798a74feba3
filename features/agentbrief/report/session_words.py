"""In which words is a session spoken of: its age, its tokens, its faults, why it cannot be read?"""

from __future__ import annotations

from agentbrief.messages import say
from agentbrief.messages.catalogue import sentences
from agentbrief.profiles.load import profile
from agentbrief.report.numbers import short
from agentbrief.sessions.model import Damage
from agentbrief.sessions.session_items import SessionItem

UNKNOWN = "–"
_MINUTE_MS = 60 * 1000
_HOUR_MS = 60 * _MINUTE_MS
_DAY_MS = 24 * _HOUR_MS
_RECOVERING = frozenset(("two-records", "spliced", "nul-run"))


def why_text(why: str, locale: str) -> str:
    """Why a file is no session, or was not read: ``why`` is the word of a reader or of the disk."""
    key = f"session.why.{why}"
    return say(locale, key) if key in sentences(locale) else say(locale, "session.why.other", word=why)


def damage_text(damage: Damage, locale: str) -> str:
    """What is wrong with a line, and how many whole records a repair can offer."""
    key = f"session.damage.{damage.code}"
    known = key in sentences(locale)
    words = say(locale, key) if known else say(locale, "session.damage.other", word=damage.code)
    if damage.recovered and damage.code in _RECOVERING:
        more = say(locale, "session.damage.recovered", count=len(damage.recovered))
    elif damage.length and damage.code in ("torn-tail", "nul-run"):
        more = say(locale, "session.damage.size", size=damage.length)
    else:
        return words
    return say(locale, "session.damage.with", words=words, more=more)


def age_text(time_ms: int, now_ms: int, locale: str) -> str:
    """How long ago that was, in the largest unit that fits."""
    age = max(now_ms - time_ms, 0)
    if age < _MINUTE_MS:
        return say(locale, "session.age.now")
    for unit, size in (("days", _DAY_MS), ("hours", _HOUR_MS), ("minutes", _MINUTE_MS)):
        if age >= size:
            return say(locale, f"session.age.{unit}", count=age // size)
    return UNKNOWN


def tokens_text(used: int | None, reported: bool, window: int | None, locale: str) -> str:
    """Tokens in use, of the window where it is known; an estimate has a ``~`` before it."""
    if used is None:
        return UNKNOWN
    number = short(used) if reported else f"~{short(used)}"
    return number if window is None else say(locale, "session.of", used=number, window=short(window))


def state_text(item: SessionItem, locale: str, expiring_days: int = 0) -> str:
    """The state of a session: unread, expiring, read-only or running; its usual state has no word."""
    if item.problem is not None:
        return why_text(item.problem, locale)
    if expires_soon(item, expiring_days):
        assert item.expires_in_days is not None
        return say(locale, "session.state.expiring", days=item.expires_in_days)
    parts: list[str] = []
    if item.state != "idle":
        parts.append(say(locale, f"session.state.{item.state}"))
    if item.is_foreign:
        parts.append(say(locale, "session.state.foreign"))
    elif not item.writable:
        parts.append(say(locale, "session.state.read-only"))
    return " · ".join(parts)


def expires_soon(item: SessionItem, expiring_days: int) -> bool:
    """Whether the agent removes the session within so many days; 0 days: nobody asks."""
    left = item.expires_in_days
    return bool(expiring_days) and left is not None and left <= expiring_days


def agent_title(item: SessionItem) -> str:
    """The name of the session's agent."""
    return profile(item.agent).title


def name_of(item: SessionItem) -> str:
    """What a session is called: its title, else its identifier."""
    return item.title or item.session_id


def size_of(item: SessionItem) -> str:
    """The size of its file."""
    from agentbrief.rules.transcript_scene import size_text

    return size_text(item.size)
