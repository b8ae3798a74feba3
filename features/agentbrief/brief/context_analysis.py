"""How near are the context files of a run to their limits?

The numbers that OpenClaw keeps of what it sent, with its names (openclaw.md 12.2; openclaw/openclaw
``src/agents/bootstrap-budget.ts``). A file counts as cut when it was cut, and the limits are those in force.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass

from agentbrief.brief.context_files import ContextBudget, SentFile
from agentbrief.profiles.openclaw_data import ContextFileData


@dataclass(frozen=True, slots=True)
class ContextAnalysis:
    """The totals over the files that exist (UTF-16 units), and which files are cut or close to a limit."""

    budget: ContextBudget
    raw_chars: int
    sent_chars: int
    near_share: float

    @property
    def lost_chars(self) -> int:
        """How much longer the files are than what is sent of them, markers included."""
        return max(0, self.raw_chars - self.sent_chars)

    @property
    def total_near_limit(self) -> bool:
        """Whether what is sent comes close to the limit for all files."""
        return self.sent_chars >= math.ceil(self.budget.limits.max_total_chars * self.near_share)

    @property
    def has_cut(self) -> bool:
        """Whether any file was cut or not reached."""
        return any(sent.was_cut for sent in self.budget.files)

    def near_limit(self, sent: SentFile) -> bool:
        """Whether a file is close to the limit for one file, or above it."""
        most = math.ceil(self.budget.limits.max_file_chars * self.near_share)
        return sent.file.text is not None and sent.raw_chars >= most

    def causes(self, sent: SentFile) -> tuple[str, ...]:
        """Which limits OpenClaw names for a cut file: ``per-file-limit``, ``total-limit``, or none."""
        if not sent.was_cut:
            return ()
        limits = self.budget.limits
        found = ("per-file-limit",) if sent.raw_chars > limits.max_file_chars else ()
        return (*found, "total-limit") if self.sent_chars >= limits.max_total_chars else found

    def record(self) -> Mapping[str, object]:
        """All of it with OpenClaw's names."""
        return {
            "files": [
                {
                    "name": sent.file.name,
                    "path": sent.file.path,
                    "missing": sent.file.text is None,
                    "rawChars": sent.raw_chars,
                    "injectedChars": sent.sent_chars,
                    "truncated": sent.was_cut,
                    "nearLimit": self.near_limit(sent),
                    "causes": list(self.causes(sent)),
                }
                for sent in self.budget.files
            ],
            "totalNearLimit": self.total_near_limit,
            "hasTruncation": self.has_cut,
            "totals": {
                "rawChars": self.raw_chars,
                "injectedChars": self.sent_chars,
                "truncatedChars": self.lost_chars,
                "bootstrapMaxChars": self.budget.limits.max_file_chars,
                "bootstrapTotalMaxChars": self.budget.limits.max_total_chars,
                "nearLimitRatio": self.near_share,
            },
        }


def analyse_context(budget: ContextBudget, data: ContextFileData) -> ContextAnalysis:
    """The analysis of a budget."""
    there = [sent for sent in budget.files if sent.file.text is not None]
    return ContextAnalysis(
        budget,
        sum(sent.raw_chars for sent in there),
        sum(sent.sent_chars for sent in there),
        data.near_limit_share,
    )
