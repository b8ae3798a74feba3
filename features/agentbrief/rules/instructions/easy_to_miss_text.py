"""Text that is there to be read, but where nobody looks.

## What it does
Marks HTML comments of 200 characters or more, and text behind 200 or more blanks of one line.

## Why it matters
A rendered file does not show comments, and an editor shows the far right of a line only to those who scroll
there. The agent reads both.

## Example
A rule at column 260 of a line that seems to end at column 12.

## Better
Move the text to where it can be seen, or delete it.

## Which agents
All, but for agents that leave comments out.

## Source
reliability.md 9.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Arguments, Finding, Severity
from agentbrief.rules.hiding import SETTING, findings
from agentbrief.rules.scene import Scene
from agentbrief.text.invisible import Hidden
from agentbrief.text.out_of_sight import COMMENT_START

__all__ = ["SETTING", "SEVERITY", "check"]

SEVERITY: Severity = "information"


def check(scene: Scene) -> Iterator[Finding]:
    yield from findings(scene, "easy-to-miss-text", SEVERITY, _wording)


def _wording(text: str, hidden: Hidden, said: str) -> tuple[str, Arguments]:
    start, end = hidden.span.start, hidden.span.end
    if text.startswith(COMMENT_START, start):
        return "easy-to-miss-text.comment", (("count", len(hidden.span)),)
    behind = len(text[start:end]) - len(said)
    return "easy-to-miss-text.blanks", (("count", len(said)), ("blanks", behind))
