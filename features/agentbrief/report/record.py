"""How is a brief written as JSON?

The keys are a contract (cli.md): they are only ever added.
"""

from __future__ import annotations

from collections.abc import Sequence

from agentbrief.brief import Brief, CutAt, DuplicateOf, Entry, Included, Omitted, Placement
from agentbrief.jsonio import JsonValue
from agentbrief.profiles.profile import AgentProfile
from agentbrief.prompt import rendered
from agentbrief.text.whitespace import trim
from agentbrief.tokens.parity import FORMULAS


def brief_record(profile: AgentProfile, brief: Brief) -> dict[str, JsonValue]:
    """The result record of claw.md 2.7:

    files and what was skipped in the order of the prompt, and the rendered section.
    """
    section = rendered(profile, brief)
    return {
        "profile": profile.id,
        "start": brief.start,
        "bound": brief.bound,
        "files": [_file(profile, placed) for placed in brief.listed],
        "skipped": [_skipped(placed) for placed in brief.placements if placed not in brief.listed],
        "above": list(brief.above),
        "rendered": section.text if section else None,
        "total_consumed": brief.sent_chars,
        "remaining": brief.remaining,
        **({"aborted": {"path": brief.aborted.path, "status": brief.aborted.kind}} if brief.aborted else {}),
    }


def _file(profile: AgentProfile, placed: Included | CutAt | Omitted) -> JsonValue:
    file = placed.file
    found: dict[str, JsonValue] = {
        "path": file.path,
        "heading": placed.heading,
        "content_chars": file.chars,
        "content_utf8_bytes": len(file.text.encode("utf-8", "surrogatepass")),
        "omitted": isinstance(placed, Omitted),
    }
    if profile.rendering is not None and (kind := profile.rendering.kind_of(file.path)) is not None:
        found["source"] = kind
    if isinstance(placed, Entry):
        found |= {
            "budget_before": placed.charge.budget_before,
            "consumed": placed.charge.consumed,
            "rendered_chars": len(placed.printed),
            "truncated": _truncated(profile, placed),
            "tokens": FORMULAS[profile.token_formula](placed.printed),
        }
    return found


def _truncated(profile: AgentProfile, entry: Entry) -> bool:
    if profile.rendering is not None and profile.rendering.cut == "charged-marker":
        # claw-code compares texts: one that ends as its marker does and is cut to itself counts as whole
        # (claw.md 3.2).
        return entry.printed != trim(entry.file.text)
    return isinstance(entry, CutAt)


def _skipped(placed: Placement) -> JsonValue:
    if isinstance(placed, DuplicateOf):
        same = placed.file.is_same_file(placed.survivor)
        return {
            "path": placed.file.path,
            "status": "duplicate",
            "of": placed.survivor.path,
            "same_file": same,
        }
    problem = placed.file.problem
    return {"path": placed.file.path, "status": problem.kind if problem else "blank"}


def compare_record(start: str, briefs: Sequence[tuple[AgentProfile, Brief]]) -> dict[str, JsonValue]:
    """The contract of ``compare --json`` (cli.md).

    A difference is a file whose status is not the same for all agents.
    """
    statuses: dict[str, dict[str, JsonValue]] = {}
    for profile, brief in briefs:
        for placed in brief.placements:
            statuses.setdefault(placed.file.path, {})[profile.id] = status(placed)
    ids = [profile.id for profile, _ in briefs]
    differences: list[JsonValue] = []
    for path, by_profile in statuses.items():
        whole: dict[str, JsonValue] = {name: by_profile.get(name, "not-read") for name in ids}
        if len(set(map(str, whole.values()))) > 1:
            differences.append({"path": path, "by_profile": whole})
    records: list[JsonValue] = [brief_record(profile, brief) for profile, brief in briefs]
    return {"start": start, "briefs": records, "differences": differences}


def status(placed: Placement) -> str:
    """What became of a file, in one word: sent, cut, duplicate, omitted, blank, or why it was not read."""
    if isinstance(placed, CutAt):
        return "cut"
    if isinstance(placed, Entry):
        return "sent"
    if isinstance(placed, DuplicateOf):
        return "duplicate"
    if placed.why == "budget":
        return "omitted"
    return placed.file.problem.kind if placed.file.problem else "blank"
