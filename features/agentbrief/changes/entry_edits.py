"""Which edits give some entries of a store the values they shall have?"""

from __future__ import annotations

import re
from collections.abc import Mapping

from agentbrief.changes.steps import EntryEdit
from agentbrief.changes.store_text import entries_of
from agentbrief.jsonio import JsonValue, dumps_pretty

_SURROGATE = re.compile("[\ud800-\udfff]")


def entry_edits(data: bytes, values: Mapping[str, JsonValue]) -> tuple[EntryEdit, ...]:
    """One edit for each key of ``values``; None as a value takes the entry out.

    ``data`` is the store that the values were made from. New values are laid out with an indent of two
    blanks.

    Raises:
        ValueError: ``data`` is no JSON object.
    """
    present = {entry.key: data[entry.value : entry.end] for entry in entries_of(data)}
    return tuple(
        EntryEdit(key, present.get(key), None if value is None else _written(value))
        for key, value in values.items()
    )


def _written(value: JsonValue) -> bytes:
    text = dumps_pretty(value)
    if _SURROGATE.search(text):
        text = dumps_pretty(value, ascii_only=True)
    return text.replace("\n", "\n  ").encode("utf-8")
