"""What does a list say of one session, whatever agent wrote it?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from agentbrief.disk.values import Stamp

ItemState = Literal["running", "idle", "archived", "unreadable"]


@dataclass(frozen=True, slots=True)
class SessionItem:
    """One session. ``agent`` is the profile of the agent that wrote it, ``format`` that of its file.

    Numbers are None where nothing that a list looks at tells them: ``messages``, ``turns`` (messages that a
    person typed), ``used_tokens`` (``is_reported``: by the agent, else an estimate), ``window`` in tokens.
    ``problem`` is the reader's word for a file that was not read. ``is_own``: it lies in the workspace.
    ``writable``: we may change it. ``is_foreign``: it was begun in another workspace. ``key`` is that of
    OpenClaw's store. ``first`` and ``last`` are the starts of the first and the last message with words;
    ``last`` None: not looked for. Times in ms since 1970.
    """

    session_id: str
    path: str
    format: str
    agent: str
    title: str
    stamp: Stamp
    updated_ms: int
    state: ItemState = "idle"
    problem: str | None = None
    messages: int | None = None
    turns: int | None = None
    used_tokens: int | None = None
    is_reported: bool = False
    window: int | None = None
    cwd: str | None = None
    branch: str | None = None
    model: str | None = None
    is_own: bool = False
    writable: bool = False
    is_foreign: bool = False
    expires_in_days: int | None = None
    parent_id: str | None = None
    key: str | None = None
    first: str = ""
    last: str | None = None
    rotated: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The size of the file in bytes."""
        return self.stamp.size

    def mentions(self, words: str) -> bool:
        """Whether ``words`` (case-folded) stand in what the list knows of the session."""
        texts = (self.title, self.first, self.last or "", self.branch or "", self.session_id, self.key or "")
        return any(words in text.casefold() for text in texts)


def newest_first(items: Iterable[SessionItem]) -> tuple[SessionItem, ...]:
    """``items`` as a list shows them."""
    return tuple(sorted(items, key=lambda item: (-item.updated_ms, item.session_id, item.path)))


def named(reference: str, items: Iterable[SessionItem]) -> SessionItem | None:
    """The session that ``reference`` names: ``latest``, an identifier, a store's key, or a path.

    ``latest`` is the newest one that can be read. Of two sessions with one identifier the newer counts.
    """
    items = newest_first(items)
    if reference == "latest":
        return next((item for item in items if item.problem is None and not item.is_foreign), None)
    return next((item for item in items if reference in (item.session_id, item.path, item.key)), None)
