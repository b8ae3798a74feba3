"""What does one session say, and what does it cost?"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from agentbrief.sessions.context_used import ContextUsed
from agentbrief.sessions.listing import SKETCHERS, listed_sessions
from agentbrief.sessions.locations import Location
from agentbrief.sessions.model import Damage, Message
from agentbrief.sessions.titles import TitleSources, first_prompts, title
from agentbrief.tasks.session_cuts import whole_words
from agentbrief.tasks.session_facts import sources_of
from agentbrief.tasks.sessions_read import SessionFile, line_damage, told_of, whole
from agentbrief.tasks.sessions_setup import SessionsSetup
from agentbrief.tasks.sessions_status import used_now

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


def title_of(setup: SessionsSetup, file: SessionFile, messages: tuple[Message, ...] = ()) -> str:
    """What the session is called in a list; its identifier where nothing tells."""
    found = ""
    if file.format in SKETCHERS:
        place = Location(file.path, "", file.session_id)
        listed = listed_sessions(setup.fs, (place,), file.readable, file.format)
        found = whole_words(listed[0].title, sources_of(listed[0].sketch)) if listed else ""
    elif messages or file.is_whole:
        prompt = telling = None
        for message in messages or whole(setup.fs, file).messages:
            if message.role == "user" and message.text:
                prompt, telling = first_prompts(prompt, telling, message.text)
        found = whole_words(title(TitleSources(prompt=prompt, telling_prompt=telling)), (telling, prompt))
    return found or file.session_id
