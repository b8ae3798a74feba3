"""What is the model sent of a Claude Code transcript, and what of it will the service refuse?

A reply is written as several lines and parallel calls branch, so more is sent than the path alone: the other
lines of a reply on it, and the results that hang on them.

Source: agents.md 8 (``transcript-unpaired-tool``, ``-split-message``, ``-rejected-block``) and 9.1.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from agentbrief.sessions.facts import RejectedBlock, SplitMessage, UnpairedTool
from agentbrief.sessions.formats.claude_chain import Chain
from agentbrief.sessions.formats.claude_entry import Entry


@dataclass(frozen=True, slots=True)
class Sent:
    """What is sent: ``path`` from the last compaction to the end, and ``beside`` what belongs to it."""

    path: tuple[Entry, ...]
    beside: tuple[Entry, ...]

    @property
    def all(self) -> tuple[Entry, ...]:
        """Everything, in file order."""
        return tuple(sorted((*self.path, *self.beside), key=lambda entry: entry.line))


def sent_of(chain: Chain) -> Sent:
    """What the model is sent of ``chain``."""
    path = chain.model_path()
    on_path = {entry.id for entry in path}
    start = path[0].line if path and path[0].compaction is not None else 0
    replies = {entry.message_id for entry in path if entry.message_id}
    others = [entry for entry in chain.entries if entry.line >= start and entry.id not in on_path]
    parts = [entry for entry in others if entry.message_id in replies and entry.type == "assistant"]
    holders = {entry.id for entry in (*path, *parts)}
    results = [
        entry
        for entry in others
        if entry.blocks.results and (entry.parent_id in holders or entry.caller_id in holders)
    ]
    return Sent(path, (*parts, *results))


def unpaired(sent: Sent) -> Iterable[UnpairedTool]:
    """Calls without a result that something else follows, and results without a call."""
    uses = {use for entry in sent.all for use in entry.blocks.uses}
    results = {result for entry in sent.all for result in entry.blocks.results}
    last_of = {entry.message_id or entry.id: at for at, entry in enumerate(sent.path)}
    told: set[str] = set()
    for entry in sent.all:
        for use in entry.blocks.uses:
            at = last_of.get(entry.message_id or entry.id, len(sent.path))
            if use not in results and use not in told and _is_followed(sent.path[at + 1 :]):
                told.add(use)
                yield UnpairedTool("use-without-result", use, entry.line)
    for entry in sent.path:
        for result in entry.blocks.results:
            if result not in uses and result not in told:
                told.add(result)
                yield UnpairedTool("result-without-use", result, entry.line)


def split_messages(sent: Sent) -> Iterable[SplitMessage]:
    """Commands and prompts that stand between the parts of a reply which calls a tool of the service."""
    places: dict[str, list[int]] = {}
    for at, entry in enumerate(sent.path):
        if entry.message_id:
            places.setdefault(entry.message_id, []).append(at)
    for message_id, found in places.items():
        parts = [sent.path[at] for at in found]
        if len(parts) < 2 or not any(part.blocks.has_server_block for part in parts):
            continue
        for between in sent.path[found[0] + 1 : found[-1]]:
            if between.type == "system" or between.is_prompt:
                yield SplitMessage(message_id, between.line, parts[0].line, parts[-1].line)


def rejected_blocks(sent: Sent, chain: Chain) -> Iterable[RejectedBlock]:
    """Blocks with keys that the service does not know, and empty thinking that it has complained about."""
    last_complaint = max((entry.line for entry in chain.entries if entry.mentions_thinking), default=0)
    for entry in sent.all:
        for block, keys in entry.blocks.odd_keys:
            yield RejectedBlock("extra-keys", entry.line, block, keys)
        if entry.blocks.has_empty_thinking and entry.line < last_complaint:
            yield RejectedBlock("empty-thinking", entry.line, "thinking")


def _is_followed(rest: Iterable[Entry]) -> bool:
    """Whether something of the conversation follows that is not just the results of other calls."""
    return any(
        entry.type == "assistant" or (entry.type == "user" and not entry.blocks.results) for entry in rest
    )
