"""What did a session do, as a short list?

Source: claw.md 7.3; ultraworkers/claw-code src/history.py@08106b0c, whose list a line break in a title or a
detail takes apart.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.claw.text import json_text
from agentbrief.text.whitespace import LINE_BREAKS, WHITE_SPACE

_BLANKS = re.compile(f"[{WHITE_SPACE}]+")
_BREAK = re.compile(f"[{LINE_BREAKS}]")
_LINE_END = re.compile("\r\n|\n|\r")
_HEADING = "# Session History"


@dataclass(frozen=True, slots=True)
class HistoryEvent:
    """One thing that happened: what it was, and more about it."""

    title: str
    detail: str

    def as_markdown(self) -> str:
        """The event as an item of a list; its lines stay inside the item. Nothing else is escaped here."""
        title = _BLANKS.sub(_without_break, self.title)
        first, *others = _LINE_END.split(self.detail)
        lines = [f"- {title}: {first}", *(f"  {line}" if line else "" for line in others)]
        return "\n".join(lines)

    def record(self, at_ms: int) -> bytes:
        """The event as a line of the history file, without a line end; ``at_ms`` since 1970."""
        value: dict[str, JsonValue] = {"at_ms": at_ms, "detail": self.detail, "title": self.title}
        return json_text(value).encode("utf-8")


@dataclass(frozen=True, slots=True)
class HistoryLog:
    """The events of a session, oldest first."""

    events: tuple[HistoryEvent, ...] = ()

    def add(self, title: str, detail: str) -> HistoryLog:
        """The log with one event more."""
        return HistoryLog((*self.events, HistoryEvent(title, detail)))

    def as_markdown(self) -> str:
        """The log as a heading and a list, without a final newline; an empty log is the heading alone."""
        return "\n".join([_HEADING, "", *(event.as_markdown() for event in self.events)])


def _without_break(blanks: re.Match[str]) -> str:
    return " " if _BREAK.search(blanks[0]) else blanks[0]
