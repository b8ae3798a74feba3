"""What does one record of a Claude Code transcript say, its words left out?

An entry is small whatever the record holds, so that a transcript of any size can be judged as a whole.

Source: agents.md 9.1; michaelschleiss/claude-convos (2.1.81); skillsynchq/txcript
docs/formats/claude-code.md.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from agentbrief.jsonio import JsonValue, dumps
from agentbrief.sessions.context_used import Kind
from agentbrief.sessions.facts import Boundary, Injected
from agentbrief.sessions.formats.claude_blocks import BlockFacts, block_facts, typed_text
from agentbrief.sessions.jsonl.lines import Record
from agentbrief.sessions.model import Usage

NO_MODEL = "<synthetic>"
_NO_BLOCKS = BlockFacts()

Value = dict[str, JsonValue]

_Words = str | None
_Head = tuple[int, int, int, str, _Words, _Words, _Words, _Words, _Words, _Words, bool, bool, bool]
"""The first parts of an :class:`Entry`, up to ``is_summary``."""


class Compaction(NamedTuple):
    """A compaction boundary and what it kept: ``head`` is to hang on ``anchor``, ``kept`` all of them."""

    boundary: Boundary
    head: str | None = None
    anchor: str | None = None
    kept: tuple[str, ...] = ()


class Entry(NamedTuple):
    """One record. Identifiers are None where the record has none or no text.

    ``model`` is None for words that no model wrote. ``is_call``: the record states what a call to a model
    cost. ``mentions_thinking``: an error of the service that speaks of thinking. ``is_recovered``: it stands
    on a damaged line.
    """

    line: int
    offset: int
    length: int
    type: str
    subtype: str | None
    id: str | None
    parent_id: str | None
    logical_parent_id: str | None
    session_id: str | None
    time: str | None
    is_sidechain: bool
    is_copied: bool
    is_summary: bool
    is_prompt: bool
    is_recovered: bool
    message_id: str | None = None
    request_id: str | None = None
    model: str | None = None
    usage: Usage | None = None
    is_call: bool = False
    mentions_thinking: bool = False
    caller_id: str | None = None
    blocks: BlockFacts = _NO_BLOCKS
    sizes: tuple[tuple[Kind, int], ...] = ()
    injected: Injected | None = None
    compaction: Compaction | None = None


def entry_of(record: Record, is_recovered: bool = False) -> Entry:
    """The entry that ``record`` is."""
    value = record.value
    head = _head(record)
    kind = head[3]
    if kind == "assistant":
        return _assistant(Entry(*head, False, is_recovered), value)
    if kind == "user":
        content = object_of(value, "message").get("content")
        entry = Entry(*head, prompt_of(value) is not None, is_recovered)
        blocks = block_facts(content)
        sizes = _as_summary(blocks.sizes) if entry.is_summary else blocks.sizes
        caller = text_of(value, "sourceToolAssistantUUID")
        return entry._replace(caller_id=caller, blocks=blocks, sizes=sizes)
    entry = Entry(*head, False, is_recovered)
    if kind == "system":
        return _system(entry, value)
    if kind == "attachment":
        return _attachment(entry, object_of(value, "attachment"))
    return entry


def prompt_of(value: Value) -> str | None:
    """What a person typed in the record ``value``; None for a record that is no typed prompt."""
    if value.get("type") != "user" or value.get("isMeta") is True or value.get("isCompactSummary") is True:
        return None
    return typed_text(object_of(value, "message").get("content"))


def usage_of(message: Value) -> Usage | None:
    """The numbers that a message states; None if it states none."""
    usage = message.get("usage")
    if not isinstance(usage, dict):
        return None
    return Usage(
        count_of(usage.get("input_tokens")),
        count_of(usage.get("output_tokens")),
        count_of(usage.get("cache_creation_input_tokens")),
        count_of(usage.get("cache_read_input_tokens")),
    )


def count_of(value: JsonValue) -> int:
    """``value`` as a count; 0 for what is none."""
    return value if isinstance(value, int) and not isinstance(value, bool) and value > 0 else 0


def text_of(value: Value, key: str) -> str | None:
    """The text at ``key``; None for anything else, an empty text too."""
    found = value.get(key)
    return found if isinstance(found, str) and found else None


def object_of(value: Value, key: str) -> Value:
    """The object at ``key``; an empty one for anything else."""
    found = value.get(key)
    return found if isinstance(found, dict) else {}


def model_of(value: Value, message: Value) -> str | None:
    """The model that wrote ``message``; None for words that no model wrote."""
    model = text_of(message, "model")
    return None if value.get("isApiErrorMessage") is True or model == NO_MODEL else model


def _head(record: Record) -> _Head:
    value = record.value
    return (
        record.line,
        record.offset,
        record.length,
        text_of(value, "type") or "",
        text_of(value, "subtype"),
        text_of(value, "uuid"),
        text_of(value, "parentUuid"),
        text_of(value, "logicalParentUuid"),
        text_of(value, "sessionId"),
        text_of(value, "timestamp"),
        value.get("isSidechain") is True,
        isinstance(value.get("forkedFrom"), dict),
        value.get("isCompactSummary") is True,
    )


def _assistant(entry: Entry, value: Value) -> Entry:
    message = object_of(value, "message")
    blocks = block_facts(message.get("content"))
    failed = value.get("isApiErrorMessage") is True
    usage = usage_of(message)
    return entry._replace(
        message_id=text_of(message, "id"),
        request_id=text_of(value, "requestId"),
        model=model_of(value, message),
        usage=usage,
        is_call=usage is not None and not failed and message.get("model") != NO_MODEL,
        mentions_thinking=failed and b"thinking" in dumps(message.get("content")).lower(),
        blocks=blocks,
        sizes=blocks.sizes,
    )


def _system(entry: Entry, value: Value) -> Entry:
    if entry.subtype == "compact_boundary":
        return entry._replace(compaction=_compaction(entry, object_of(value, "compactMetadata")))
    if entry.subtype == "api_error":
        return entry._replace(mentions_thinking=b"thinking" in dumps(value.get("error")).lower())
    return entry


def _compaction(entry: Entry, stated: Value) -> Compaction:
    before, after = stated.get("preTokens"), stated.get("postTokens")
    boundary = Boundary(
        entry.line,
        text_of(stated, "trigger"),
        entry.time,
        count_of(before) if before is not None else None,
        count_of(after) if after is not None else None,
    )
    segment = object_of(stated, "preservedSegment")
    messages = object_of(stated, "preservedMessages")
    listed = messages.get("allUuids") or messages.get("uuids")
    kept = tuple(each for each in listed if isinstance(each, str)) if isinstance(listed, list) else ()
    head = text_of(segment, "headUuid") or (kept[0] if kept else None)
    tail = text_of(segment, "tailUuid")
    return Compaction(boundary, head, text_of(segment, "anchorUuid"), kept or ((tail,) if tail else ()))


def _attachment(entry: Entry, attachment: Value) -> Entry:
    content = attachment.get("content")
    words = _words(content)
    kind: Kind = "instructions" if attachment.get("type") == "nested_memory" else "messages"
    sized = entry._replace(sizes=((kind, len(words)),) if words else ())
    path = text_of(attachment, "path")
    if kind != "instructions" or path is None:
        return sized
    digest = hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()
    return sized._replace(injected=Injected(path, entry.line, len(words), digest))


def _words(content: JsonValue) -> str:
    """The text of an attachment: its content, or the content of the file that the content describes."""
    if isinstance(content, dict):
        content = content.get("content")
    return content if isinstance(content, str) else ""


def _as_summary(sizes: tuple[tuple[Kind, int], ...]) -> tuple[tuple[Kind, int], ...]:
    return tuple(("summary", size) for _, size in sizes)
