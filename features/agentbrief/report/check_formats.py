"""How are findings printed for people, for scripts, for code scanning and for a workflow log?"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from agentbrief.jsonio import JsonValue
from agentbrief.redact import Secret, clean, mask, masked, secrets
from agentbrief.redact.plain import plain
from agentbrief.report.addresses import rule_page
from agentbrief.report.located import Located, finding_record
from agentbrief.rules.registry import rules
from agentbrief.text.columns import columns
from agentbrief.text.line_index import LineIndex
from agentbrief.text.visible import visible

SARIF_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_SARIF_LEVELS = {"error": "error", "warning": "warning", "information": "note", "hint": "note"}
_GITHUB_LEVELS = {"error": "error", "warning": "warning", "information": "notice", "hint": "notice"}
_COLOURS = {"error": "31", "warning": "33", "information": "36", "hint": "90"}
_LONGEST_LINE = 160


def as_text(
    found: Sequence[Located], texts: Mapping[str, str], beside: str, *, colour: bool
) -> Iterator[str]:
    """Each finding with its source line and a caret under it; paths relative to the folder ``beside``."""
    known: dict[str, tuple[Secret, ...]] = {}
    for each in found:
        finding = each.finding
        place = f"{clean(os.path.relpath(finding.path, beside))}:{each.line}:{each.column}"
        severity = f"{finding.severity}[{finding.code}]"
        if colour:
            severity = f"\x1b[{_COLOURS[finding.severity]}m{severity}\x1b[0m"
        yield f"{place}: {severity} {clean(each.message)}"
        text = texts.get(finding.path, "")
        if text and "unnecessary" not in finding.tags:
            # A finding may begin in the middle of a secret, or behind the name that gives it away.
            if finding.path not in known:
                known[finding.path] = secrets(text)
            yield from _excerpt(text, each, known[finding.path])


def _excerpt(text: str, found: Located, hits: Sequence[Secret]) -> Iterator[str]:
    index = LineIndex(text)
    line = found.line - 1
    start, end = index.line_start(line), index.line_end(line)
    offset = found.column - 1
    first = max(0, offset - _LONGEST_LINE // 2) if end - start > _LONGEST_LINE else 0
    last = min(end, start + first + _LONGEST_LINE)
    place = start + offset
    place_end = start + found.end_column - 1 if found.end_line == found.line else end
    before, marked, after = (
        _shown(text, start + first, place, hits),
        _shown(text, place, min(place_end, last), hits),
        _shown(text, min(place_end, last), last, hits),
    )
    gutter = str(found.line)
    caret = " " * columns(before) + "^" * max(1, columns(marked))
    yield f" {gutter} | {before}{marked}{after}"
    yield f" {' ' * len(gutter)} | {caret}"


def _shown(text: str, start: int, end: int, hits: Sequence[Secret]) -> str:
    """A piece of a line as a terminal may show it: what cannot be seen has a stand-in, tabs are blanks, and a
    secret stands masked where it begins.
    """
    pieces: list[str] = []
    position = start
    for secret in hits:
        if secret.span.end <= position:
            continue
        if secret.span.start >= end:
            break
        pieces.append(mask(visible(text[position : secret.span.start])))
        if secret.span.start >= start:
            pieces.append(masked(plain(text[secret.span.start : secret.span.end]).text))
        position = min(secret.span.end, end)
    pieces.append(mask(visible(text[position:end])))
    return "".join(pieces).replace("\t", " ").replace("\n", " ")


def as_json(
    found: Sequence[Located],
    texts: Mapping[str, str],
    files_checked: int,
    unreadable: Sequence[tuple[str, str]],
    locale: str,
) -> dict[str, JsonValue]:
    """The contract of ``check --format json`` (cli.md)."""
    return {
        "findings": [finding_record(each, texts, locale) for each in found],
        "files_checked": files_checked,
        "unreadable": [{"path": path, "reason": reason} for path, reason in unreadable],
    }


def as_sarif(found: Sequence[Located], version: str) -> dict[str, JsonValue]:
    """A SARIF 2.1.0 log of one run; columns count code points."""
    used = {each.finding.code for each in found}
    descriptors: list[JsonValue] = [
        {
            "id": rule.code,
            "shortDescription": {"text": rule.summary},
            "fullDescription": {"text": rule.page},
            "helpUri": rule_page(rule.code),
            "defaultConfiguration": {"level": _SARIF_LEVELS[rule.severity]},
        }
        for rule in rules()
        if rule.code in used
    ]
    driver: JsonValue = {
        "name": "agentbrief",
        "version": version,
        "informationUri": "https://github.com/agentbrief/agentbrief",
        "rules": descriptors,
    }
    results: list[JsonValue] = [_sarif_result(each) for each in found]
    run: JsonValue = {"tool": {"driver": driver}, "columnKind": "unicodeCodePoints", "results": results}
    return {"$schema": SARIF_SCHEMA, "version": "2.1.0", "runs": [run]}


def _sarif_result(found: Located) -> JsonValue:
    finding = found.finding
    return {
        "ruleId": finding.code,
        "level": _SARIF_LEVELS[finding.severity],
        "message": {"text": found.message},
        "properties": {"profile": finding.profile_id},
        "locations": [
            {
                "physicalLocation": {
                    "artifactLocation": {"uri": Path(finding.path).as_uri()},
                    "region": {
                        "startLine": found.line,
                        "startColumn": found.column,
                        "endLine": found.end_line,
                        "endColumn": found.end_column,
                    },
                }
            }
        ],
    }


def as_github(found: Sequence[Located], beside: str) -> Iterator[str]:
    """Workflow commands that a run on GitHub shows beside the lines."""
    for each in found:
        finding = each.finding
        place = (
            f"file={_property(os.path.relpath(finding.path, beside))},"
            f"line={each.line},endLine={each.end_line},col={each.column},endColumn={each.end_column},"
            f"title={_property(finding.code)}"
        )
        yield f"::{_GITHUB_LEVELS[finding.severity]} {place}::{_data(each.message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
