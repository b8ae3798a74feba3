"""What does the one status item say? The most urgent of what holds, in numbers."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from agentbrief.brief import Brief
from agentbrief.messages import say
from agentbrief.profiles.profile import AgentProfile
from agentbrief.report.chain import chain_rows
from agentbrief.report.numbers import short
from agentbrief.rules.finding import Finding

State = Literal[
    "no-files", "files", "session", "cut", "hidden-text", "near-compaction", "expiring", "working"
]
HIDDEN = ("hidden-text", "direction-control", "invisible-character", "variation-selector-data")
FORMAT = "{chars}/{charsMax}"
"""How the numbers are written unless the user says otherwise (``agentbrief.statusBar.format``)."""
_UNKNOWN = "–"
_ICONS = {"files": "book", "cut": "warning", "hidden-text": "shield", "working": "sync~spin"}


@dataclass(frozen=True, slots=True)
class Status:
    """The item: its state, its words with an icon in ``$(…)``, its tooltip, and the sentence for a screen
    reader.
    """

    state: State
    text: str
    tooltip: str
    label: str


def item_numbers(form: str, profile: AgentProfile, brief: Brief, tokens: str = _UNKNOWN) -> str:
    """The numbers as ``form`` has them: ``{chars} {charsMax} {pct} {tokens} {agent} {files}`` are filled in.

    ``tokens`` are those of the session.
    """
    total = brief.limits.total
    values = {
        "chars": short(brief.sent_chars),
        "charsMax": short(total),
        "pct": f"{round(brief.sent_chars * 100 / total)}%" if total else _UNKNOWN,
        "tokens": tokens,
        "agent": profile.title,
        "files": str(len(brief.entries)),
    }
    return _PLACE.sub(lambda found: values.get(found[1], found[0]), form)


_PLACE = re.compile(r"\{(\w+)\}")


def status_of(
    profile: AgentProfile,
    brief: Brief,
    findings: Iterable[Finding],
    locale: str,
    *,
    working: bool = False,
    form: str = FORMAT,
) -> Status:
    """The status of a workspace folder. Order when several hold: hidden text, cut, no files, working,
    files.
    """
    rows = [row for row in chain_rows(profile, brief) if row.rank]
    hidden = [finding for finding in findings if finding.code in HIDDEN]
    numbers = item_numbers(form, profile, brief)
    usual = say(locale, "status.files", agent=profile.title, sent=brief.sent_chars, max=brief.limits.total)
    if hidden:
        first = hidden[0]
        text = f"$({_ICONS['hidden-text']}) " + say(locale, "status.hidden", count=len(hidden))
        tooltip = say(locale, "status.hidden.tooltip", name=first.path.removeprefix(f"{brief.start}/"))
        return Status("hidden-text", text, f"{tooltip}\n\n{usual}", tooltip)
    lost = [row for row in rows if row.sent < row.total]
    if lost:
        row = max(lost, key=lambda each: each.total - each.sent)
        tooltip = say(locale, "status.cut", name=row.label, lost=row.total - row.sent, agent=profile.title)
        return Status("cut", f"$({_ICONS['cut']}) {numbers}", f"{tooltip}\n\n{usual}", tooltip)
    if not rows:
        none = say(locale, "chain.none")
        return Status("no-files", "", none, none)
    if working:
        tooltip = say(locale, "progress.reading")
        return Status("working", f"$({_ICONS['working']}) {numbers}", f"{tooltip}\n\n{usual}", usual)
    return Status("files", f"$({_ICONS['files']}) {numbers}", usual, usual)


def file_status(profile: AgentProfile, brief: Brief, path: str, locale: str) -> Status:
    """The status of one open file: how much of it is sent, and its rank."""
    rows = chain_rows(profile, brief)
    row = next((each for each in rows if each.path == path), None)
    ranked = sum(each.rank > 0 for each in rows)
    if row is None or not row.rank:
        reason = say(locale, row.reason, **dict(row.arguments)) if row else say(locale, "chain.none")
        return Status("cut", reason, reason, reason)
    text = say(locale, "status.file", sent=row.sent, total=row.total, agent=profile.title)
    detail = say(locale, "status.file.rank", rank=row.rank, count=ranked)
    return Status("cut" if row.sent < row.total else "files", text, detail, f"{text}, {detail}")
