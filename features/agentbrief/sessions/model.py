"""What does a session hold, whatever agent wrote it?

Values only, all immutable. Reading and writing them is the work of ``formats/``, one module a format, none of
which knows another.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agentbrief.disk.values import Stamp
from agentbrief.jsonio import JsonValue

Role = Literal["system", "user", "assistant", "tool"]


@dataclass(frozen=True, slots=True)
class Text:
    """Words."""

    text: str


@dataclass(frozen=True, slots=True)
class ToolUse:
    """A call of a tool. ``stored`` is the input as the file holds it, or as compact JSON:

    what is counted and printed.
    """

    id: str
    name: str
    input: JsonValue = field(hash=False)
    stored: str


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered to the call ``tool_use_id``."""

    tool_use_id: str
    tool_name: str
    output: str
    is_error: bool


@dataclass(frozen=True, slots=True)
class Thinking:
    """Words the model kept to itself; read and kept, never created here."""

    text: str
    signature: str | None = None


@dataclass(frozen=True, slots=True)
class Opaque:
    """A block of a kind that is not known; read and kept, never created here."""

    type: str
    raw: JsonValue = field(hash=False)


ContentBlock = Text | ToolUse | ToolResult | Thinking | Opaque


@dataclass(frozen=True, slots=True)
class Usage:
    """What one call cost, in tokens. Input leaves out both cache parts."""

    input: int = 0
    output: int = 0
    cache_creation_input: int = 0
    cache_read_input: int = 0

    @property
    def total(self) -> int:
        """All four parts."""
        return self.input + self.output + self.cache_creation_input + self.cache_read_input


@dataclass(frozen=True, slots=True)
class Slice:
    """The bytes of a record in its file: ``[offset, offset + length)``, the line end left out."""

    offset: int
    length: int


@dataclass(frozen=True, slots=True)
class Message:
    """One message. ``time`` is ISO 8601 UTC as the file has it;

    ``line`` counts from 1, 0 where the file has no lines.
    """

    role: Role
    blocks: tuple[ContentBlock, ...]
    usage: Usage | None = None
    id: str | None = None
    parent_id: str | None = None
    time: str | None = None
    slice: Slice | None = None
    line: int = 0
    extra: Mapping[str, JsonValue] = field(default_factory=dict[str, JsonValue], hash=False)

    @property
    def text(self) -> str:
        """The words of the message, blocks joined by a line end."""
        return "\n".join(block.text for block in self.blocks if isinstance(block, Text))


@dataclass(frozen=True, slots=True)
class Damage:
    """A fault of one line. ``line`` counts from 1 with blank lines; offset and length in bytes.

    ``code`` is the reader's word for it; ``recovered`` the identifiers of whole records that a repair of a
    copy may offer.
    """

    line: int
    code: str
    offset: int = 0
    length: int = 0
    detail: str = ""
    recovered: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SessionRef:
    """Which session: the file it was read from, the format that read it, and whether it may be written."""

    path: str
    format: str
    session_id: str | None
    writable: bool
    key: str | None = None


@dataclass(frozen=True, slots=True)
class Session:
    """A transcript that was read.

    ``messages`` are in the order of the file; a tree's branches are in its format's own value.

    ``header`` is the first record or the file's top level without its messages. ``usage`` counts each call
    once.
    """

    ref: SessionRef
    header: Mapping[str, JsonValue] = field(hash=False)
    messages: tuple[Message, ...]
    usage: Usage
    damage: tuple[Damage, ...]
    stamp: Stamp | None
    lines: int = 0
    parsed: int = 0
    torn_tail: bool = False
