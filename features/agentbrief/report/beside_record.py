"""How is the log of a hook beside briefs written as JSON?

The keys are a contract: they are only ever added.
"""

from __future__ import annotations

from collections.abc import Sequence

from agentbrief.jsonio import JsonValue
from agentbrief.oracle.beside import Beside, BesideRow
from agentbrief.oracle.log import Loaded
from agentbrief.redact import clean
from agentbrief.report.beside_words import Told
from agentbrief.report.record import status


def beside_record(beside: Beside, told: Sequence[Told]) -> dict[str, JsonValue]:
    """The log, its newest session for the start folder, and each file with what the hook and the
    predictions say of it.
    """
    session = beside.session.session_id if beside.session is not None else None
    return {
        "path": clean(beside.path),
        "start": beside.start,
        "problem": beside.problem,
        "detail": clean(beside.detail),
        "session_id": _cleaned(session),
        "skipped_bytes": beside.skipped,
        "damages": [{"line": each.line, "reason": each.reason} for each in beside.damages],
        "files": [_file(row, told) for row in beside.rows],
    }


def _file(row: BesideRow, told: Sequence[Told]) -> JsonValue:
    predicted: dict[str, JsonValue] = {}
    for profile, brief in told:
        placed = brief.placement(row.path)
        predicted[profile.id] = "not-read" if placed is None else status(placed)
    return {
        "path": clean(row.path),
        "in_log": row.is_in_log,
        "loads": [_load(load) for load in row.loads],
        "predicted": predicted,
    }


def _load(load: Loaded) -> JsonValue:
    return {
        "memory_type": clean(load.memory_type),
        "load_reason": clean(load.load_reason),
        "globs": [clean(glob) for glob in load.globs],
        "trigger_file_path": _cleaned(load.trigger_file_path),
        "parent_file_path": _cleaned(load.parent_file_path),
    }


def _cleaned(text: str | None) -> str | None:
    return None if text is None else clean(text)
