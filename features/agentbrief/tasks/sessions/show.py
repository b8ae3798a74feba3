"""What does one session say, and what does it cost?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from agentbrief.sessions.context_used import ContextUsed
from agentbrief.sessions.model import Damage, Message
from agentbrief.tasks.sessions.read import SessionFile, line_damage, told_of, whole
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.sessions.status import used_now
from agentbrief.tasks.sessions.titles import title_of

_READ_ALL_THE_SAME = frozenset(("lone-surrogate", "too-long"))
"""Faults of lines that are records all the same, or that are only too long to be held."""


@dataclass(frozen=True, slots=True)
class ShownSession:
    """A session to be shown. ``messages`` begins anew each time it is called; of a long file it reads again.

    ``lines`` counts all but blank ones, ``parsed`` the records among them.
    """

    file: SessionFile
    session_id: str
    title: str
    messages: Callable[[], Iterator[Message]] = field(repr=False)
    damage: tuple[Damage, ...]
    lines: int
    parsed: int
    torn_tail: bool
    used: ContextUsed


def shown(setup: SessionsSetup, file: SessionFile) -> ShownSession:
    """The session in ``file``.

    Raises:
        Refused: the file is gone, or the disk reports an error.
        ValueError: it is too long for its format.
    """
    used = used_now(setup, file)
    if file.is_whole:
        session = whole(setup.fs, file)
        messages = session.messages
        return ShownSession(
            file,
            session.ref.session_id or file.session_id,
            title_of(setup, file, messages),
            lambda: iter(messages),
            session.damage,
            session.lines,
            session.parsed,
            session.torn_tail,
            used,
        )
    found = told_of(setup.fs, file)
    damage = tuple(line_damage(setup.fs, file))
    return ShownSession(
        file,
        file.session_id,
        title_of(setup, file),
        found.messages,
        damage,
        found.lines,
        found.lines - sum(each.code not in _READ_ALL_THE_SAME for each in damage),
        any(each.code == "torn-tail" for each in damage),
        used,
    )
