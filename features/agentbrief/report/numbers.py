"""How are numbers written where there is little room?"""

from __future__ import annotations


def short(number: int) -> str:
    """``number`` in at most four characters for a status item: 999, 5.5k, 12k, 1.2M."""
    for size, letter in ((1_000_000, "M"), (1_000, "k")):
        if number >= size or (size == 1_000 and number >= 1_000):
            tenths = round(number * 10 / size)
            if tenths < 100 and tenths % 10:
                return f"{tenths // 10}.{tenths % 10}{letter}"
            return f"{round(number / size)}{letter}"
    return str(number)
