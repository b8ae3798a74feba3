"""Which ways to cut a session are there, the wanted one first?"""

from __future__ import annotations

from itertools import chain
from typing import Literal

from agentbrief.compaction.pi.due import compaction_due
from agentbrief.compaction.pi.pi_source import Layout, PiSettings, PiSource
from agentbrief.compaction.pi.preparation import NothingToCompact, Preparation, prepare
from agentbrief.compaction.pi.tool_failures import has_real_message

_SHARES = (2, 4, 0)
"""By what the tokens that stay are divided when too much is left; 0 keeps as little as possible."""


def offered_cuts(
    source: PiSource, settings: PiSettings, until_fits: bool, only_if_due: bool
) -> tuple[Preparation, ...] | NothingToCompact | Literal["not-due"]:
    """The preparations, each keeping less than the one before; or why there is none.

    ``until_fits`` asks for more than the wanted one. ``only_if_due`` gives none below the threshold.
    """
    tree, data = source.transcript.tree, settings.data
    window = settings.window_tokens
    if only_if_due and (
        window is None or not compaction_due(tree, window, settings.reserve_tokens, data).due
    ):
        return "not-due"
    wanted = settings.keep_recent_tokens
    amounts = [wanted, *(wanted // share if share else 0 for share in _SHARES if until_fits)]
    found: dict[str, Preparation] = {}
    for amount in amounts:
        preparation = prepare(tree, amount, data)
        if not isinstance(preparation, Preparation):
            if amount == wanted and not until_fits:
                return preparation
            continue
        found.setdefault(preparation.first_kept_id, preparation)
    if not found:
        return "too-small" if not tree.path or tree.path[-1].type != "compaction" else "already-compacted"
    return with_real_messages(tuple(found.values()), settings.layout)


def with_real_messages(
    prepared: tuple[Preparation, ...], layout: Layout
) -> tuple[Preparation, ...] | NothingToCompact:
    """Those of ``prepared`` that summarise anything really said; OpenClaw's layout asks for that."""
    real = tuple(
        preparation
        for preparation in prepared
        if layout == "pi"
        or has_real_message(message.value for message in chain(preparation.history, preparation.turn_prefix))
    )
    return real or "nothing-real"
