"""How are findings on transcripts told? By the address of the file, which is never an open document.

A transcript has no columns that anybody sees: a finding stands at the start of its line.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from typing import Any

from agentbrief.rules.finding import Finding
from agentbrief_server.documents import line_index
from agentbrief_server.publish import PUBLISH
from agentbrief_server.state import Snapshot, State
from agentbrief_server.to_lsp import diagnostic
from agentbrief_server.uris import uri_of


class TranscriptFindings:
    """Tells the client what was found in transcripts, or asks it to pull. ``rows``: their rows count them."""

    def __init__(
        self,
        state: State,
        notify: Callable[[str, Any], None],
        refresh: Callable[[], None],
        rows: Callable[[], None],
    ) -> None:
        self._state = state
        self._notify = notify
        self._refresh = refresh
        self._rows = rows

    def take(self, found: dict[str, tuple[Finding, ...]]) -> None:
        """Take the findings of the transcripts that were judged, and tell those that are others now."""
        changed = self._state.sessions.keep_findings(found)
        if changed:
            self._rows()
        snapshot = self._state.snapshot()
        if snapshot.client.pulls_diagnostics:
            if changed:
                self._refresh()
            return
        for path in sorted(changed):
            told = transcript_diagnostics(snapshot, snapshot.sessions.findings.get(path, ()))
            self._notify(PUBLISH, {"uri": uri_of(path), "diagnostics": told})


def transcript_diagnostics(snapshot: Snapshot, findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """``findings`` on one transcript as diagnostics."""
    from agentbrief.redact import mask

    client, nothing = snapshot.client, line_index("")
    told: list[dict[str, Any]] = []
    for finding in findings:
        found = diagnostic(finding, nothing, 0, client.locale, client.encoding, lambda path: nothing)
        found["range"] = _start_of_line(finding.line)
        found["message"] = mask(found["message"])
        for other, related in zip(finding.related, found.get("relatedInformation", ()), strict=False):
            line = dict(other.arguments).get("line", 0)
            related["location"]["range"] = _start_of_line(int(line))
            related["message"] = mask(related["message"])
        told.append(found)
    return told


def transcript_report(snapshot: Snapshot, path: str, before: str | None) -> dict[str, Any]:
    """The findings on one transcript for a client that pulls. ``before`` names what it was told last."""
    told = transcript_diagnostics(snapshot, snapshot.sessions.findings.get(path, ()))
    result = hashlib.sha256(repr(told).encode("utf-8", "backslashreplace")).hexdigest()[:16]
    report: dict[str, Any] = {"uri": uri_of(path), "version": None, "resultId": result}
    if before == result:
        return {**report, "kind": "unchanged"}
    return {**report, "kind": "full", "items": told}


def _start_of_line(line: int) -> dict[str, Any]:
    """The first character of line ``line`` (from 1); 0 stands for the file."""
    place = max(line - 1, 0)
    return {"start": {"line": place, "character": 0}, "end": {"line": place, "character": 1}}
