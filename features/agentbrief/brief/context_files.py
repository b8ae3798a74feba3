"""Which files of an OpenClaw workspace does a run begin with, and how much of each is sent?

The files share one budget in a fixed order; a file that is too long loses its middle (openclaw.md 12.2;
openclaw/openclaw ``src/agents/pi-embedded-helpers/bootstrap.ts``). Lengths are UTF-16 units, places code
points.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from agentbrief.disk.files import Files
from agentbrief.disk.values import FileText
from agentbrief.profiles.openclaw_data import ContextFileData
from agentbrief.text import utf16
from agentbrief.text.span import Span

ContextMode = Literal["full", "lightweight"]
CutBy = Literal["file", "total"]
Outcome = Literal["sent", "cut", "missing", "empty", "not-reached"]

ELLIPSIS = "\u2026"


@dataclass(frozen=True, slots=True)
class ContextFile:
    """A file as it stands in the workspace; ``text`` None = it is missing there, and a marker says so."""

    name: str
    path: str
    text: str | None


@dataclass(frozen=True, slots=True)
class ContextLimits:
    """The limits in force: for one file and for all of them."""

    max_file_chars: int
    max_total_chars: int


@dataclass(frozen=True, slots=True)
class SentFile:
    """What became of one file.

    ``sent`` is the text that the model gets, None = nothing. ``lost`` is the range of the file's text that it
    does not get, blanks at the end left out; ``limit`` is what the file was cut to, and ``by`` whose limit
    that was.
    """

    file: ContextFile
    result: Outcome
    raw_chars: int
    sent: str | None
    lost: Span | None = None
    limit: int | None = None
    by: CutBy | None = None

    @property
    def sent_chars(self) -> int:
        """The UTF-16 units that are sent."""
        return utf16.length(self.sent) if self.sent else 0

    @property
    def was_cut(self) -> bool:
        """Whether a part of the text, or all of it, is not sent."""
        return self.lost is not None


@dataclass(frozen=True, slots=True)
class ContextBudget:
    """What is sent, file by file; ``stopped_with`` is what was left where loading stopped, if it did."""

    limits: ContextLimits
    files: tuple[SentFile, ...]
    stopped_with: int | None = None


def context_limits(defaults: Mapping[str, object], data: ContextFileData) -> ContextLimits:
    """The limits that ``agents.defaults`` of the configuration sets, or the version's own."""
    return ContextLimits(
        _limit(defaults.get("bootstrapMaxChars"), data.max_file_chars),
        _limit(defaults.get("bootstrapTotalMaxChars"), data.max_total_chars),
    )


def context_names(
    data: ContextFileData, *, small: bool = False, mode: ContextMode = "full", is_heartbeat: bool = False
) -> tuple[str, ...]:
    """The names that a run loads, in order; those of the memory are only loaded if they exist.

    ``small`` is for sub-agents and scheduled jobs.
    """
    if mode == "lightweight":
        return (data.heartbeat_name,) if is_heartbeat else ()
    return data.small_names if small else (*data.names, *data.memory)


def read_context_files(
    files: Files, folder: str, names: Sequence[str], data: ContextFileData
) -> tuple[ContextFile, ...]:
    """The files of the workspace ``folder`` with these names. What cannot be read there is missing."""
    roots = files.roots((folder,))
    listed = files.names(folder) or frozenset[str]()
    found: list[ContextFile] = []
    has_memory = False
    for name in names:
        path = f"{folder.rstrip('/')}/{name}"
        text = None
        if name in listed:
            read = files.read(path, roots)
            if isinstance(read, FileText) and read.stamp.size <= data.max_file_bytes:
                text = read.text
        if name in data.memory:
            if text is None or (has_memory and data.first_memory_only):
                continue
            has_memory = True
        found.append(ContextFile(name, path, text))
    return tuple(found)


def context_budget(
    files: Sequence[ContextFile], limits: ContextLimits, data: ContextFileData
) -> ContextBudget:
    """What of ``files`` is sent within ``limits``."""
    left = max(1, limits.max_total_chars)
    sent: list[SentFile] = []
    stopped_with: int | None = None
    stopped = False
    for file in files:
        if not stopped and file.text is not None and 0 < left < data.least_file_chars:
            stopped_with = left
            stopped = True
        if stopped or left <= 0:
            sent.append(_not_reached(file))
            stopped = True
            continue
        placed = _missing(file, left) if file.text is None else _placed(file, file.text, limits, left, data)
        left = max(0, left - placed.sent_chars)
        sent.append(placed)
    return ContextBudget(limits, tuple(sent), stopped_with)


def _not_reached(file: ContextFile) -> SentFile:
    text = utf16.trim_end(file.text or "")
    lost = Span(0, len(text)) if text else None
    return SentFile(file, "not-reached", utf16.length(text), None, lost, by="total" if text else None)


def _missing(file: ContextFile, left: int) -> SentFile:
    return SentFile(file, "missing", 0, _clamped(f"[MISSING] Expected at: {file.path}", left) or None)


def _placed(
    file: ContextFile, whole: str, limits: ContextLimits, left: int, data: ContextFileData
) -> SentFile:
    text = utf16.trim_end(whole)
    raw = utf16.length(text)
    if not text:
        return SentFile(file, "empty", 0, None)
    limit = max(1, min(limits.max_file_chars, left))
    if raw <= limit:
        return SentFile(file, "sent", raw, text)
    head_chars, tail_chars = _shares(file.name, limit, raw, data)
    head, tail = utf16.head(text, head_chars), utf16.tail(text, tail_chars)
    shown = f"{head}\n{_marker(file.name, head_chars, tail_chars, raw)}\n{tail}"
    sent = _clamped(shown, left)
    lost = Span(len(head), len(text) - len(tail))
    if sent != shown:
        lost = Span(min(len(head), len(sent) - 1), len(text))
    by: CutBy = "file" if raw > limits.max_file_chars and limits.max_file_chars <= left else "total"
    return SentFile(file, "cut", raw, sent, lost, limit, by)


def _marker(name: str, head_chars: int, tail_chars: int, raw: int) -> str:
    read = f"[...truncated, read {name} for full content...]"
    kept = f"{ELLIPSIS}(truncated {name}: kept {head_chars}+{tail_chars} chars of {raw}){ELLIPSIS}"
    return f"\n{read}\n{kept}\n"


def _shares(name: str, limit: int, raw: int, data: ContextFileData) -> tuple[int, int]:
    head, tail = int(limit * data.head_share), int(limit * data.tail_share)
    if data.marker_counted:
        room = max(0, limit - utf16.length(_marker(name, head, tail, raw)) - 2)
        head, tail = int(room * data.head_share), int(room * data.tail_share)
    return head, tail


def _clamped(text: str, left: int) -> str:
    if utf16.length(text) <= left:
        return text
    # Three units or fewer have no room for a mark that something is missing.
    return utf16.head(text, left) if left <= 3 else utf16.head(text, left - 1) + ELLIPSIS


def _limit(value: object, default: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < float("inf"):
        return default
    return max(1, int(value))
