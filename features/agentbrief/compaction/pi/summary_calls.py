"""What is asked of a model for a summary, and in which words?

One call for the history and one for a turn that is split, each with a limit for its answer (openclaw.md 8.6,
8.12). The headings that are asked for are those of the format; the wording is ours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from agentbrief.compaction.pi.preparation import Preparation
from agentbrief.profiles.openclaw_data import StoreSummaryData
from agentbrief.sessions.pi_context import ContextMessage, RawMessage

Template = Literal["initial", "update", "turn-prefix", "branch", "store"]

_HEADINGS = """\
Answer with these sections only, in this order:

## Goal
What the user wants; one line each if there are several things.

## Constraints & Preferences
- What the user asked to keep to. "(none)" if nothing.

## Progress
### Done
- [x] What is finished.
### In Progress
- [ ] What was begun.
### Blocked
- What stands in the way. Leave it out if nothing does.

## Key Decisions
- **Decision**: why.

## Next Steps
1. What comes next, in order.
"""
_CRITICAL = """
## Critical Context
- Data, examples and references that are needed to go on. "(none)" if there are none.
"""
_EXACT = "\nBe brief. Write paths, names, commands and error messages exactly as they stand."

_WORDS: dict[Template, str] = {
    "initial": "Above is a conversation. Write a summary from which another model can go on with the work.\n"
    + _HEADINGS
    + _CRITICAL
    + _EXACT,
    "update": "Above is what was said since the summary in <previous-summary> was written. Write that summary"
    " anew with what is new in it. Keep what it says, move what is done by now, drop only what no longer"
    " matters.\n" + _HEADINGS + _CRITICAL + _EXACT,
    "turn-prefix": "Above is the first part of one turn that was too long to keep; its last part stays. Write"
    " down what is needed to understand that last part.\n"
    "Answer with these sections only, in this order:\n\n"
    "## Original Request\nWhat the user asked for in this turn.\n\n"
    "## Early Progress\n- What was found, decided and done in this part.\n\n"
    "## Context for Suffix\n- What the part that stays relies on.\n" + _EXACT,
    "branch": "Above is a branch of a conversation that the user has left. Write a summary of it, to be read"
    " when the user comes back.\n" + _HEADINGS + _EXACT,
    "store": "Above is a conversation. Write a summary from which the agent can go on with the work.\n"
    "Answer with these sections only, in this order:\n\n"
    "## Decisions\n## Open TODOs\n## Constraints/Rules\n## Pending user asks\n## Exact identifiers\n"
    + _EXACT,
}
_STRICT = (
    " Copy every identifier letter by letter: ids, hashes, keys, addresses, ports, names of hosts and files."
)


@dataclass(frozen=True, slots=True)
class SummaryCall:
    """One call: the messages to tell of, the summary that is to be continued, and the words to ask with.

    ``max_tokens`` is the limit for the answer, None = the provider's own. ``focus`` is what the user asked to
    look at; it is part of ``instructions`` too.
    """

    template: Template
    messages: tuple[RawMessage, ...] = field(hash=False)
    previous_summary: str | None = None
    max_tokens: int | None = None
    focus: str | None = None
    identifiers: str = ""

    @property
    def instructions(self) -> str:
        """The words that follow the conversation."""
        words = _WORDS[self.template] + self.identifiers
        return f"{words}\n\nAdditional focus: {self.focus}" if self.focus else words


def pi_calls(
    preparation: Preparation, reserve_tokens: int, focus: str | None, data: StoreSummaryData
) -> tuple[SummaryCall | None, SummaryCall | None]:
    """The call for the history and that for a split turn; None where there are no messages for it."""
    history = prefix = None
    if preparation.history:
        history = SummaryCall(
            "update" if preparation.previous_summary else "initial",
            _values(preparation.history),
            preparation.previous_summary or None,
            math.floor(data.history_share * reserve_tokens),
            focus or None,
        )
    if preparation.turn_prefix:
        limit = math.floor(data.prefix_share * reserve_tokens)
        prefix = SummaryCall("turn-prefix", _values(preparation.turn_prefix), max_tokens=limit)
    return history, prefix


def openclaw_call(
    preparation: Preparation,
    focus: str | None,
    policy: Literal["strict", "off", "custom"] = "strict",
    policy_words: str = "",
) -> SummaryCall:
    """The one call for all that is summarised. ``policy_words`` are the user's own, for ``custom``."""
    identifiers = _STRICT if policy == "strict" else f" {policy_words}" if policy == "custom" else ""
    return SummaryCall(
        "store",
        _values(preparation.removed),
        preparation.previous_summary or None,
        focus=focus or None,
        identifiers=identifiers,
    )


def branch_call(
    messages: Sequence[RawMessage], focus: str | None, data: StoreSummaryData
) -> SummaryCall | None:
    """The call for a branch that is left; None where it has no messages."""
    if not messages:
        return None
    return SummaryCall("branch", tuple(messages), max_tokens=data.branch_max_tokens, focus=focus or None)


def _values(messages: Sequence[ContextMessage]) -> tuple[RawMessage, ...]:
    return tuple(message.value for message in messages)
