"""How are the faults of a session's file told?"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agentbrief.jsonio import JsonValue
from agentbrief.messages import say
from agentbrief.redact import escape_markdown, mask
from agentbrief.report.session_record import Record, damage_records
from agentbrief.report.session_words import damage_text, why_text
from agentbrief.report.table import cell, table
from agentbrief.rules.finding import Finding
from agentbrief.sessions.model import Damage

_MOST_LINES = 200


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What a check of one file found, in the values that a report needs.

    ``problem`` is the word for why the file was not read; then nothing else is known.
    """

    path: str
    format: str = ""
    lines: int = 0
    parsed: int = 0
    torn_tail: bool = False
    damage: tuple[Damage, ...] = ()
    findings: tuple[Finding, ...] = ()
    problem: str | None = None

    @property
    def is_clean(self) -> bool:
        """Whether nothing was found."""
        return self.problem is None and not self.damage and not self.findings


def check_lines(report: CheckReport, locale: str) -> Iterator[str]:
    """The report for a terminal: a heading, then a line for each fault and each finding."""
    name = os.path.basename(report.path)
    if report.problem is not None:
        yield say(locale, "session.not-one", path=report.path, reason=why_text(report.problem, locale))
        return
    yield say(locale, "session.check.head", name=name, lines=report.lines, parsed=report.parsed)
    for line, words in _told(report, locale):
        yield f"  {say(locale, 'session.check.line', line=line)}  {words}" if line else f"  {words}"


def check_page(reports: Sequence[CheckReport], locale: str) -> str:
    """The reports as one Markdown page, clean files at the end in one sentence."""
    parts = [f"# {say(locale, 'page.session-check')}"]
    clean = 0
    for report in reports:
        if report.is_clean:
            clean += 1
            continue
        name = escape_markdown(mask(os.path.basename(report.path)))
        if report.problem is not None:
            parts.append(f"## {name}\n\n{why_text(report.problem, locale)}")
            continue
        head = say(locale, "session.check.head", name=name, lines=report.lines, parsed=report.parsed)
        rows = [
            [str(line) if line else "", cell(escape_markdown(mask(words)))]
            for line, words in _told(report, locale)
        ]
        header = [say(locale, "sections.line"), say(locale, "session.check.what")]
        parts.append(f"## {name}\n\n{head}\n\n{table(header, rows, frozenset((0,)))}")
    parts.append(say(locale, "session.check.clean", count=clean))
    return "\n\n".join(parts) + "\n"


def check_record(report: CheckReport, locale: str) -> Record:
    """The contract of ``sessions check --json``."""
    findings: list[JsonValue] = [
        {
            "code": finding.code,
            "severity": finding.severity,
            "path": finding.path,
            "line": finding.line,
            "message": _message(finding, locale),
            "profile": finding.profile_id,
            "reason": finding.reason,
        }
        for finding in report.findings
    ]
    return {
        "path": report.path,
        "format": report.format,
        "lines": report.lines,
        "parsed": report.parsed,
        "torn_tail": report.torn_tail,
        "issues": damage_records(report.damage),
        "findings": findings,
        "problem": report.problem,
    }


def _told(report: CheckReport, locale: str) -> list[tuple[int, str]]:
    """Faults of lines, then findings that say something else; those on the same line are not told twice."""
    found = [(each.line, damage_text(each, locale)) for each in report.damage]
    damaged = {each.line for each in report.damage}
    found += [
        (finding.line, f"{_message(finding, locale)} [{finding.code}]")
        for finding in report.findings
        if not (finding.line in damaged and finding.code in _OF_DAMAGE)
    ]
    found.sort(key=lambda each: each[0])
    if len(found) > _MOST_LINES:
        rest = len(found) - _MOST_LINES
        return [*found[:_MOST_LINES], (0, say(locale, "session.check.more", count=rest))]
    return found


_OF_DAMAGE = frozenset(
    ("transcript-bad-line", "transcript-merged-line", "transcript-torn-tail", "transcript-lone-surrogate")
)


def _message(finding: Finding, locale: str) -> str:
    return say(locale, finding.message, **dict(finding.arguments))


def joined(reports: Iterable[CheckReport]) -> tuple[Finding, ...]:
    """The findings of all ``reports``."""
    return tuple(finding for report in reports for finding in report.findings)
