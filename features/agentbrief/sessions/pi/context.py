"""What does the model see of a transcript at a given leaf?

Messages are handed on as the file has them; what is made here has the shapes of openclaw.md 8.13. Source:
openclaw.md 4.3, 4.5; badlogic/pi-mono packages/coding-agent/src/core/{session-manager,messages}.ts at 0.55.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import overload

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.pi.command_text import command_text
from agentbrief.sessions.pi.leaf_path import LatePath, PathFacts
from agentbrief.sessions.tree import TranscriptTree, TreeEntry

RawMessage = dict[str, JsonValue]
"""A message as a record holds it."""

_COMPACTED = (
    "The conversation history before this point was compacted into the following summary:\n\n<summary>\n"
)
_COMPACTED_END = "\n</summary>"
_BRANCH = "The following is a summary of a branch that this conversation came back from:\n\n<summary>\n"
_BRANCH_END = "</summary>"


@dataclass(frozen=True, slots=True)
class ContextMessage:
    """One message of a context, and the entry it comes from."""

    entry_id: str
    value: RawMessage = field(hash=False)

    @property
    def role(self) -> str:
        """The role as the file has it."""
        role = self.value.get("role")
        return role if isinstance(role, str) else ""


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """Which model answers: the provider and its name for the model, each None where the file does not say."""

    provider: str | None
    model_id: str | None


@dataclass(frozen=True, slots=True)
class Context:
    """What the model sees, and with which settings. ``compaction_id`` is the entry its summary comes from."""

    messages: tuple[ContextMessage, ...]
    thinking_level: str
    model: ModelChoice | None
    compaction_id: str | None = None


class PathMessages(Sequence[ContextMessage]):
    """The messages that the entries at ``places`` of a path give, each made when it is looked at.

    Only places whose entry gives a message, alone or as a compaction, may be among them. Never changed.
    """

    __slots__ = ("_made", "_path", "_places")

    def __init__(self, path: Sequence[TreeEntry], places: Sequence[int]) -> None:
        self._path = path
        self._places = places
        self._made: tuple[ContextMessage, ...] | None = None

    @property
    def entries(self) -> tuple[TreeEntry, ...]:
        """The entries that they come from."""
        return tuple(self._path[place] for place in self._places)

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, index: int) -> ContextMessage: ...
    @overload
    def __getitem__(self, index: slice) -> PathMessages: ...
    def __getitem__(self, index: int | slice) -> ContextMessage | PathMessages:
        if isinstance(index, slice):
            return PathMessages(self._path, self._places[index])
        return self._made[index] if self._made is not None else self._message(self._places[index])

    def __iter__(self) -> Iterator[ContextMessage]:
        if self._made is not None:
            yield from self._made
            return
        made: list[ContextMessage] = []
        for place in self._places:
            made.append(self._message(place))
            yield made[-1]
        self._made = tuple(made)

    def _message(self, place: int) -> ContextMessage:
        entry = self._path[place]
        message = compaction_message(entry) if entry.type == "compaction" else message_of(entry)
        if message is None:
            raise ValueError(f"entry {entry.id} gives no message")
        return ContextMessage(entry.id, message)


class MessageValues(Sequence[RawMessage]):
    """Those messages as records hold them, each made when it is looked at. Never changed."""

    __slots__ = ("_messages",)

    def __init__(self, messages: Sequence[ContextMessage]) -> None:
        self._messages = messages

    def __len__(self) -> int:
        return len(self._messages)

    def __iter__(self) -> Iterator[RawMessage]:
        return (message.value for message in self._messages)

    @overload
    def __getitem__(self, index: int) -> RawMessage: ...
    @overload
    def __getitem__(self, index: slice) -> MessageValues: ...
    def __getitem__(self, index: int | slice) -> RawMessage | MessageValues:
        if isinstance(index, slice):
            return MessageValues(self._messages[index])
        return self._messages[index].value


def context_of(tree: TranscriptTree, leaf_id: str | None) -> Context:
    """The context of ``leaf_id``, empty for None.

    Raises:
        ValueError: there is no such entry.
    """
    return context_at(tree.path_to(leaf_id))


def context_at(path: Sequence[TreeEntry]) -> Context:
    """The context of the last entry of ``path``, which begins at a root."""
    at = last_of(path, "compaction")
    return Context(
        tuple(context_messages(path)),
        _thinking_level(path),
        model_at(path),
        path[at].id if at is not None else None,
    )


def context_messages(path: Sequence[TreeEntry]) -> PathMessages:
    """The messages of that context, made when they are looked at."""
    at = last_of(path, "compaction")
    if at is None:
        return messages_on(path, range(len(path)))
    start = first_kept(path, at)
    places = (range(at if start is None else start, at), range(at + 1, len(path)))
    roles = facts_of(path).roles
    return PathMessages(path, [at, *(i for part in places for i in part if roles[i] is not None)])


def messages_on(path: Sequence[TreeEntry], places: range) -> PathMessages:
    """The messages that the entries at ``places`` of ``path`` give, each on its own."""
    roles = facts_of(path).roles
    return PathMessages(path, [place for place in places if roles[place] is not None])


def last_of(path: Sequence[TreeEntry], entry_type: str) -> int | None:
    """The place of the last entry of that type; None if there is none."""
    types = facts_of(path).types
    return next((place for place in range(len(types) - 1, -1, -1) if types[place] == entry_type), None)


def first_kept(path: Sequence[TreeEntry], compaction: int) -> int | None:
    """The place of the first entry that the one at ``compaction`` keeps; None where none before it is."""
    wanted = path[compaction].value.get("firstKeptEntryId")
    ids = facts_of(path).ids
    return next((place for place in range(compaction) if ids[place] == wanted), None)


def model_at(path: Sequence[TreeEntry]) -> ModelChoice | None:
    """The model that answers behind the last entry of ``path``; None where none is named."""
    facts = facts_of(path)
    for place in range(len(path) - 1, -1, -1):
        if facts.types[place] == "model_change":
            value = path[place].value
            return ModelChoice(_text(value, "provider"), _text(value, "modelId"))
        if facts.types[place] == "message" and facts.roles[place] == "assistant":
            message = path[place].value.get("message")
            if isinstance(message, dict):
                return ModelChoice(_text(message, "provider"), _text(message, "model"))
    return None


def path_with(path: Sequence[TreeEntry], entry: TreeEntry) -> Sequence[TreeEntry]:
    """``path`` with ``entry`` as its last one."""
    return path.with_entry(entry, _role(entry)) if isinstance(path, LatePath) else (*path, entry)


def facts_of(path: Sequence[TreeEntry]) -> PathFacts:
    """The facts of each entry of ``path``, which are there already where it is not decoded yet."""
    if isinstance(path, LatePath):
        return path.facts
    return PathFacts(
        [entry.id for entry in path], [entry.type for entry in path], [_role(entry) for entry in path]
    )


def message_of(entry: TreeEntry) -> RawMessage | None:
    """The message an entry gives on its own; a compaction gives none. None also for an entry without one."""
    if entry.type == "message":
        message = entry.value.get("message")
        return message if isinstance(message, dict) else None
    if entry.type == "custom_message":
        content = entry.value.get("content")
        found: RawMessage = {"role": "custom"}
        found |= {key: entry.value[key] for key in ("customType",) if key in entry.value}
        found["content"] = [] if content is None else content
        found |= {key: entry.value[key] for key in ("display", "details") if key in entry.value}
        return {**found, "timestamp": entry.time_ms}
    if entry.type == "branch_summary" and entry.value.get("summary"):
        return {
            "role": "branchSummary",
            "summary": entry.value.get("summary"),
            "fromId": entry.value.get("fromId"),
            "timestamp": entry.time_ms,
        }
    return None


def compaction_message(entry: TreeEntry) -> RawMessage:
    """The message that stands for all that a compaction entry summarises."""
    summary = entry.value.get("summary")
    found: RawMessage = {"role": "compactionSummary", "summary": summary if isinstance(summary, str) else ""}
    if "tokensBefore" in entry.value:
        found["tokensBefore"] = entry.value["tokensBefore"]
    return {**found, "timestamp": entry.time_ms}


def provider_view(messages: Iterable[RawMessage]) -> list[RawMessage]:
    """``messages`` as a provider gets them: users, assistants and tool results only."""
    return [seen for message in messages if (seen := _seen(message)) is not None]


def _seen(message: RawMessage) -> RawMessage | None:
    role = message.get("role")
    if role in ("user", "assistant", "toolResult"):
        return message
    if role == "custom":
        content = message.get("content")
        return _as_user(content if isinstance(content, str | list) else "", message)
    if role == "compactionSummary":
        return _as_user(_COMPACTED + _string(message, "summary") + _COMPACTED_END, message)
    if role == "branchSummary":
        return _as_user(_BRANCH + _string(message, "summary") + _BRANCH_END, message)
    if role == "bashExecution" and not message.get("excludeFromContext"):
        return _as_user(command_text(message), message)
    return None


def _as_user(content: str | list[JsonValue], message: RawMessage) -> RawMessage:
    blocks: list[JsonValue] = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return {"role": "user", "content": blocks, "timestamp": message.get("timestamp")}


def _role(entry: TreeEntry) -> str | None:
    """The role of the message that an entry gives on its own."""
    message = message_of(entry)
    return None if message is None else _string(message, "role")


def _thinking_level(path: Sequence[TreeEntry]) -> str:
    types = facts_of(path).types
    for place in range(len(path) - 1, -1, -1):
        if types[place] == "thinking_level_change":
            level = path[place].value.get("thinkingLevel")
            if isinstance(level, str):
                return level
    return "off"


def _text(value: Mapping[str, JsonValue], key: str) -> str | None:
    found = value.get(key)
    return found if isinstance(found, str) else None


def _string(value: Mapping[str, JsonValue], key: str) -> str:
    return _text(value, key) or ""
