"""What is known of the sessions, so that the next look has less to read?

Changed on the event loop or by a worker that puts a finished value in the place of another; the values
themselves never change. Nothing of the features is imported here: most servers never look at a session.
"""

from __future__ import annotations

from collections import OrderedDict
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from agentbrief.rules.finding import Finding
    from agentbrief.sessions.context_used import SessionStatus
    from agentbrief.tasks.sessions.list import SessionList
    from agentbrief_server.sessions.desk import SessionDesk
    from agentbrief_server.store.judging import StoreSeen

MOST_PAGES = 8
MOST_FILES = 50
"""Of so many transcripts the findings are told, of the latest ones."""


class SessionsSeen:
    """The last list of each workspace folder (None: of all), the session it runs, and what was shown.

    ``titles`` are those of the sessions in ``statuses``; both by workspace folder. ``findings`` are those on
    transcripts, by path; ``pages`` the texts of pages that name sessions, by address. ``stores`` are the open
    stores and configurations as they were judged, by path. ``desk`` is what commands on sessions work with.
    """

    def __init__(self) -> None:
        self.lists: dict[str | None, SessionList] = {}
        self.statuses: dict[str, SessionStatus] = {}
        self.titles: dict[str, str] = {}
        self.expiring: dict[str, int] = {}
        self.findings: dict[str, tuple[Finding, ...]] = {}
        self.pages: OrderedDict[str, str] = OrderedDict()
        self.stores: dict[str, StoreSeen] = {}
        self.desk: SessionDesk | None = None

    def keep_page(self, uri: str, text: str) -> None:
        """Keep the text of a page for hovers on it."""
        self.pages[uri] = text
        while len(self.pages) > MOST_PAGES:
            self.pages.popitem(last=False)

    def keep_findings(self, found: dict[str, tuple[Finding, ...]]) -> frozenset[str]:
        """Take the findings of transcripts that were judged; the paths of which others are told now."""
        before = self.findings
        now = {path: each for path, each in before.items() if path not in found}
        now |= {path: each for path, each in found.items() if each}
        while len(now) > MOST_FILES:
            del now[next(iter(now))]
        self.findings = now
        changed = {path for path in {*before, *now} if before.get(path, ()) != now.get(path, ())}
        return frozenset(changed)

    def forget(self) -> None:
        """Forget the lists: settings, folders or trust are others now."""
        self.lists = {}
        self.statuses = {}
        self.titles = {}
        self.expiring = {}
