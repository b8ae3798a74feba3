"""What is asked of a model for a summary, and in which words?

One call for the history and one for a turn that is split, each with a limit for its answer (openclaw.md 8.6,
8.12). The headings that are asked for are those of the format; the wording is ours.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from agentbrief.profiles.openclaw_data import StoreSummaryData
from agentbrief.sessions.model import Message

Template = Literal["initial", "update", "turn-prefix", "branch", "store", "merge", "notes"]
IdentifierPolicy = Literal["strict", "off", "custom"]

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
    "update": "Above is what was said since the earlier summary was written. Write that summary anew with"
    " what is new in it. Keep what it says, move what is done by now, drop only what no longer matters.\n"
    + _HEADINGS
    + _CRITICAL
    + _EXACT,
    "turn-prefix": "Above is the first part of one turn that was too long to keep; its last part stays. Write"
    " down what is needed to understand that last part.\n"
    "Answer with these sections only, in this order:\n\n"
    "## Original Request\nWhat the user asked for in this turn.\n\n"
    "## Early Progress\n- What was found, decided and done in this part.\n\n"
    "## Context for Suffix\n- What the part that stays relies on.\n" + _EXACT,
    "branch": "Above is a branch of a conversation that the user has left. Write a summary of it, to be read"
    " when the user comes back.\n" + _HEADINGS + _EXACT,
    "store": "Above is a conversation. Write a summary from which the agent can go on with the work; what an"
    " earlier summary says and still matters belongs to it.\n"
    "Answer with these sections only, in this order:\n\n"
    "## Decisions\n## Open Tasks\n## Constraints/Rules\n## Pending user asks\n## Exact identifiers\n"
    + _EXACT,
    "merge": "Above are summaries of parts of one conversation, in their order. Write one summary of them in"
    " the same sections. Keep what is open: tasks, decisions, what was promised." + _EXACT,
    "notes": "",
}
_STRICT = (
    " Copy every identifier letter by letter: ids, hashes, keys, addresses, ports, names of hosts and files."
)


@dataclass(frozen=True, slots=True)
class SummaryCall:
    """One call: the messages to tell of, the summary that is to be continued, and the words to ask with.

    ``max_tokens`` is the limit for the answer, None = the provider's own. ``focus`` is what the user asked to
    look at, ``words`` what is added to the words of the template.
    """

    template: Template
    messages: Sequence[Message] = field(hash=False)
    previous_summary: str | None = None
    max_tokens: int | None = None
    focus: tuple[str, ...] = ()
    words: str = ""

    @property
    def instructions(self) -> tuple[str, ...]:
        """What is said to the provider, the user's words last."""
        own = _WORDS[self.template] + self.words
        if self.max_tokens is not None:
            own += f" Use at most {self.max_tokens} tokens."
        return (*((own,) if own else ()), *(f"Additional focus: {text}" for text in self.focus))


def history_call(
    messages: Sequence[Message],
    previous_summary: str | None,
    reserve_tokens: int,
    focus: Sequence[str],
    data: StoreSummaryData,
) -> SummaryCall:
    """The call for what was said before the cut, or before the turn that it splits."""
    limit = math.floor(data.history_share * reserve_tokens)
    if previous_summary:
        return SummaryCall("update", messages, previous_summary, limit, tuple(focus))
    return SummaryCall("initial", messages, None, limit, tuple(focus))


def prefix_call(messages: Sequence[Message], reserve_tokens: int, data: StoreSummaryData) -> SummaryCall:
    """The call for the first part of a turn; the user's focus is not for it."""
    return SummaryCall("turn-prefix", messages, None, math.floor(data.prefix_share * reserve_tokens))


def store_call(
    messages: Sequence[Message],
    previous_summary: str | None,
    focus: Sequence[str],
    policy: IdentifierPolicy = "strict",
    policy_words: str = "",
) -> SummaryCall:
    """The one call of OpenClaw's layout. ``policy_words`` are the user's own, for ``custom``."""
    words = _STRICT if policy == "strict" else f" {policy_words}" if policy == "custom" else ""
    return SummaryCall("store", messages, previous_summary or None, None, tuple(focus), words)


def branch_call(messages: Sequence[Message], focus: Sequence[str], data: StoreSummaryData) -> SummaryCall:
    """The call for a branch that is left."""
    return SummaryCall("branch", messages, None, data.branch_max_tokens, tuple(focus))


def notes_call(messages: Sequence[Message], system_prompt: str, prompt: str) -> SummaryCall:
    """The call for the notes that are saved before a compaction, in the words of the agent's settings."""
    return SummaryCall("notes", messages, words=f"{system_prompt}\n\n{prompt}")
