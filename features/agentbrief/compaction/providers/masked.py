"""What does a writer of a package see of a conversation? All of it but the secrets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from agentbrief.compaction.providers.provider import CancelToken, CompactionProvider, Deadline
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.model import ContentBlock, Message, Opaque, Text, Thinking, ToolResult, ToolUse

Mask = Callable[[str], str]


class Masked:
    """``provider``, told everything through ``mask``."""

    def __init__(self, provider: CompactionProvider, mask: Mask) -> None:
        self._provider = provider
        self._mask = mask
        self.id = provider.id
        self.reads_instructions = bool(getattr(provider, "reads_instructions", True))

    def summarize(
        self,
        messages: Sequence[Message],
        previous_summary: str | None,
        instructions: Sequence[str],
        deadline: Deadline,
        cancel: CancelToken,
    ) -> str:
        """See :meth:`CompactionProvider.summarize`."""
        return self._provider.summarize(
            tuple(masked(message, self._mask) for message in messages),
            None if previous_summary is None else self._mask(previous_summary),
            tuple(self._mask(instruction) for instruction in instructions),
            deadline,
            cancel,
        )


def masked(message: Message, mask: Mask) -> Message:
    """``message`` with all its text through ``mask``; what its file has beside the message is left out."""
    return replace(message, blocks=tuple(_block(block, mask) for block in message.blocks), extra={})


def _block(block: ContentBlock, mask: Mask) -> ContentBlock:
    match block:
        case Text(text):
            return Text(mask(text))
        case ToolUse():
            return replace(block, input=_value(block.input, mask), stored=mask(block.stored))
        case ToolResult():
            return replace(block, output=mask(block.output))
        case Thinking():
            return Thinking(mask(block.text))
        case Opaque():
            return Opaque(block.type, _value(block.raw, mask))


def _value(value: JsonValue, mask: Mask) -> JsonValue:
    match value:
        case str():
            return mask(value)
        case list():
            return [_value(each, mask) for each in value]
        case dict():
            return {key: _value(each, mask) for key, each in value.items()}
        case _:
            return value
