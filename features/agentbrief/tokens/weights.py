"""What does each kind of byte weigh?

Fitted on our own texts by non-negative least squares, to three vocabularies: those of o200k and cl100k, and
that of Claude 2. The vocabulary of today's Claude models is not public. Source: token-weights.json, format 1.
"""

from __future__ import annotations

from typing import Final

FEATURES: Final = (
    "ascii", "upper", "digit", "newline", "punct", "blank", "blank_letter", "punct_letter", "camel",
    "digit_run", "lead_c0", "lead_d0", "lead_d8", "lead_e0", "lead_e2", "lead_e3", "lead_e4", "lead_ea",
    "lead_f0",
)  # fmt: skip
"""The counts that are weighed, in their order."""

UNITS: Final = 100_000
"""How many units a token has: weights are whole numbers, so that sums over lines are exact."""

_WEIGHTS: Final = {
    "o200k": (
        7549, 19223, 0, 110554, 3941, 0, 59965, 138340, 127278, 193183,
        113403, 29952, 38089, 38381, 46232, 70842, 78538, 72566, 199546,
    ),
    "cl100k": (
        7797, 22653, 0, 101806, 5543, 0, 62451, 125476, 135121, 191739,
        234315, 52007, 87306, 110342, 60190, 99876, 108684, 117600, 297631,
    ),
    "claude2": (
        3235, 21460, 17204, 130915, 12892, 0, 101475, 185436, 161784, 160413,
        340266, 60834, 118855, 148396, 65078, 106073, 97548, 141992, 290813,
    ),
}  # fmt: skip

REFERENCES: Final = tuple(_WEIGHTS)
"""The vocabularies that can be estimated; the first is the default."""


def weights(reference: str) -> tuple[int, ...]:
    """The weights of ``reference`` in units, in the order of :data:`FEATURES`.

    Raises:
        ValueError: it is none of :data:`REFERENCES`.
    """
    found = _WEIGHTS.get(reference)
    if found is None:
        raise ValueError(f"{reference!r} is none of {', '.join(REFERENCES)}")
    return found
