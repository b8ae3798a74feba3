"""What does the model see of a transcript at a given leaf?

Messages are handed on as the file has them; what is made here has the shapes of openclaw.md 8.13. Source:
openclaw.md 4.3, 4.5; badlogic/pi-mono packages/coding-agent/src/core/{session-manager,messages}.ts at 0.55.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from agentbrief.jsonio import JsonValue
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


def context_of(tree: TranscriptTree, leaf_id: str | None) -> Context:
    """The context of ``leaf_id``, empty for None.

    Raises:
        ValueError: there is no such entry.
    """
    path = tree.path_to(leaf_id)
    thinking_level, model = _settings(path)
    at = next((index for index in reversed(range(len(path))) if path[index].type == "compaction"), None)
    if at is None:
        return Context(_messages(path), thinking_level, model)
    first_kept = path[at].value.get("firstKeptEntryId")
    start = next((index for index in range(at) if path[index].id == first_kept), at)
    summary = ContextMessage(path[at].id, compaction_message(path[at]))
    kept = _messages(path[start:at])
    return Context((summary, *kept, *_messages(path[at + 1 :])), thinking_level, model, path[at].id)


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


def command_text(message: Mapping[str, JsonValue]) -> str:
    """A command that the user ran, as the words a model reads."""
    output = _string(message, "output")
    text = f"Ran `{_string(message, 'command')}`\n" + (f"```\n{output}\n```" if output else "(no output)")
    code = message.get("exitCode")
    if message.get("cancelled"):
        text += "\n\n(command cancelled)"
    elif code is not None and code != 0:
        text += f"\n\nCommand exited with code {code}"
    path = message.get("fullOutputPath")
    if message.get("truncated") and isinstance(path, str) and path:
        text += f"\n\n[Output truncated. Full output: {path}]"
    return text


def _as_user(content: str | list[JsonValue], message: RawMessage) -> RawMessage:
    blocks: list[JsonValue] = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return {"role": "user", "content": blocks, "timestamp": message.get("timestamp")}


def _messages(entries: Iterable[TreeEntry]) -> tuple[ContextMessage, ...]:
    return tuple(
        ContextMessage(entry.id, message) for entry in entries if (message := message_of(entry)) is not None
    )


def _settings(path: tuple[TreeEntry, ...]) -> tuple[str, ModelChoice | None]:
    thinking_level = "off"
    model: ModelChoice | None = None
    for entry in path:
        if entry.type == "thinking_level_change":
            level = entry.value.get("thinkingLevel")
            thinking_level = level if isinstance(level, str) else thinking_level
        elif entry.type == "model_change":
            model = ModelChoice(_text(entry.value, "provider"), _text(entry.value, "modelId"))
        elif entry.type == "message":
            message = entry.value.get("message")
            if isinstance(message, dict) and message.get("role") == "assistant":
                model = ModelChoice(_text(message, "provider"), _text(message, "model"))
    return thinking_level, model


def _text(value: Mapping[str, JsonValue], key: str) -> str | None:
    found = value.get(key)
    return found if isinstance(found, str) else None


def _string(value: Mapping[str, JsonValue], key: str) -> str:
    return _text(value, key) or ""
