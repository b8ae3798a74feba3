"""``agentbrief.session.check``: the faults of session files, on a page and as findings on the files."""

from __future__ import annotations

from typing import Any

from agentbrief.report.session_check_page import CheckReport, check_record
from agentbrief.report.session_record import masked_json
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.sessions.commands import (
    desk_of,
    file_of,
    folder_of,
    in_worker,
    named_id,
    named_path,
    show_session_page,
)
from agentbrief_server.sessions.pages import reports
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Check the session that ``uri`` or ``id`` names, else the newest 50 of the workspace folder."""
    about = {"folder": folder_of(snapshot, arguments)}
    if named_path(snapshot, arguments) is not None or named_id(arguments) is not None:
        file = await file_of(snapshot, surface, arguments)
        assert file is not None
        about = {"path": file.path}

    def made() -> list[CheckReport]:
        try:
            return reports(snapshot, about)
        except KeyError as error:
            raise ValueError("unreadable") from error

    found = await in_worker(arguments, made)
    desk_of(snapshot).findings.take({report.path: report.findings for report in found})
    shown = await show_session_page(snapshot, surface, arguments, "session-check", **about)
    records = [masked_json(check_record(report, snapshot.client.locale)) for report in found]
    return {**shown, "sessions": records}
