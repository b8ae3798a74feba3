"""Which numbers of claw-code beside its instruction files and its compaction are known?"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SessionFileData:
    """What claw-code's writer does to a session file.

    ``max_field_chars`` is the longest field it writes, ``rotate_after_bytes`` the size from which it renames
    the file before a save, ``rotated_copies`` how many renamed files it leaves.
    """

    max_field_chars: int
    rotate_after_bytes: int
    rotated_copies: int


@dataclass(frozen=True, slots=True)
class AutomaticCompactionData:
    """When claw-code compacts by itself, for showing: we never do.

    From ``input_tokens`` in all on, which the environment variable ``variable`` changes, it keeps
    ``preserve_recent_messages`` whatever the size. After an error of the context it keeps ``after_overflow``
    messages, less each time, with ``window_share`` of the window that the error names as the new bound.
    """

    input_tokens: int
    variable: str
    preserve_recent_messages: int
    after_overflow: tuple[int, ...]
    window_share: float


@dataclass(frozen=True, slots=True)
class PythonEngineData:
    """The defaults of claw-code's Python engine; its tokens are words."""

    max_turns: int
    max_budget_tokens: int
    compact_after_turns: int
