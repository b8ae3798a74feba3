"""Which findings can be mended without being looked at, and were they?"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agentbrief.changes.apply import Site, apply
from agentbrief.changes.steps import ReplaceFile
from agentbrief.disk.refusal import Refused
from agentbrief.disk.values import FileText, Stamp
from agentbrief.rules.finding import Edit, Finding, Fix
from agentbrief.rules.registry import rule
from agentbrief.tasks.setup import Setup


@dataclass(frozen=True, slots=True)
class Mended:
    """How many findings were mended, and the files that the system, or a change meanwhile, kept from being
    mended.
    """

    count: int
    refused: tuple[str, ...]


def mend(setup: Setup, findings: Iterable[Finding], texts: Mapping[str, str], site: Site) -> Mended:
    """Apply the safe fixes of ``findings``, each file at once, and only if it still is as it was read."""
    fixes: dict[str, list[Fix]] = {}
    for finding in findings:
        fix_of = rule(finding.code).fix
        for fix in fix_of(finding, texts.get(finding.path, "")) if fix_of is not None else ():
            if fix.safe and fix.edits and all(edit.path == finding.path for edit in fix.edits):
                fixes.setdefault(finding.path, []).append(fix)
    count = 0
    refused: list[str] = []
    for path, wanted in fixes.items():
        read = setup.files.read(path, setup.files.roots(setup.folders))
        if not isinstance(read, FileText) or read.text != texts.get(path):
            refused.append(path)
            continue
        text = applied(read.text, (edit for fix in wanted for edit in fix.edits))
        stamp = Stamp(read.stamp.dev, read.stamp.ino, read.stamp.size, read.stamp.mtime_ns, None)
        try:
            apply(site, [ReplaceFile(read.real_path, text.encode("utf-8"), stamp)])
        except Refused:
            refused.append(path)
        else:
            count += len(wanted)
    return Mended(count, tuple(refused))


def applied(text: str, edits: Iterable[Edit]) -> str:
    """``text`` with ``edits`` of one file made, the last one first so that offsets hold.

    Raises:
        ValueError: two edits overlap.
    """
    end = len(text)
    for edit in sorted(edits, key=lambda each: each.span, reverse=True):
        if edit.span.end > end:
            raise ValueError("edits overlap")
        text = text[: edit.span.start] + edit.new_text + text[edit.span.end :]
        end = edit.span.start
    return text
