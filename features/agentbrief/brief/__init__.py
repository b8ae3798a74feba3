"""What of the instruction files reaches the agent? Duplicates, budget, the cut."""

from agentbrief.brief.place import place
from agentbrief.brief.placement import (
    Brief,
    Charge,
    CutAt,
    DuplicateOf,
    Entry,
    Included,
    Limits,
    Omitted,
    Placement,
    Skipped,
)

__all__ = [
    "Brief",
    "Charge",
    "CutAt",
    "DuplicateOf",
    "Entry",
    "Included",
    "Limits",
    "Omitted",
    "Placement",
    "Skipped",
    "place",
]
