"""Which files did an agent's tools edit, by the records of its transcript?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from agentbrief.jsonio import JsonValue, loads
from agentbrief.sessions.jsonl.lines import Record
from agentbrief.sessions.model import ContentBlock, ToolUse
from agentbrief.sessions.reading import told

_TOOLS = frozenset(
    ("edit", "write", "multiedit", "notebookedit", "edit_file", "write_file", "create_file", "str_replace")
)
_PATCHES = frozenset(("apply_patch", "applypatch"))
_KEYS = ("file_path", "path", "notebook_path", "filename")
_PATCHED = re.compile(r"^\*\*\* (?:Update|Add|Delete) File: (.+)$", re.MULTILINE)


class ToolEdit(NamedTuple):
    """A call of a tool that edits, and the file that it names."""

    tool: str
    path: str


def edits_in(form: str, record: Record) -> Iterator[ToolEdit]:
    """The edits that one record of a transcript of that format asks for."""
    from agentbrief import jsonio

    data = jsonio.dumps(record.value) + b"\n"
    for message in told(form, lambda: (data,), "").messages():
        yield from edits_of(message.blocks)


def edits_of(blocks: Iterable[ContentBlock]) -> Iterator[ToolEdit]:
    """The edits among the blocks of a message."""
    for block in blocks:
        if not isinstance(block, ToolUse):
            continue
        name = block.name.lower().replace("-", "_")
        if name in _PATCHES:
            for path in _PATCHED.findall(_text(block)):
                yield ToolEdit(block.name, path.strip())
        elif name in _TOOLS and (found := _path(block.input)):
            yield ToolEdit(block.name, found)


def _path(value: JsonValue) -> str | None:
    if isinstance(value, str):
        try:
            value = loads(value)
        except ValueError:
            return None
    if not isinstance(value, dict):
        return None
    return next((found for key in _KEYS if isinstance(found := value.get(key), str) and found), None)


def _text(block: ToolUse) -> str:
    value = block.input
    if isinstance(value, dict):
        found = value.get("input") or value.get("patch")
        return found if isinstance(found, str) else ""
    return value if isinstance(value, str) else block.stored
