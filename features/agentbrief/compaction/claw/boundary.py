"""From which message on does a compaction keep the conversation?

Only the shape of a message counts here: how large it is, which tools it calls and which calls it answers. No
pair of call and result that is whole is ever split.

Source: claw.md 6.2, 6.3, 6.10; ultraworkers/claw-code rust/crates/runtime/src/compact.rs@08106b0c.
"""

from __future__ import annotations

from collections.abc import Sequence

from agentbrief.sessions.formats.claw_session import Profile
from agentbrief.sessions.shapes import Shape


def is_due(shapes: Sequence[Shape], prefix: int, preserve: int, max_tokens: int) -> bool:
    """Whether so many messages with so many tokens are to be compacted.

    ``prefix`` is 1 where a summary stands first: it does not count. More than ``preserve`` messages, and at
    least ``max_tokens`` tokens.
    """
    return (
        len(shapes) - prefix > preserve
        and sum(shape.tokens for shape in shapes) - sum(shape.tokens for shape in shapes[:prefix])
        >= max_tokens
    )


def first_kept(shapes: Sequence[Shape], prefix: int, preserve: int, profile: Profile = "claw") -> int:
    """The index of the first message that stays; that of the end if none does.

    It is ``prefix`` where nothing can be removed.
    """
    start = max(prefix, len(shapes) - preserve)
    return _walked_back(shapes, prefix, start) if profile == "claw-code" else _paired(shapes, prefix, start)


def split_pairs(shapes: Sequence[Shape], prefix: int, kept: int) -> tuple[str, ...]:
    """The identifiers of calls before the index ``kept`` whose results stand at or behind it."""
    before = {call for shape in shapes[prefix:kept] for call in shape.calls}
    behind: set[str] = set()
    split: list[str] = []
    for shape in shapes[kept:]:
        behind.update(shape.calls)
        split += [result for result in shape.results if result in before and result not in behind]
    return tuple(split)


def _paired(shapes: Sequence[Shape], prefix: int, kept: int) -> int:
    """The boundary moved back until each result that stays has its call with it.

    Of calls with one identifier the nearest at or before the result counts; a result without any stays alone.
    """
    open_results: set[str] = set()
    for index in range(len(shapes) - 1, kept - 1, -1):
        open_results.update(shapes[index].results)
        open_results.difference_update(shapes[index].calls)
    if not open_results:
        return kept
    index = kept
    while open_results and index > prefix:
        index -= 1
        if not open_results.isdisjoint(shapes[index].calls):
            # the message joins those that stay, and so does what lies between
            for back in range(kept - 1, index - 1, -1):
                open_results.update(shapes[back].results)
                open_results.difference_update(shapes[back].calls)
            kept = index
    return kept


def _walked_back(shapes: Sequence[Shape], prefix: int, kept: int) -> int:
    """claw-code's walk: away from a result that comes first, up to the first message that calls any tool."""
    while prefix < kept < len(shapes) and shapes[kept].opens_with_result:
        kept -= 1
        if shapes[kept].calls:
            break
    return kept
