"""A file that begins with a byte-order mark.

## What it does
Marks the invisible character U+FEFF at the start of an instruction file.

## Why it matters
It is sent and counts as one character, and front matter behind it is not recognised.

## Example
A file that was saved as "UTF-8 with BOM".

## Better
Save it as UTF-8 without BOM.

## Which agents
Claw and claw-code keep it and count it as one character. It is no white space to them.

## Source
claw.md 2.3; ultraworkers/claw-code `rust/crates/runtime/src/prompt.rs`.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator

from agentbrief.rules.finding import Edit, Finding, Fix, Severity
from agentbrief.rules.scene import Scene
from agentbrief.text.span import Span
from agentbrief.text.whitespace import BYTE_ORDER_MARK

SEVERITY: Severity = "hint"


def check(scene: Scene) -> Iterator[Finding]:
    for judged in scene.judged:
        if judged.text.startswith(BYTE_ORDER_MARK):
            yield Finding(
                "byte-order-mark",
                judged.file.path,
                Span(0, 1),
                SEVERITY,
                "byte-order-mark",
                scene.profile.id,
                (("agent", scene.profile.title),),
            )


def fix(finding: Finding, text: str) -> Iterable[Fix]:
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    edit = Edit(finding.path, Span(0, 1), "")
    fix_id, title = "remove-mark", "fix.remove-mark"
    return (Fix(fix_id, title, "quickfix", edits=(edit,), expected_sha256=digest, safe=True),)
