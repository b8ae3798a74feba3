"""How is the identifier of a tool call spelled for a provider that takes letters and digits only?

Source: openclaw.md 11.3; openclaw/openclaw src/agents/tool-call-id.ts at 2026.3.2.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable

from agentbrief.resume.held import Held
from agentbrief.resume.policies import CallIds
from agentbrief.sessions.pi.context import RawMessage
from agentbrief.sessions.pi.messages import CALL_TYPES

_OTHER = re.compile(r"[^A-Za-z0-9]")
_LENGTH = 40
_SHORT_LENGTH = 9
_HASH_LENGTH = 8


class Spelling:
    """New identifiers for old ones; the same one each time it is asked for the same."""

    def __init__(self, mode: CallIds) -> None:
        self.mode = mode
        self.known: dict[str, str] = {}
        self.used: set[str] = set()

    def of(self, identifier: str) -> str:
        """The new identifier of ``identifier``."""
        found = self.known.get(identifier)
        if found is None:
            found = self._short(identifier) if self.mode == "strict9" else self._plain(identifier)
            self.known[identifier] = found
            self.used.add(found)
        return found

    def _plain(self, identifier: str) -> str:
        base = (_OTHER.sub("", identifier) or "sanitizedtoolid")[:_LENGTH]
        if base not in self.used:
            return base
        base = base[: _LENGTH - _HASH_LENGTH] + _digest(identifier)[:_HASH_LENGTH]
        found, number = base, 1
        while found in self.used:
            number += 1
            suffix = f"x{number}"
            found = base[: _LENGTH - len(suffix)] + suffix
        return found

    def _short(self, identifier: str) -> str:
        base = _OTHER.sub("", identifier)
        found = base if len(base) >= _SHORT_LENGTH else _digest(base or "sanitized")
        found, number = found[:_SHORT_LENGTH], 0
        while found in self.used:
            found = _digest(f"{identifier}:{number}")[:_SHORT_LENGTH]
            number += 1
        return found


def with_plain_ids(messages: Iterable[Held], mode: CallIds) -> list[Held]:
    """``messages`` with the identifiers of calls, and of results alike, in the spelling ``mode``."""
    spelling = Spelling(mode)
    return [held.with_value(_respelled(held, spelling)) for held in messages]


def _respelled(held: Held, spelling: Spelling) -> RawMessage:
    if held.role == "assistant" and held.blocks is not None:
        blocks = list(held.blocks)
        for index, block in enumerate(blocks):
            if isinstance(block, dict) and block.get("type") in CALL_TYPES:
                old = block.get("id")
                if isinstance(old, str) and old and (new := spelling.of(old)) != old:
                    blocks[index] = {**block, "id": new}
        changed = any(block is not old for block, old in zip(blocks, held.blocks, strict=True))
        return {**held.value, "content": blocks} if changed else held.value
    if held.role == "toolResult":
        new_ids: RawMessage = {}
        for key in ("toolCallId", "toolUseId"):
            old = held.value.get(key)
            if isinstance(old, str) and old and (new := spelling.of(old)) != old:
                new_ids[key] = new
        return {**held.value, **new_ids} if new_ids else held.value
    return held.value


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
