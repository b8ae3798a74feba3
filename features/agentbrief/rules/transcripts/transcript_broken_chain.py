"""Records of a transcript that cannot be reached from its end.

## What it does
Follows the parents of the records. It tells when a parent is in no record of the project (`dangling`), when
a record hangs on one from before a compaction (`skips-boundary`), and when parents form a loop (`cycle`).

## Why it matters
What is not on the chain is neither shown nor sent to the model when the session is resumed.

## Example
A record whose parent was never written because the disk was full.

## Better
Read the session by the order of its file, or write a repaired copy that links the record to the one before
it.

## Which agents
Claude Code, OpenClaw, pi.

## Source
agents.md 8 and 9.1; openclaw.md 4.7.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from agentbrief.rules.finding import Finding, Fix, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at, other_line, repaired_copy

SEVERITY: Severity = "error"
AGENTS = ("claude-code", "openclaw", "pi")

_MOST = 20
"""Other places that are named with the first."""


def check(scene: TranscriptScene) -> Iterator[Finding]:
    for facts in scene.transcripts:
        reach = facts.reach
        for reason in ("dangling", "skips-boundary", "cycle"):
            faults = [fault for fault in facts.chain_faults if fault.kind == reason]
            if not faults or reach is None:
                continue
            first, *others = faults
            yield finding_at(
                scene,
                "transcript-broken-chain",
                facts.path,
                first.line,
                SEVERITY,
                (("lost", reach.total - reach.reachable), ("total", reach.total), ("n", first.line)),
                reason=reason,
                message=f"transcript-broken-chain.{reason}",
                related=tuple(
                    other_line(facts.path, fault.line, "transcript-broken-chain.also")
                    for fault in others[:_MOST]
                ),
                data=(("id", first.id), ("parent", first.parent_id), ("count", len(faults))),
            )


def fix(finding: Finding, text: str) -> Iterable[Fix]:
    return repaired_copy(finding)
