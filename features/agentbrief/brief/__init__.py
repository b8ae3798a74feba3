"""What of the instruction files reaches the agent? Duplicates, budget, the cut."""

from agentbrief.brief.placement import (
    Brief,
    Charge,
    CutAt,
    DuplicateOf,
    Entry,
    Included,
    Limits,
    Marker,
    Omitted,
    Placement,
    Skipped,
)
from agentbrief.brief.placing import place

__all__ = [
    "Brief",
    "Charge",
    "CutAt",
    "DuplicateOf",
    "Entry",
    "Included",
    "Limits",
    "Marker",
    "Omitted",
    "Placement",
    "Skipped",
    "place",
]
