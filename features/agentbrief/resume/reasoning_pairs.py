"""Does each reasoning item stand before what it led to, and each call behind its reasoning?

Needed by OpenAI's Responses API only. Source: openclaw.md 11.2 step 10; openclaw/openclaw
src/agents/pi-embedded-helpers/openai.ts at 2026.3.2.
"""

from __future__ import annotations

from collections.abc import Iterable

from agentbrief.jsonio import JsonValue
from agentbrief.resume.held import Held
from agentbrief.resume.signatures import is_reasoning_item
from agentbrief.sessions.pi.context import RawMessage
from agentbrief.sessions.pi.messages import CALL_TYPES


def with_reasoning_pairs(messages: Iterable[Held]) -> list[Held]:
    """``messages`` without reasoning that nothing follows; calls without reasoning lose its identifier.

    An assistant that is left with nothing goes. The results behind it follow its calls.
    """
    found: list[Held] = []
    renamed: dict[str, str] = {}
    for held in messages:
        if held.role == "assistant":
            renamed = {}
            if held.blocks is not None:
                blocks = _without_last_reasoning(held.blocks)
                blocks, renamed = _with_plain_calls(blocks)
                if len(blocks) != len(held.blocks) or renamed:
                    if blocks:
                        found.append(held.with_blocks(blocks))
                    continue
        elif held.role == "toolResult" and renamed:
            held = held.with_value(_renamed(held.value, renamed))
        else:
            renamed = {}
        found.append(held)
    return found


def _without_last_reasoning(blocks: list[JsonValue]) -> list[JsonValue]:
    last = max((index for index, block in enumerate(blocks) if not _is_thinking(block)), default=-1)
    return blocks[: last + 1] + [block for block in blocks[last + 1 :] if not _is_reasoning(block)]


def _with_plain_calls(blocks: list[JsonValue]) -> tuple[list[JsonValue], dict[str, str]]:
    found: list[JsonValue] = []
    renamed: dict[str, str] = {}
    has_reasoning = False
    for block in blocks:
        has_reasoning = has_reasoning or _is_reasoning(block)
        if not has_reasoning and isinstance(block, dict) and block.get("type") in CALL_TYPES:
            identifier = block.get("id")
            call, separator, item = identifier.partition("|") if isinstance(identifier, str) else ("", "", "")
            if isinstance(identifier, str) and call and separator and item.startswith("fc_"):
                renamed[identifier] = call
                block = {**block, "id": call}
        found.append(block)
    return found, renamed


def _renamed(result: RawMessage, names: dict[str, str]) -> RawMessage:
    changes: RawMessage = {}
    for key in ("toolCallId", "toolUseId"):
        identifier = result.get(key)
        if isinstance(identifier, str) and identifier in names:
            changes[key] = names[identifier]
    return {**result, **changes} if changes else result


def _is_thinking(block: JsonValue) -> bool:
    return isinstance(block, dict) and block.get("type") == "thinking"


def _is_reasoning(block: JsonValue) -> bool:
    return (
        isinstance(block, dict)
        and block.get("type") == "thinking"
        and is_reasoning_item(block.get("thinkingSignature"))
    )
