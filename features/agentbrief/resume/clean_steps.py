"""What is taken out of single messages before a provider sees them, or put into them?

Each function is one row of the table in openclaw.md 11.2. Source: openclaw/openclaw
src/agents/pi-embedded-runner/google.ts and src/agents/pi-embedded-helpers at 2026.3.2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from agentbrief.jsonio import JsonValue
from agentbrief.resume.held import Block, Held, each
from agentbrief.resume.signatures import is_base64
from agentbrief.sessions.pi.messages import CALL_TYPES
from agentbrief.sessions.times import ms_of
from agentbrief.text import utf16

_TOOL_NAME = re.compile(r"[A-Za-z0-9_-]{1,64}")
_INTER_SESSION = "[Inter-session message]"
_SOURCES = (
    ("sourceSessionKey", "sourceSession"),
    ("sourceChannel", "sourceChannel"),
    ("sourceTool", "sourceTool"),
)
_BOOTSTRAP = "(session bootstrap)"


def with_inter_session_marks(messages: Iterable[Held]) -> list[Held]:
    """``messages``, those that another session sent marked as such before their first text."""
    return each(messages, "user", _marked)


def with_result_lists(messages: Iterable[Held]) -> list[Held]:
    """``messages``, each tool result with a list as its content."""
    return each(
        messages, "toolResult", lambda held: held if held.blocks is not None else held.with_blocks([])
    )


def with_clean_text(messages: Iterable[Held], base64_signatures: bool) -> list[Held]:
    """``messages`` without the blank texts and the foreign signatures of assistants.

    An assistant that is left with nothing goes; one that ended in an error is left alone.
    """

    def cleaned(held: Held) -> Held | None:
        if held.blocks is None or held.value.get("stopReason") == "error":
            return held
        blocks: list[JsonValue] = []
        for block in held.blocks:
            if not _is_blank_text(block):
                blocks.append(_without_signatures(block, base64_signatures))
        return _with_new_blocks(held, blocks) if blocks else None

    return each(messages, "assistant", cleaned)


def without_thinking(messages: Iterable[Held]) -> list[Held]:
    """``messages`` without the thinking of assistants; one that is left with nothing gets an empty text."""

    def silenced(held: Held) -> Held:
        kept = [block for block in held.blocks or [] if _kind(block) != "thinking"]
        if len(kept) == len(held.blocks or []):
            return held
        return held.with_blocks(kept or [{"type": "text", "text": ""}])

    return each(messages, "assistant", silenced)


def without_bad_calls(messages: Iterable[Held], allowed: Iterable[str] | None) -> list[Held]:
    """``messages`` without calls that have no input, identifier or usable name, or one not in ``allowed``.

    ``allowed`` None: every tool. An assistant that is left with nothing goes. Names are trimmed.
    """
    names = None if allowed is None else {utf16.trim(name).lower() for name in allowed}
    return each(messages, "assistant", lambda held: with_good_calls(held, names))


def with_good_calls(held: Held, allowed: set[str] | None) -> Held | None:
    """An assistant message without its bad calls, None if nothing else was in it.

    ``allowed`` in lower case.
    """
    if held.blocks is None:
        return held
    blocks: list[JsonValue] = []
    for block in held.blocks:
        if not isinstance(block, dict) or block.get("type") not in CALL_TYPES:
            blocks.append(block)
        elif (good := _good_call(block, allowed)) is not None:
            blocks.append(good)
    return _with_new_blocks(held, blocks)


def without_details(messages: Iterable[Held]) -> list[Held]:
    """``messages``, the details of tool results, which no model sees, left out."""

    def bare(held: Held) -> Held:
        if "details" not in held.value:
            return held
        return held.with_value({key: value for key, value in held.value.items() if key != "details"})

    return each(messages, "toolResult", bare)


def without_stale_usage(messages: list[Held]) -> list[Held]:
    """``messages``, the usage of assistants from before the newest compaction set to zero."""
    newest = next(
        (at for at in reversed(range(len(messages))) if messages[at].role == "compactionSummary"), None
    )
    if newest is None:
        return messages
    compacted_ms = ms_of(messages[newest].value.get("timestamp"))
    found: list[Held] = []
    for index, held in enumerate(messages):
        time_ms = ms_of(held.value.get("timestamp"))
        is_older = compacted_ms is not None and time_ms is not None and time_ms <= compacted_ms
        if (
            held.role == "assistant"
            and isinstance(held.value.get("usage"), dict)
            and (index < newest or is_older)
        ):
            held = held.with_value({**held.value, "usage": _no_usage()})
        found.append(held)
    return found


def user_first(messages: list[Held], now_ms: int) -> list[Held]:
    """``messages`` with a user message in front where an assistant begins."""
    if not messages or messages[0].role != "assistant":
        return messages
    return [Held({"role": "user", "content": _BOOTSTRAP, "timestamp": now_ms}, None), *messages]


def _marked(held: Held) -> Held:
    provenance = held.value.get("provenance")
    if not isinstance(provenance, dict) or provenance.get("kind") != "inter_session":
        return held
    mark = _INTER_SESSION
    for key, word in _SOURCES:
        source = provenance.get(key)
        if isinstance(source, str) and utf16.trim(source):
            mark += f" {word}={utf16.trim(source)}"
    content = held.value.get("content")
    if isinstance(content, str):
        return (
            held
            if content.startswith(mark)
            else held.with_value({**held.value, "content": f"{mark}\n{content}"})
        )
    if held.blocks is None:
        return held
    for index, block in enumerate(held.blocks):
        text = block.get("text") if isinstance(block, dict) and block.get("type") == "text" else None
        if isinstance(block, dict) and isinstance(text, str):
            if text.startswith(mark):
                return held
            return held.with_blocks(
                [*held.blocks[:index], {**block, "text": f"{mark}\n{text}"}, *held.blocks[index + 1 :]]
            )
    return held.with_blocks([{"type": "text", "text": mark}, *held.blocks])


def _with_new_blocks(held: Held, blocks: list[JsonValue]) -> Held | None:
    old = held.blocks or []
    if len(blocks) == len(old) and all(new is was for new, was in zip(blocks, old, strict=True)):
        return held
    return held.with_blocks(blocks) if blocks else None


def _kind(block: JsonValue) -> JsonValue:
    return block.get("type") if isinstance(block, dict) else None


def _is_blank_text(block: JsonValue) -> bool:
    text = block.get("text") if isinstance(block, dict) and block.get("type") == "text" else None
    return isinstance(text, str) and not utf16.trim(text)


def _without_signatures(block: JsonValue, base64_only: bool) -> JsonValue:
    if not isinstance(block, dict):
        return block
    dropped: list[str] = []
    for key in ("thought_signature", "thoughtSignature") if base64_only else ("thought_signature",):
        if key in block and _is_foreign(block[key], base64_only):
            dropped.append(key)
    return {key: value for key, value in block.items() if key not in dropped} if dropped else block


def _is_foreign(signature: JsonValue, base64_only: bool) -> bool:
    if base64_only:
        return not isinstance(signature, str) or not is_base64(signature)
    return isinstance(signature, str) and signature.startswith("msg_")


def _good_call(block: Block, allowed: set[str] | None) -> Block | None:
    identifier, name = block.get("id"), block.get("name")
    if block.get("arguments") is None and block.get("input") is None:
        return None
    if not isinstance(identifier, str) or not utf16.trim(identifier):
        return None
    trimmed = utf16.trim(name) if isinstance(name, str) else ""
    if not _TOOL_NAME.fullmatch(trimmed) or (allowed is not None and trimmed.lower() not in allowed):
        return None
    return block if name == trimmed else {**block, "name": trimmed}


def _no_usage() -> dict[str, JsonValue]:
    parts: dict[str, JsonValue] = {"input": 0, "output": 0, "cacheRead": 0, "cacheWrite": 0}
    cost: dict[str, JsonValue] = {**parts, "total": 0}
    return {**parts, "totalTokens": 0, "cost": cost}
