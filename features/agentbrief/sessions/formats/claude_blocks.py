"""What stands in the content of a Claude Code message, and what of it will the service refuse?

Source: agents.md 9.1 (blocks and their keys).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from agentbrief.jsonio import JsonValue, dumps
from agentbrief.sessions.context_used import Kind
from agentbrief.sessions.model import ContentBlock, Opaque, Text, Thinking, ToolResult, ToolUse

_KNOWN_KEYS: dict[str, frozenset[str]] = {
    kind: frozenset((*keys.split(), "type", "cache_control"))
    for kind, keys in {
        "text": "text citations",
        "thinking": "thinking signature",
        "redacted_thinking": "data",
        "tool_use": "id name input caller",
        "server_tool_use": "id name input caller",
        "tool_result": "tool_use_id content is_error",
        "image": "source",
        "document": "source title context citations",
        "tool_reference": "tool_name",
    }.items()
}

_TAG = re.compile(
    r"<((?:command|local-command)-[a-z-]+)>.*?</\1>|<(?:command|local-command)-[a-z-]+/?>", re.DOTALL
)

Block = dict[str, JsonValue]


class BlockFacts(NamedTuple):
    """What the blocks of one record hold.

    ``uses`` and ``results`` are identifiers of tool calls; ``odd_keys`` pairs of a block's type and its keys
    that the service does not know; ``sizes`` code points by kind.
    """

    uses: tuple[str, ...] = ()
    results: tuple[str, ...] = ()
    has_text: bool = False
    has_server_block: bool = False
    has_empty_thinking: bool = False
    odd_keys: tuple[tuple[str, tuple[str, ...]], ...] = ()
    sizes: tuple[tuple[Kind, int], ...] = ()


def blocks_of(content: JsonValue) -> list[Block]:
    """The blocks of a message's content; a text is one block of text."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [block for block in content if isinstance(block, dict)] if isinstance(content, list) else []


def block_facts(content: JsonValue) -> BlockFacts:
    """What the content of a message holds."""
    uses: list[str] = []
    results: list[str] = []
    has_text = has_server_block = has_empty_thinking = False
    odd: list[tuple[str, tuple[str, ...]]] = []
    sizes: list[tuple[Kind, int]] = []
    for block in blocks_of(content):
        kind = _text(block.get("type"))
        if keys := _odd_keys(kind, block):
            odd.append((kind, keys))
        if kind == "text":
            has_text = True
            sizes.append(("messages", len(_text(block.get("text")))))
        elif kind == "tool_use":
            uses.append(_text(block.get("id")))
            sizes.append(("tool-calls", len(_text(block.get("name"))) + _json_size(block.get("input"))))
        elif kind == "tool_result":
            results.append(_text(block.get("tool_use_id")))
            inner = blocks_of(block.get("content"))
            odd += [(name, keys) for name, keys in map(_typed_odd_keys, inner) if keys]
            sizes.append(("tool-results", sum(len(_text(part.get("text"))) for part in inner)))
        elif kind == "thinking":
            has_empty_thinking |= not _text(block.get("thinking")) and bool(block.get("signature"))
        elif kind == "server_tool_use" or kind.endswith("_tool_result"):
            has_server_block = True
            sizes.append(("tool-calls", _json_size(block.get("input")) + _json_size(block.get("content"))))
    return BlockFacts(
        tuple(filter(None, uses)),
        tuple(filter(None, results)),
        has_text,
        has_server_block,
        has_empty_thinking,
        tuple(odd),
        tuple(sizes),
    )


def typed_text(content: JsonValue) -> str | None:
    """What a person typed: the words of ``content`` without the tags of commands.

    None if there are none, or if the content is the result of a tool.
    """
    blocks = blocks_of(content)
    if any(block.get("type") == "tool_result" for block in blocks):
        return None
    words = [_text(block.get("text")) for block in blocks if block.get("type") == "text"]
    text = _TAG.sub("", "\n".join(words)) if words else ""
    return text if text.strip() else None


def content_blocks(content: JsonValue, tool_names: dict[str, str]) -> list[ContentBlock]:
    """The content as blocks of a session. ``tool_names`` has the tool of each call seen, and is added to."""
    found: list[ContentBlock] = []
    for block in blocks_of(content):
        kind = _text(block.get("type"))
        if kind == "text":
            found.append(Text(_text(block.get("text"))))
        elif kind == "tool_use":
            identifier, name = _text(block.get("id")), _text(block.get("name"))
            tool_names[identifier] = name
            given = block.get("input")
            found.append(ToolUse(identifier, name, given, dumps(given).decode("utf-8")))
        elif kind == "tool_result":
            identifier = _text(block.get("tool_use_id"))
            found += _result(block, identifier, tool_names.get(identifier, ""))
        elif kind == "thinking":
            signature = block.get("signature")
            signed = signature if isinstance(signature, str) and signature else None
            found.append(Thinking(_text(block.get("thinking")), signed))
        else:
            found.append(Opaque(kind, block))
    return found


def _result(block: Block, identifier: str, tool_name: str) -> list[ContentBlock]:
    parts = blocks_of(block.get("content"))
    words = "\n".join([_text(part.get("text")) for part in parts if part.get("type") == "text"])
    answer = ToolResult(identifier, tool_name, words, block.get("is_error") is True)
    others = [Opaque(_text(part.get("type")), part) for part in parts if part.get("type") != "text"]
    return [answer, *others]


def _typed_odd_keys(block: Block) -> tuple[str, tuple[str, ...]]:
    kind = _text(block.get("type"))
    return kind, _odd_keys(kind, block)


def _odd_keys(kind: str, block: Block) -> tuple[str, ...]:
    known = _KNOWN_KEYS.get(kind)
    if known is None or known.issuperset(block):
        return ()
    return tuple(key for key in block if key not in known)


def _text(value: JsonValue) -> str:
    return value if isinstance(value, str) else ""


def _json_size(value: JsonValue) -> int:
    return len(dumps(value)) if value not in (None, {}, []) else 0
