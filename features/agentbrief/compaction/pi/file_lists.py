"""Which files did a conversation read, write and edit, as its tool calls say?

Source: openclaw.md 8.5, 8.13; badlogic/pi-mono packages/coding-agent/src/core/compaction/utils.ts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.pi.messages import CALL_TYPES, call_input
from agentbrief.sessions.tree import TreeEntry


@dataclass(frozen=True, slots=True)
class FileOperations:
    """Paths as the calls spell them, each list sorted by code point."""

    read: tuple[str, ...] = ()
    written: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()

    @property
    def read_files(self) -> tuple[str, ...]:
        """The files that were only read."""
        modified = {*self.written, *self.edited}
        return tuple(path for path in self.read if path not in modified)

    @property
    def modified_files(self) -> tuple[str, ...]:
        """The files that were written or edited."""
        return tuple(sorted({*self.written, *self.edited}))

    def details(self) -> dict[str, JsonValue]:
        """What an entry keeps of them."""
        return {"readFiles": list(self.read_files), "modifiedFiles": list(self.modified_files)}


def file_operations(
    messages: Iterable[Mapping[str, JsonValue]], summaries: Iterable[TreeEntry] = ()
) -> FileOperations:
    """What the calls in ``messages`` did, and what the details of earlier ``summaries`` say.

    Details that a hook wrote say nothing of files.
    """
    found: dict[str, set[str]] = {"read": set(), "write": set(), "edit": set()}
    for summary in summaries:
        details = summary.value.get("details")
        if summary.value.get("fromHook") or not isinstance(details, dict):
            continue
        found["read"].update(_paths(details.get("readFiles")))
        found["edit"].update(_paths(details.get("modifiedFiles")))
    for message in messages:
        for name, path in _calls(message):
            found[name].add(path)
    return FileOperations(*(tuple(sorted(found[name])) for name in ("read", "write", "edit")))


def _calls(message: Mapping[str, JsonValue]) -> Iterable[tuple[str, str]]:
    content = message.get("content")
    if message.get("role") != "assistant" or not isinstance(content, list):
        return
    for block in content:
        if not isinstance(block, dict) or block.get("type") not in CALL_TYPES:
            continue
        name, given = block.get("name"), call_input(block)
        path = given.get("path") if isinstance(given, dict) else None
        if name in ("read", "write", "edit") and isinstance(path, str) and path:
            yield name, path


def _paths(value: JsonValue) -> list[str]:
    return [path for path in value if isinstance(path, str)] if isinstance(value, list) else []
