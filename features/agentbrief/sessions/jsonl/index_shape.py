"""What does the index of one format keep of a record? See :mod:`agentbrief.sessions.jsonl.index`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

Row = TypeVar("Row")

CallRow = tuple[int, str | None, str | None, int, int, int, int]
"""A call in a block of rows: the place of its line, key and request, and its four parts in tokens:

input, output, written to the cache, read from the cache.
"""


@dataclass(frozen=True, slots=True)
class IndexShape(Generic[Row]):
    """What the index of one format keeps of a row. Each function is given many rows at once.

    ``codes`` looks up the number of each row's type and raises KeyError for a type that has none yet.
    ``calls`` and ``marks`` are given the place of the first row too; marks are lines of a kind that is looked
    for later, such as ``sidechain``. Lines of a type in ``boundaries`` that ``is_boundary`` are compactions.
    """

    row: type[Row]
    types: Callable[[Sequence[Row]], list[str | None]]
    codes: Callable[[Sequence[Row], Mapping[str | None, int]], list[int]]
    ids: Callable[[Sequence[Row]], list[str | None]]
    parents: Callable[[Sequence[Row]], list[str | None]]
    calls: Callable[[Sequence[Row], int], list[CallRow]]
    marks: Callable[[Sequence[Row], int], Iterable[tuple[int, str]]]
    boundaries: str
    is_boundary: Callable[[Row], bool] = lambda row: True
