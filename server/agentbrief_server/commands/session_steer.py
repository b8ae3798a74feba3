"""``agentbrief.session.steer``: a text for a session: into a running compaction, else into the session."""

from __future__ import annotations

from typing import Any

from agentbrief.compaction.openclaw.queue_settings import queue_mode
from agentbrief.messages import say
from agentbrief.redact import mask
from agentbrief.report.session_words import why_text
from agentbrief.tasks.compaction.steer import Steered, apply_steer, plan_steer
from agentbrief.tasks.sessions.own import NotOwn, message_of
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.compaction.work import unsaved_in
from agentbrief_server.sessions.commands import (
    desk_of,
    file_of,
    folder_of,
    in_worker,
    require_trust,
    words_of,
)
from agentbrief_server.sessions.place import now_ms, sessions_setup
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.uris import uri_of


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """Send ``text`` to the session that ``uri`` or ``id`` names, in ``mode`` (else steer).

    A session that looks live, or that another agent writes, is not touched: the reply hands the text back.
    """
    require_trust(snapshot, arguments)
    text = words_of(arguments)
    if not text.strip():
        raise arguments.missing("compaction.no-text")
    mode = queue_mode(arguments.text("mode") or "steer")
    if mode is None:
        raise arguments.wrong("mode")
    file = await file_of(snapshot, surface, arguments)
    if file is None:
        return {"end": "cancelled", "text": text}
    desk, fs = desk_of(snapshot), sessions_setup(snapshot, folder_of(snapshot, arguments)).fs
    running = desk.compactions.running
    unsaved = unsaved_in(snapshot, file)

    def send() -> Steered:
        steered = plan_steer(fs, file, text, mode, now_ms(), running)
        if steered.end != "appended":
            return steered
        desk.require_trust()
        if unsaved is None:
            apply_steer(fs, steered, desk.caller())
            return steered
        own, session_id = unsaved
        kept = own.append(fs, session_id, message_of("user", text))
        return Steered(text, "handed-back", kept.why) if isinstance(kept, NotOwn) else steered

    steered = await in_worker(arguments, send)
    if steered.end == "appended":
        desk.changed()
    return {
        "end": steered.end,
        "why": steered.why or None,
        "text": text if steered.end == "handed-back" else None,
        "message": _sentence(steered, mask(file.path), snapshot.client.locale),
        "uri": uri_of(file.path),
        "saved": steered.end == "appended" and unsaved is None,
    }


def _sentence(steered: Steered, path: str, locale: str) -> str:
    if steered.end == "appended":
        return say(locale, "compaction.steered.appended", path=path)
    if steered.end != "handed-back":
        return say(locale, f"compaction.steer.{steered.end}")
    if steered.why in ("running", "read-only"):
        return say(locale, f"compaction.steered.{steered.why}", path=path)
    return say(locale, "compaction.steered.unreadable", path=path, reason=why_text(steered.why, locale))
