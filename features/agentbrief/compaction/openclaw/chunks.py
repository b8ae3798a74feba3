"""How are messages split for a model that cannot take all of them at once?

Messages are given by their sizes in tokens; the result are ranges of their indexes. ``tied[i]`` says that
message ``i`` must stay with the one before it, a result with its call (openclaw.md 8.8; openclaw/openclaw
``src/agents/compaction.ts``).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from agentbrief.profiles.openclaw_data import ChunkData


def split_by_share(sizes: Sequence[int], parts: int, tied: Sequence[bool] | None = None) -> tuple[range, ...]:
    """At most ``parts`` parts of about the same number of tokens."""
    parts = min(max(1, parts), max(1, len(sizes)))
    target = sum(sizes) / parts
    starts = [0]
    tokens = 0
    for index, size in enumerate(sizes):
        full = index > starts[-1] and tokens + size > target
        if full and len(starts) < parts and not _stays(tied, index):
            starts.append(index)
            tokens = 0
        tokens += size
    return _ranges(starts, len(sizes))


def split_by_size(
    sizes: Sequence[int], max_tokens: int, data: ChunkData, tied: Sequence[bool] | None = None
) -> tuple[range, ...]:
    """Parts of at most ``max_tokens``, less the margin of the estimate; a larger message stands alone."""
    most = max(1, math.floor(max_tokens / data.safety_margin))
    starts = [0]
    tokens = 0
    for index, size in enumerate(sizes):
        if index > starts[-1] and tokens + size > most and not _stays(tied, index):
            starts.append(index)
            tokens = 0
        tokens += size
    return _ranges(starts, len(sizes))


def adaptive_ratio(sizes: Sequence[int], window_tokens: int, data: ChunkData) -> float:
    """The share of the window that one part may take: less where messages are large."""
    if not sizes or window_tokens <= 0:
        return data.ratio
    share = sum(sizes) / len(sizes) * data.safety_margin / window_tokens
    if share <= data.large_share:
        return data.ratio
    return max(data.least_ratio, data.ratio - min(share * 2, data.ratio_reduction))


def chunk_tokens(sizes: Sequence[int], window_tokens: int, data: ChunkData) -> int:
    """How many tokens one part may hold, at least 1."""
    return max(
        1, math.floor(window_tokens * adaptive_ratio(sizes, window_tokens, data)) - data.overhead_tokens
    )


def parts_needed(sizes: Sequence[int], window_tokens: int, data: ChunkData) -> int:
    """In how many parts the messages are summarised."""
    many = len(sizes) >= data.least_messages
    return data.parts if many and sum(sizes) > chunk_tokens(sizes, window_tokens, data) else 1


def summarised_first(
    sizes: Sequence[int],
    window_tokens: int,
    max_history_share: float,
    data: ChunkData,
    tied: Sequence[bool] | None = None,
) -> int:
    """How many of the oldest messages that would stay are summarised first, so that the rest fits.

    Nothing as long as they take no more than the share of the window with the margin; else halves, the
    oldest first, until the rest takes no more than the share.
    """
    if sum(sizes) <= math.floor(window_tokens * max_history_share * data.safety_margin):
        return 0
    return over_budget(sizes, max(1, math.floor(window_tokens * max_history_share)), data, tied)


def over_budget(
    sizes: Sequence[int],
    most_tokens: int,
    data: ChunkData,
    tied: Sequence[bool] | None = None,
    *,
    parts: int | None = None,
) -> int:
    """How many of the oldest messages go so that the rest takes at most ``most_tokens``.

    The oldest of ``parts`` (None: halves) at a time; a last message that is too large by itself stays.
    """
    first = 0
    while first < len(sizes) and sum(sizes[first:]) > most_tokens:
        shares = split_by_share(
            sizes[first:], parts or data.parts, tied[first:] if tied is not None else None
        )
        if len(shares) < 2:
            break
        first += len(shares[0])
    return first


def too_large_to_summarise(size: int, window_tokens: int, data: ChunkData) -> bool:
    """Whether a message is left out, with a note in its place, when the summary of all has failed."""
    return size * data.safety_margin > window_tokens * data.omitted_share


def _stays(tied: Sequence[bool] | None, index: int) -> bool:
    return tied is not None and tied[index]


def _ranges(starts: Sequence[int], count: int) -> tuple[range, ...]:
    if not count:
        return ()
    ends = [*starts[1:], count]
    return tuple(range(start, end) for start, end in zip(starts, ends, strict=True))
