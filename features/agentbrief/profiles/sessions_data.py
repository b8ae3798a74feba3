"""Where does an agent keep its sessions, how large is its window, and what survives a compaction?

The keys are those of agents.md 3 (``sessions``, ``windows``, ``compaction``, ``gates``). The key of a
compaction's effects is ``after_compaction`` here: ``compaction`` holds thresholds.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal


@dataclass(frozen=True, slots=True)
class Root:
    """A folder of the agent: a path with ``~`` or ``$NAME`` at its start, or the variable that names it.

    A variable that is set replaces the paths; ``list`` allows several folders in it, parted by commas.
    """

    path: str | None = None
    env: str | None = None
    list: bool = False


@dataclass(frozen=True, slots=True)
class Slug:
    """How a start folder becomes a folder name: each match of ``replace`` becomes ``with_text``.

    A name longer than ``max`` characters is cut there and ends in a hash. ``name_env`` names the variable
    that replaces the name. ``long_path_collision``: long paths could share a folder.
    """

    replace: str
    with_text: str
    max: int
    name_env: str | None = None
    long_path_collision: bool = False


@dataclass(frozen=True, slots=True)
class Retention:
    """After how many days without a change the agent removes a session; ``setting`` replaces ``days``."""

    setting: str | None
    days: int | None


@dataclass(frozen=True, slots=True)
class SessionsData:
    """Where transcripts lie and how they are read. Globs are relative to a root, ``**`` is any depth.

    ``adapter`` names the format (None: they are named with size and date, never opened). ``name`` is a
    pattern for the file name whose group 1 is the session's identifier; a file of another name is none of the
    agent's sessions. ``group_by`` says what puts sessions of one project together.
    """

    adapter: str | None
    access: Literal["read", "write", "detect"]
    roots: tuple[Root, ...]
    glob: str
    form: str
    group_by: str
    name: str | None = None
    slug: Slug | None = None
    subagents: str | None = None
    spilled: str | None = None
    archived: str | None = None
    compressed: str | None = None
    names: str | None = None
    index: str | None = None
    retention: Retention | None = None
    usage_key: tuple[str, ...] = ()
    bad_line: Literal["skipped", "stops-resume"] = "skipped"


@dataclass(frozen=True, slots=True)
class ModelWindow:
    """A row of the window table: the first row whose ``match`` is found in the model id counts. Tokens.

    ``on`` has the window where a provider serves another one; ``assumed`` marks a guess from the id's form.
    """

    match: str
    window: int
    compact_at: int | None = None
    assumed: bool = False
    on: Mapping[str, int] = field(default_factory=dict[str, int], hash=False)


@dataclass(frozen=True, slots=True)
class WindowEnv:
    """Names of the variables that change the window, the compaction point or switch compaction off."""

    window: str
    percent: str
    max: str
    no_1m: str
    off: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class WindowsData:
    """How large the context is and where it is compacted, in tokens.

    Compaction point: ``compact_at`` of the row, else window − reserve for the output (at most
    ``reserve_output_max``) − ``reserve``. ``unknown`` is assumed for an id that is in no row, and held since
    ``unknown_enforced``. ``from_session`` names the place in the transcript that states the window;
    ``baseline`` is left out of both sides when a share is shown. ``setting`` and ``env`` replace the window
    for compaction, at least ``min`` and at most ``max``; ``without_1m`` is the window where the large one is
    switched off; an id in which ``large_in_id`` is found asks for the large one.
    """

    models: tuple[ModelWindow, ...] = ()
    unknown: int | None = None
    unknown_enforced: bool = True
    reserve_output_max: int = 0
    reserve: int = 0
    baseline: int = 0
    from_session: str | None = None
    setting: str | None = None
    min: int | None = None
    max: int | None = None
    without_1m: int | None = None
    large_in_id: str | None = None
    env: WindowEnv | None = None


@dataclass(frozen=True, slots=True)
class SkillsAfterCompaction:
    """How much of the skills in use is sent again, in tokens."""

    tokens_each: int
    tokens_total: int
    drop: Literal["oldest"]


@dataclass(frozen=True, slots=True)
class AfterCompaction:
    """What the agent has again after a compaction.

    ``reinjected``: parts that are sent again (``documented``: those the vendor names). ``lost_until_read``:
    parts that come back with the next read only. ``reread`` false: the text from the start of the run is
    used. ``keeps_user_messages_tokens``: so many tokens of the newest user messages are kept word for word.
    """

    reinjected: tuple[str, ...]
    documented: tuple[str, ...] = ()
    lost_until_read: tuple[str, ...] = ()
    reread: bool = True
    source: str | None = None
    skills: SkillsAfterCompaction | None = None
    keeps_user_messages_tokens: int | None = None


@dataclass(frozen=True, slots=True)
class Gate:
    """What held in versions before ``before``: JSON pointers into the profile's data and their values."""

    before: str
    set: Mapping[str, object] = field(hash=False)
    why: str
    source: str


def identifier_in(data: SessionsData, name: str) -> str | None:
    """The session's identifier in a transcript's file name; None for a file that is no session."""
    if data.name is None:
        return name.split(".", 1)[0]
    found = re.fullmatch(data.name, name)
    return found[1] if found else None
