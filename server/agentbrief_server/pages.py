"""Which generated page stands at an ``agentbrief:`` address?

An address says all that the page needs: its kind, and in the query what it is about. So a page can be asked
for again at any time, also by an editor that restored it from an earlier session.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from agentbrief.brief import Brief
from agentbrief.disk.values import FileText
from agentbrief.profiles.profile import AgentProfile
from agentbrief.prompt import PromptFacts, assemble, rendered
from agentbrief.redact import mask
from agentbrief.report.budget_page import budget_page
from agentbrief.report.chain_page import chain_page, compare_page
from agentbrief.report.context_page import context_page
from agentbrief.report.copies_page import copies_page
from agentbrief.report.rotation_page import rotation_page
from agentbrief.report.rule_pages import rule_markdown
from agentbrief.report.sections_page import sections_page
from agentbrief.rules.registry import rule
from agentbrief.tasks.setup import agent_of, agents, brief_from
from agentbrief.text.visible import visible
from agentbrief_server import beside_log
from agentbrief_server.state import Snapshot
from agentbrief_server.uris import uri_of

SCHEME = "agentbrief"


@dataclass(frozen=True, slots=True)
class Page:
    """A page: its text and the language an editor should show it in."""

    text: str
    language: str = "markdown"


def address(kind: str, title: str, **about: str) -> str:
    """The address of a page. ``title`` is what an editor shows on its tab."""
    query = urlencode({key: value for key, value in about.items() if value})
    return f"{SCHEME}:/{kind}/{quote(title)}.md" + (f"?{query}" if query else "")


def page_at(snapshot: Snapshot, uri: str) -> Page | None:
    """The page at ``uri``; None when there is no such page, or what it is about is not there."""
    parts = urlsplit(uri)
    if parts.scheme != SCHEME:
        return None
    kind = parts.path.strip("/").split("/", 1)[0]
    maker = _MAKERS.get(kind)
    if maker is None:
        return None
    about = dict(parse_qsl(parts.query))
    try:
        page = maker(snapshot, about)
    except (KeyError, ValueError):
        return None
    if kind.startswith("session"):
        snapshot.sessions.keep_page(uri, page.text)
    return page


def brief_of(snapshot: Snapshot, about: Mapping[str, str]) -> tuple[AgentProfile, Brief]:
    """The agent and the brief that a page is about: ``agent`` (else the leading one) started in ``start``."""
    start = about["start"]
    folder = snapshot.folder_of(start)
    setup = snapshot.setup(folder)
    agent = agent_of(setup.settings, about.get("agent", "")) or agents(setup.settings)[0]
    return agent, brief_from(setup, agent, start)


def _brief(snapshot: Snapshot, about: Mapping[str, str]) -> Page:
    agent, brief = brief_of(snapshot, about)
    home = os.path.expanduser("~")
    page = chain_page(agent, brief, snapshot.client.locale, _links(snapshot), home=home)
    return Page(page + _beside(snapshot, about, [(agent, brief)]))


def _compare(snapshot: Snapshot, about: Mapping[str, str]) -> Page:
    settings = snapshot.settings_of(None)
    names = [name for name in about["agents"].split(",") if agent_of(settings, name) is not None]
    briefs = [brief_of(snapshot, {**about, "agent": name}) for name in names]
    return Page(compare_page(briefs, snapshot.client.locale) + _beside(snapshot, about, briefs))


def _beside(
    snapshot: Snapshot, about: Mapping[str, str], briefs: Sequence[tuple[AgentProfile, Brief]]
) -> str:
    """What the log of the user's own hook says beside the briefs; empty where the setting names none."""
    setup = snapshot.setup(snapshot.folder_of(about["start"]))
    return beside_log.section(setup, briefs, snapshot.client.locale)


def _prompt(snapshot: Snapshot, about: Mapping[str, str]) -> Page:
    agent, brief = brief_of(snapshot, about)
    if agent.prompt is None:
        section = rendered(agent, brief)
        return Page(mask(section.text if section else "") + "\n")
    facts = PromptFacts(working_directory=brief.start, date=about.get("date"), platform=about.get("platform"))
    return Page(mask(assemble(agent, brief, facts).text) + "\n")


def _budget(snapshot: Snapshot, about: Mapping[str, str]) -> Page:
    agent, brief = brief_of(snapshot, about)
    pictures = snapshot.client.pictures and about.get("pictures") != "text"
    title = os.path.basename(brief.bound) or brief.bound
    text = budget_page(
        agent,
        brief,
        about.get("path"),
        snapshot.client.locale,
        pictures=pictures,
        title=title,
        home=os.path.expanduser("~"),
    )
    return Page(text + _session_of(snapshot, snapshot.folder_of(about["start"]), pictures))


def _session_of(snapshot: Snapshot, folder: str | None, pictures: bool) -> str:
    """The part of the budget that the session of the folder takes; empty where none is followed."""
    status = snapshot.sessions.statuses.get(folder or "")
    if status is None:
        return ""
    from agentbrief.report.session_bars import session_section

    title = snapshot.sessions.titles.get(folder or "", "")
    return "\n" + session_section(status, title, snapshot.client.locale, pictures=pictures)


def _sections(snapshot: Snapshot, about: Mapping[str, str]) -> Page:
    agent, brief = brief_of(snapshot, about)
    return Page(sections_page(agent, brief, about["path"], snapshot.client.locale))


def _context(snapshot: Snapshot, about: Mapping[str, str]) -> Page:
    project = snapshot.projects[about["folder"]]
    text = context_page(
        project.context, snapshot.client.locale, partial=project.partial, file_count=project.files
    )
    return Page(text)


def _rule(snapshot: Snapshot, about: Mapping[str, str]) -> Page:
    return Page(rule_markdown(rule(about["code"])))


def _hidden(snapshot: Snapshot, about: Mapping[str, str]) -> Page:
    return Page(mask(visible(text_at(snapshot, about["path"]))))


def _rotation(snapshot: Snapshot, about: Mapping[str, str]) -> Page:
    name = os.path.basename(about.get("path", ""))
    return Page(rotation_page(about["secret"], about.get("shown", ""), name, snapshot.client.locale))


def _copies(snapshot: Snapshot, about: Mapping[str, str]) -> Page:
    one, other = about["path"], about["other"]
    page = copies_page(one, text_at(snapshot, one), other, text_at(snapshot, other), snapshot.client.locale)
    return Page(page)


def text_at(snapshot: Snapshot, path: str) -> str:
    """The text of a file of the workspace.

    Raises:
        KeyError: it is not there, or may not be read.
    """
    read = snapshot.files.read(path, snapshot.files.roots(snapshot.folders or (os.path.dirname(path),)))
    if not isinstance(read, FileText):
        raise KeyError(path)
    return read.text


def _links(snapshot: Snapshot) -> Callable[[str], str]:
    """How a page leads to a file.

    VS Code's Markdown preview follows no link with a scheme; one that begins with a slash it takes from the
    first workspace folder, whatever document it stands in.
    """
    if not snapshot.client.documents or not snapshot.folders:
        return uri_of
    first = snapshot.folders[0]

    def link(path: str) -> str:
        try:
            relative = os.path.relpath(path, first)
        except ValueError:  # another drive
            return uri_of(path)
        return "/" + quote(relative.replace(os.sep, "/"))

    return link


def _of_sessions(text: str, module: str = "sessions.pages") -> Callable[[Snapshot, Mapping[str, str]], Page]:
    """A page about sessions; its maker is imported when one is asked for, as most servers never are."""

    def make(snapshot: Snapshot, about: Mapping[str, str]) -> Page:
        maker = getattr(import_module(f"agentbrief_server.{module}"), text)
        return Page(maker(snapshot, about))

    return make


def _of_compactions(text: str) -> Callable[[Snapshot, Mapping[str, str]], Page]:
    return _of_sessions(text, "compaction.pages")


def _of_stores(text: str) -> Callable[[Snapshot, Mapping[str, str]], Page]:
    return _of_sessions(text, "store.pages")


_MAKERS: dict[str, Callable[[Snapshot, Mapping[str, str]], Page]] = {
    "brief": _brief,
    "compare": _compare,
    "prompt": _prompt,
    "budget": _budget,
    "sections": _sections,
    "context": _context,
    "rule": _rule,
    "hidden": _hidden,
    "rotation": _rotation,
    "copies": _copies,
    "sessions": _of_sessions("list_text"),
    "session": _of_sessions("session_text"),
    "session-check": _of_sessions("check_text"),
    "compaction": _of_compactions("compaction_text"),
    "compaction-now": _of_compactions("now_text"),
    "compaction-after": _of_compactions("after_text"),
    "checkpoints": _of_compactions("checkpoints_text"),
    "restore": _of_compactions("restore_text"),
    "restore-now": _of_compactions("now_text"),
    "restore-after": _of_compactions("after_text"),
    "cleanup": _of_stores("cleanup_text"),
    "trash": _of_stores("trash_text"),
    "stores": _of_stores("status_text"),
    "doctor": _of_stores("doctor_text"),
    "run-restore": _of_sessions("run_text", "store.runs"),
}
