"""Which picture stands in a tooltip? That of the files or that of the session, as Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agentbrief.messages import say
from agentbrief_server.state import Snapshot

if TYPE_CHECKING:
    from agentbrief.brief import Brief
    from agentbrief.profiles.profile import AgentProfile
    from agentbrief.report.bars import Segment
    from agentbrief.sessions.context_used import SessionStatus


def files_picture(snapshot: Snapshot, agent: AgentProfile, brief: Brief) -> str:
    """The budget by file; empty for a client that shows no pictures, and where no file is sent."""
    if not snapshot.client.pictures or not brief.entries:
        return ""
    from agentbrief.report.budget_page import file_segments
    from agentbrief.report.chain import chain_rows

    locale = snapshot.client.locale
    segments = file_segments(brief, chain_rows(agent, brief), locale)
    return _markdown(segments, brief.limits.total, agent.title)


def session_picture(snapshot: Snapshot, session: SessionStatus) -> str:
    """The session by kind of message; empty where no pictures are shown, and for an unknown window."""
    if not snapshot.client.pictures or not session.window:
        return ""
    from agentbrief.report.session_bars import kind_segments

    locale = snapshot.client.locale
    return _markdown(kind_segments(session, locale), session.window, say(locale, "page.session"))


def _markdown(segments: list[Segment], whole: int, title: str) -> str:
    # Late: the status is told with the first findings, and nothing of a page is needed for those.
    from agentbrief.redact import escape_markdown
    from agentbrief.report import bars

    words = escape_markdown(bars.alternative(segments, whole))
    return f"![{words}]({bars.data_image(bars.svg_bar(segments, whole, title))})"
