"""What claw-code sends of this file is not what Claw sends.

## What it does
Compares the two profiles from the file's own folder: a file that claw-code drops as a
duplicate, leaves out, cuts elsewhere, does not find, or gets nothing of because another file stops it.

## Why it matters
Claw follows the rules that claw-code documents; the program of today differs. Whoever uses
both should know where.

## Example
Two equal files on one chain: Claw sends the nearer one, claw-code the outer one.

## Better
Nothing needs mending for one agent alone. Files below the limits, without copies, in a git
repository are read alike.

## Which agents
Claw, compared with claw-code of August 2026. Silent when claw-code is itself among the agents
that are shown. A difference only in the heading or in what is charged is shown in the hover.

## Source
claw.md 2.8 and 3; ultraworkers/claw-code@08106b0c `rust/crates/runtime/src/prompt.rs`.
"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.brief import Brief, CutAt, DuplicateOf, Entry, Omitted, Placement
from agentbrief.rules.finding import Arguments, Finding, Severity
from agentbrief.rules.scene import Judged, Scene, shown
from agentbrief.text.span import Span

SEVERITY: Severity = "information"
AGENTS = ("claw",)


def check(scene: Scene) -> Iterator[Finding]:
    if scene.reference is None:
        return
    for judged in scene.judged:
        if judged.reference is None:
            continue
        difference = _difference(judged, judged.reference)
        if difference is None:
            continue
        reason, arguments = difference
        end = judged.text.find("\n")
        yield Finding(
            "claw-code-differs",
            judged.file.path,
            Span(0, len(judged.text) if end < 0 else end),
            SEVERITY,
            f"claw-code-differs.{reason}",
            scene.reference.id,
            (("agent", scene.reference.title), ("other_agent", scene.profile.title), *arguments),
            data=(("reason", reason),),
        )


def _difference(judged: Judged, reference: Brief) -> tuple[str, Arguments] | None:
    ours = judged.own.placed
    if isinstance(ours, DuplicateOf) or (isinstance(ours, Omitted) and ours.why != "budget"):
        return None
    if reference.aborted is not None:
        path = shown(reference.aborted.path, judged.file.path)
        return "aborted", (("path", path), ("reason", reference.aborted.kind))
    theirs = reference.placement(judged.file.path)
    if theirs is None:
        return "not-found", ()
    if isinstance(theirs, DuplicateOf):
        return "duplicate", (("other", shown(theirs.survivor.path, judged.file.path)),)
    if _sent(ours) == _sent(theirs):
        return None
    if isinstance(theirs, CutAt):
        return "cut", (("chars", len(theirs.sent)),)
    return ("whole", ()) if isinstance(theirs, Entry) else ("omitted", ())


def _sent(placed: Placement) -> Span | None:
    return placed.sent if isinstance(placed, Entry) else None
