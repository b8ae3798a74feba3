"""What became of each file of the chain, one row a file?

The rows serve the page, the tree of an editor and the command line; each says in words why a file is not
sent.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from agentbrief.brief import Brief, CutAt, DuplicateOf, Entry, Omitted, Placement
from agentbrief.profiles.profile import AgentProfile
from agentbrief.rules.finding import Arguments
from agentbrief.text.whitespace import trim

State = Literal["sent", "cut", "duplicate", "omitted", "not-loaded", "unread", "above", "near-miss"]


@dataclass(frozen=True, slots=True)
class ChainRow:
    """One file.

    ``rank`` counts in the order the limit is spent, ``place`` in the prompt, both from 1; 0 = has none.

    ``sent`` and ``total`` are characters, without the white space around the text. ``reason`` is a message
    identifier.
    """

    path: str
    label: str
    state: State
    reason: str
    arguments: Arguments = ()
    sent: int = 0
    total: int = 0
    rank: int = 0
    place: int = 0
    cut: int | None = None
    link_to: str | None = None


def chain_rows(profile: AgentProfile, brief: Brief) -> tuple[ChainRow, ...]:
    """The rows of a brief, nearest folder first, then files that other agents read, near misses and files
    above the bound.
    """
    return tuple(_rows(profile, brief))


def label_of(path: str, start: str) -> str:
    """``path`` as seen from the start folder, with forward slashes."""
    return os.path.relpath(path, start).replace(os.sep, "/")


def _rows(profile: AgentProfile, brief: Brief) -> Iterator[ChainRow]:
    places = {entry.file.path: number for number, entry in enumerate(brief.entries, 1)}
    rank = 0
    for placed in brief.by_priority:
        if isinstance(placed, Entry) or (isinstance(placed, Omitted) and placed.why == "budget"):
            rank += 1
        yield _row(profile, brief, placed, rank, places)
    agent: Arguments = (("agent", profile.title),)
    if brief.aborted is not None:
        reason = f"chain.aborted.{brief.aborted.kind}"
        yield ChainRow(
            brief.aborted.path, label_of(brief.aborted.path, brief.start), "not-loaded", reason, agent
        )
    for path in brief.unread:
        yield ChainRow(path, label_of(path, brief.start), "unread", "chain.unread", agent)
    for miss in brief.near_misses:
        named: Arguments = (*agent, ("name", miss.name))
        yield ChainRow(miss.path, label_of(miss.path, brief.start), "near-miss", "chain.near-miss", named)
    for path in brief.above:
        yield ChainRow(path, label_of(path, brief.start), "above", "chain.above", agent)


def _row(
    profile: AgentProfile, brief: Brief, placed: Placement, rank: int, places: dict[str, int]
) -> ChainRow:
    file = placed.file
    label = label_of(file.path, brief.start)
    agent = (("agent", profile.title),)
    total = len(trim(file.text))
    link = _link_target(brief, placed)
    if isinstance(placed, CutAt):
        reason = f"chain.cut.{placed.by}"
        sent = placed.kept_chars
        return ChainRow(
            file.path, label, "cut", reason, agent, sent, total, rank, places[file.path], placed.at, link
        )
    if isinstance(placed, Entry):
        return ChainRow(
            file.path, label, "sent", "chain.sent", agent, total, total, rank, places[file.path], None, link
        )
    if isinstance(placed, DuplicateOf):
        reason = "chain.same-file" if file.is_same_file(placed.survivor) else "chain.duplicate"
        other = label_of(placed.survivor.path, brief.start)
        return ChainRow(
            file.path, label, "duplicate", reason, (*agent, ("other", other)), 0, total, link_to=link
        )
    if placed.why == "budget":
        return ChainRow(file.path, label, "omitted", "chain.omitted", agent, 0, total, rank)
    kind = file.problem.kind if file.problem else "blank"
    return ChainRow(file.path, label, "not-loaded", f"chain.{kind}", agent, 0, total, link_to=link)


def _link_target(brief: Brief, placed: Placement) -> str | None:
    """The file that a link with another name leads to; None for what is no such link."""
    file = placed.file
    if file.problem is not None or os.path.basename(file.real_path) == os.path.basename(file.path):
        return None
    inside = file.real_path.startswith(brief.bound.rstrip(os.sep) + os.sep)
    return label_of(file.real_path, brief.start) if inside else file.real_path
