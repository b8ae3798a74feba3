"""What did an earlier summary say, whoever wrote it?

One of ours is read line by line. One that claw-code merged has lost its indentation: there every line may be
a header. Free text becomes notes. Source: claw.md 6.7, 6.11.
"""

from __future__ import annotations

import re
from typing import Literal

from agentbrief.compaction.claw import grammar
from agentbrief.compaction.claw.cleaning import defused
from agentbrief.compaction.claw.format_summary import format_summary_text
from agentbrief.compaction.claw.summary import Scope, SummaryParts, Timeline
from agentbrief.text.whitespace import lines, trim, trim_end

_Section = Literal["requests", "pending", "notes", "timeline", "current", "other"]

_LISTS: dict[str, _Section] = {
    grammar.REQUESTS: "requests",
    grammar.PENDING: "pending",
    grammar.NOTES: "notes",
    grammar.TIMELINE: "timeline",
}
_PART_HEADERS = (grammar.NEW_PART, grammar.OLD_PART)
_PART_LINES = frozenset(grammar.HEADER + header for header in _PART_HEADERS)
_BLANKS_AND_DASHES = re.compile(r"(?: |- )*")


def parse_summary(summary: str) -> SummaryParts:
    """What ``summary`` says; nothing of it is lost, what is no part of the grammar is in the notes."""
    found = [trim_end(line) for line in lines(format_summary_text(summary))]
    found = [line for line in found if line and line not in (grammar.LABEL, grammar.TITLE)]
    reader = _Reader()
    if not _PART_LINES.isdisjoint(found):
        for line in found:
            _read_loosely(reader, line)
    else:
        for line in found:
            _read_strictly(reader, line)
    return reader.parts()


def _read_strictly(reader: _Reader, line: str) -> None:
    if line.startswith(grammar.ITEM):
        reader.item(line[len(grammar.ITEM) :])
    elif not line.startswith(grammar.HEADER):
        reader.more(trim(line))
    elif not reader.header(line[len(grammar.HEADER) :]):
        reader.item(line[len(grammar.HEADER) :])


def _read_loosely(reader: _Reader, line: str) -> None:
    matched = _BLANKS_AND_DASHES.match(line)
    stripped = matched[0] if matched else ""
    rest = line[len(stripped) :]
    if not rest or rest in _PART_HEADERS or rest in (grammar.LABEL, grammar.TITLE) or reader.header(rest):
        return
    if grammar.HEADER in stripped:
        reader.item(rest)
    else:
        reader.more(trim(rest))


class _Reader:
    """Takes headers, items and other lines in their order; :meth:`parts` is what they say together."""

    def __init__(self) -> None:
        self._section: _Section = "other"
        self._last: list[str] | None = None
        self._scope: Scope | None = None
        self._tools: list[str] = []
        self._files: list[str] = []
        self._current: list[str] = []
        self._lists: dict[_Section, list[str]] = {name: [] for name in _LISTS.values()}
        self._before_hidden: list[str] | None = None
        self._hidden = 0

    def header(self, text: str) -> bool:
        """Whether ``text`` is a header; if so it is taken."""
        if text in _LISTS:
            self._section = _LISTS[text]
        elif found := grammar.SCOPE.fullmatch(text):
            counted = Scope(*map(int, found.groups()))
            self._scope = counted if self._scope is None else self._scope.plus(counted)
            self._section = "other"
        elif (names := _names(text, grammar.TOOLS)) is not None:
            self._tools += names
            self._section = "other"
        elif (names := _names(text, grammar.FILES)) is not None:
            self._files += names
            self._section = "other"
        elif text.startswith(grammar.CURRENT):
            self._current = [text[len(grammar.CURRENT) :]]
            self._section = "current"
            self._last = self._current
            return True
        else:
            return False
        self._last = None
        return True

    def item(self, text: str) -> None:
        """Take ``text`` as an item of the list it stands in, or as a note."""
        section = self._section
        if section == "timeline" and (found := grammar.HIDDEN_MESSAGES.fullmatch(text)):
            self._hidden += int(found[1])
            if self._before_hidden is None:
                self._before_hidden = self._lists["timeline"]
                self._lists["timeline"] = []
            self._last = None
        elif section in ("requests", "pending", "timeline"):
            self._lists[section].append(text)
            self._last = self._lists[section]
        else:
            self._note(text)

    def more(self, text: str) -> None:
        """Take ``text`` as the rest of the line before it, or as a note."""
        if self._last:
            self._last[-1] += f" {text}"
        else:
            self._note(text)

    def parts(self) -> SummaryParts:
        """Everything that was taken."""
        before, listed = _defused(self._before_hidden or []), _defused(self._lists["timeline"])
        timeline = Timeline(before, self._hidden, listed) if self._hidden else Timeline((*before, *listed))
        return SummaryParts(
            self._scope,
            tuple(dict.fromkeys(_defused(self._tools))),
            _defused(self._lists["requests"]),
            _defused(self._lists["pending"]),
            tuple(dict.fromkeys(_defused(self._files))),
            defused(self._current[-1]) if self._current else None,
            _defused(self._lists["notes"]),
            timeline,
        )

    def _note(self, text: str) -> None:
        self._lists["notes"].append(text)
        self._last = None


def _names(text: str, header: str) -> list[str] | None:
    if not text.startswith(header) or not text.endswith(".") or len(text) <= len(header) + 1:
        return None
    return text[len(header) : -1].split(", ")


def _defused(texts: list[str]) -> tuple[str, ...]:
    return tuple(map(defused, texts))
