"""What do the records beside the messages say: the compaction, the fork, the prompts as they were typed?

Each is read from a JSON value and written back with the keys that the format does not know.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.claw.messages import MAX_UINT32, Fault, Object, number_in, text_in
from agentbrief.sessions.claw.redaction import AS_IT_IS, Spelling

_COMPACTION_KEYS = ("type", "count", "removed_message_count", "summary")
_PROMPT_KEYS = ("type", "timestamp_ms", "text")


@dataclass(frozen=True, slots=True)
class Compaction:
    """The last compaction: which one it was, the messages it took out, the summary it left."""

    count: int
    removed_message_count: int
    summary: str
    extra: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue], hash=False)

    def value(self, spelling: Spelling = AS_IT_IS) -> dict[str, JsonValue]:
        """The record as a JSON value, without its type."""
        return {
            **(self.extra if spelling.keeps_unknown else {}),
            "count": self.count,
            "removed_message_count": self.removed_message_count,
            "summary": spelling.content(self.summary),
        }


@dataclass(frozen=True, slots=True)
class Fork:
    """Which session this one branched off."""

    parent_session_id: str
    branch_name: str | None = None
    extra: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue], hash=False)

    def value(self, spelling: Spelling = AS_IT_IS) -> dict[str, JsonValue]:
        """The record as a JSON value."""
        found: dict[str, JsonValue] = dict(self.extra) if spelling.keeps_unknown else {}
        found["parent_session_id"] = self.parent_session_id
        if self.branch_name is not None:
            found["branch_name"] = self.branch_name
        return found


@dataclass(frozen=True, slots=True)
class PromptEntry:
    """A prompt as it was typed, and when (ms since 1970)."""

    timestamp_ms: int
    text: str
    extra: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue], hash=False)

    def value(self, spelling: Spelling = AS_IT_IS) -> dict[str, JsonValue]:
        """The record as a JSON value; it carries its type in both forms of a file."""
        return {
            **(self.extra if spelling.keeps_unknown else {}),
            "type": "prompt_history",
            "timestamp_ms": self.timestamp_ms,
            "text": spelling.content(self.text),
        }


def version_of(value: Object) -> int:
    """The version of a session; raises Fault."""
    return number_in(value, "version", "bad-version", MAX_UINT32)


def compaction_of(value: JsonValue) -> Compaction:
    """The compaction record that ``value`` is; raises Fault."""
    if not isinstance(value, dict):
        raise Fault("bad-compaction")
    return Compaction(
        number_in(value, "count", "bad-compaction", MAX_UINT32),
        number_in(value, "removed_message_count", "bad-compaction"),
        text_in(value, "summary", "bad-compaction"),
        {key: item for key, item in value.items() if key not in _COMPACTION_KEYS},
    )


def fork_of(value: JsonValue) -> Fork:
    """The fork record that ``value`` is; raises Fault."""
    if not isinstance(value, dict):
        raise Fault("bad-fork")
    parent = text_in(value, "parent_session_id", "bad-fork")
    branch = value.get("branch_name")
    known = ("parent_session_id", "branch_name") if isinstance(branch, str) else ("parent_session_id",)
    extra = {key: item for key, item in value.items() if key not in known}
    return Fork(parent, branch if isinstance(branch, str) else None, extra)


def prompt_of(value: JsonValue) -> PromptEntry | None:
    """The prompt that ``value`` is, None if it is none."""
    if not isinstance(value, dict):
        return None
    try:
        return PromptEntry(
            number_in(value, "timestamp_ms", "bad-record"),
            text_in(value, "text", "bad-record"),
            {key: item for key, item in value.items() if key not in _PROMPT_KEYS},
        )
    except Fault:
        return None
