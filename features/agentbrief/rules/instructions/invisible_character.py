"""Zero-width characters where no script needs them.

## What it does
Marks a zero-width space, joiner, non-joiner, word joiner or soft hyphen between two ASCII letters, a
byte-order mark that is not at the start, the invisible operators U+2061 to U+2064, and runs of such
characters. A long run of two or three different ones is read as binary and shown as text. Joiners in Arabic,
Persian and Indic words and in emoji are left alone.

## Why it matters
A name with such a character looks right and matches nothing: a search, a path or a command fails. A long run
of them is a sentence that only the agent can read.

## Example
`pass` and `word` with U+200B between them.

## Better
Remove the character, or write the word anew.

## Which agents
All. The text is sent to the model as it stands.

## Source
reliability.md 9.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.rules.finding import Arguments, Finding, Severity
from agentbrief.rules.hiding import SETTING, findings, fixes, quoted
from agentbrief.rules.scene import Scene
from agentbrief.text.invisible import Hidden
from agentbrief.text.invisible_payload import written_in_bits

__all__ = ["SETTING", "SEVERITY", "check", "fix"]

SEVERITY: Severity = "warning"

fix = fixes

_INSIDE_WORDS = "\u00ad\u200b\u200c\u200d\u2060"


def check(scene: Scene) -> Iterator[Finding]:
    yield from findings(scene, "invisible-character", SEVERITY, _wording)


def _wording(text: str, hidden: Hidden, said: str) -> tuple[str, Arguments]:
    characters = text[hidden.span.start : hidden.span.end]
    if len(characters) == 1:
        where = "invisible-character.in-word" if characters in _INSIDE_WORDS else "invisible-character"
        return where, (("character", said),)
    count = ("count", len(characters))
    if written_in_bits(characters) is not None:
        return "invisible-character.text", (count, ("payload", quoted(said)))
    more = "…" if len(said.split(" ")) < len(characters) else ""
    return "invisible-character.run", (count, ("characters", " ".join(filter(None, (said, more)))))
