"""On which line and in which column is a finding, and how is it written as JSON?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agentbrief.jsonio import JsonValue
from agentbrief.messages import say
from agentbrief.rules.finding import Finding
from agentbrief.rules.registry import rule
from agentbrief.text.line_index import LineIndex


@dataclass(frozen=True, slots=True)
class Located:
    """A finding with its place, lines and columns from 1 in code points, and its message in one locale."""

    finding: Finding
    message: str
    line: int
    column: int
    end_line: int
    end_column: int


def located(findings: Iterable[Finding], texts: Mapping[str, str], locale: str) -> tuple[Located, ...]:
    """``findings`` with their places. A file whose text is not known is taken to be empty."""
    indexes: dict[str, LineIndex] = {}
    found: list[Located] = []
    for finding in findings:
        index = indexes.get(finding.path)
        if index is None:
            index = indexes[finding.path] = LineIndex(texts.get(finding.path, ""))
        line, column = index.position(finding.span.start)
        end_line, end_column = index.position(finding.span.end)
        message = say(locale, finding.message, **dict(finding.arguments))
        found.append(Located(finding, message, line + 1, column + 1, end_line + 1, end_column + 1))
    return tuple(found)


def is_fixable(finding: Finding, text: str) -> bool:
    """Whether a fix changes something, whether or not it may be applied without being looked at."""
    fix = rule(finding.code).fix
    return fix is not None and any(each.edits or each.deletes_file for each in fix(finding, text))


def finding_record(located: Located, texts: Mapping[str, str], locale: str) -> dict[str, JsonValue]:
    """A finding as the contract of ``check --format json`` wants it (cli.md)."""
    finding = located.finding
    return {
        "code": finding.code,
        "severity": finding.severity,
        "path": finding.path,
        "line": located.line,
        "column": located.column,
        "end_line": located.end_line,
        "end_column": located.end_column,
        "message": located.message,
        "profile": finding.profile_id,
        "fixable": is_fixable(finding, texts.get(finding.path, "")),
        "related": [
            {
                "path": other.path,
                "line": LineIndex(texts.get(other.path, "")).line_of(other.span.start) + 1,
                "message": say(locale, other.message, **dict(other.arguments)),
            }
            for other in finding.related
        ],
    }
