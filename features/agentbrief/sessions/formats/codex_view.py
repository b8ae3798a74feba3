"""What is the model sent of a Codex rollout?

From the last compaction on: its replacement of the history, or where it has none the newest messages of the
user before it and its summary; then the later items, less the turns that were rolled back.

Source: agents.md 9.2 (Model view); openai/codex codex-rs/core/src/compact.rs.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from agentbrief.sessions.context_used import Kind, chars_of
from agentbrief.sessions.facts import UnpairedTool
from agentbrief.sessions.formats.codex_records import (
    CALLS,
    OUTPUTS,
    Value,
    is_injected,
    message_text,
    sizes_of,
    text_at,
)

_CHARS_A_TOKEN = 4


class Item(NamedTuple):
    """One item, its words left out. ``is_prompt``: it begins a turn of the user. ``call_id`` may be None."""

    line: int
    kind: str
    role: str | None
    is_prompt: bool
    call_id: str | None
    sizes: tuple[tuple[Kind, int], ...]


class Compacted(NamedTuple):
    """A compaction. ``history`` are the items that replace what came before, None where the file has none.

    ``summary_chars`` in code points.
    """

    line: int
    history: tuple[Item, ...] | None
    summary_chars: int


class RolledBack(NamedTuple):
    """The user took back the last ``turns`` turns."""

    line: int
    turns: int


Step = Item | Compacted | RolledBack


def item_of(line: int, payload: Value) -> Item:
    """The item that a ``response_item`` carries."""
    kind = text_at(payload, "type") or ""
    role = text_at(payload, "role")
    text = message_text(payload) if kind == "message" and role == "user" else ""
    is_prompt = bool(text) and not is_injected(text)
    return Item(line, kind, role, is_prompt, text_at(payload, "call_id"), sizes_of(payload))


def compacted_of(line: int, payload: Value) -> Compacted:
    """The compaction that a ``compacted`` record carries."""
    history = payload.get("replacement_history")
    items = (
        tuple(item_of(line, each) for each in history if isinstance(each, dict))
        if isinstance(history, list)
        else None
    )
    return Compacted(line, items, len(text_at(payload, "message") or ""))


class ModelView:
    """The items that the model is sent, as steps come in. ``chars`` are their code points by kind.

    ``keeps_user_tokens``: so many tokens (estimated) of the newest user messages survive a compaction that
    has no history of its own.
    """

    def __init__(self, keeps_user_tokens: int) -> None:
        self._keeps = keeps_user_tokens
        self.items: list[Item] = []
        self.chars: dict[Kind, int] = {}

    def take(self, step: Step) -> None:
        """Take the next step."""
        if isinstance(step, Item):
            self.items.append(step)
            for kind, size in step.sizes:
                self.chars[kind] = self.chars.get(kind, 0) + size
            return
        if isinstance(step, RolledBack):
            del self.items[_start_of_turn(self.items, step.turns) :]
        elif step.history is not None:
            self.items = list(step.history)
        else:
            summary = Item(step.line, "message", "user", False, None, (("summary", step.summary_chars),))
            self.items = [*_newest_prompts(self.items, self._keeps), summary]
        self.chars = chars_of(size for item in self.items for size in item.sizes)


def model_view(steps: Iterable[Step], keeps_user_tokens: int) -> tuple[Item, ...]:
    """The items that the model is sent, in order; see :class:`ModelView`."""
    view = ModelView(keeps_user_tokens)
    for step in steps:
        view.take(step)
    return tuple(view.items)


def unpaired(view: Iterable[Item]) -> Iterable[UnpairedTool]:
    """Calls without an output that a message follows, and outputs without a call."""
    view = tuple(view)
    calls = {item.call_id for item in view if item.kind in CALLS}
    outputs = {item.call_id for item in view if item.kind in OUTPUTS}
    last_message = max((at for at, item in enumerate(view) if item.kind == "message"), default=-1)
    for at, item in enumerate(view):
        if item.call_id is None:
            continue
        if item.kind in CALLS and item.call_id not in outputs and at < last_message:
            yield UnpairedTool("use-without-result", item.call_id, item.line)
        elif item.kind in OUTPUTS and item.call_id not in calls:
            yield UnpairedTool("result-without-use", item.call_id, item.line)


def _start_of_turn(view: list[Item], turns: int) -> int:
    starts = [at for at, item in enumerate(view) if item.is_prompt]
    return starts[-turns] if 0 < turns <= len(starts) else (0 if turns and starts else len(view))


def _newest_prompts(view: list[Item], tokens: int) -> list[Item]:
    kept: list[Item] = []
    for item in reversed([item for item in view if item.is_prompt]):
        size = sum(size for _, size in item.sizes)
        cost = -(-size // _CHARS_A_TOKEN)
        if cost > tokens:
            if tokens > 0:
                kept.append(item._replace(sizes=(("messages", tokens * _CHARS_A_TOKEN),)))
            break
        kept.append(item)
        tokens -= cost
    return kept[::-1]
