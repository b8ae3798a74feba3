"""A control character that turns the direction of the text after it.

## What it does
Marks each of the characters U+202A, U+202B, U+202D, U+202E and U+2066 to U+2068 with the text whose direction
it changes: up to U+202C or U+2069, or to the end of the line. The marks U+200E and U+200F, which prose in
Arabic and Hebrew needs, are left alone.

## Why it matters
The text stands in another order on the screen than in the file. You review one sentence, and the agent reads
another.

## Example
`Open gnp.exe` with U+202E before the name is drawn as `Open exe.png`.

## Better
Remove the character. Prose that mixes directions does without it.

## Which agents
All. The text is sent to the model in the order of the file.

## Source
reliability.md 9; Unicode Standard Annex 9.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Arguments, Finding, Severity
from agentbrief.rules.hiding import SETTING, findings, fixes
from agentbrief.rules.scene import Scene
from agentbrief.text.invisible import Hidden
from agentbrief.text.invisible_payload import code_points

__all__ = ["SETTING", "SEVERITY", "check", "fix"]

SEVERITY: Severity = "warning"

fix = fixes


def check(scene: Scene) -> Iterator[Finding]:
    yield from findings(scene, "direction-control", SEVERITY, _wording)


def _wording(text: str, hidden: Hidden, said: str) -> tuple[str, Arguments]:
    return "direction-control", (("character", code_points(text[hidden.span.start])),)
