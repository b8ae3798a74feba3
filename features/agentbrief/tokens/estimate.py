"""What is a number of tokens worth? A number, how it was found, and what it stands for."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Mode = Literal["parity", "estimate", "exact"]


@dataclass(frozen=True, slots=True)
class Estimate:
    """``tokens`` as ``mode`` gives them for ``reference``.

    ``parity`` is the formula of an agent, ``reference`` that agent; ``estimate`` is the byte-class estimator
    and ``exact`` a real tokenizer, ``reference`` the vocabulary. None of them is that of today's Claude
    models.
    """

    mode: Mode
    reference: str
    tokens: int
