"""Which pages tell of compactions and checkpoints: previews, and both sides of a comparison?

A preview is named by its token: it is there as long as it can be carried out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentbrief.disk.refusal import Refused
from agentbrief.messages import say
from agentbrief.report.checkpoint_page import checkpoints_page, restore_page
from agentbrief.report.compaction_page import compaction_page
from agentbrief.tasks.compaction.checkpoint_list import session_checkpoints
from agentbrief.tasks.compaction.shown import checkpoint_shown, restore_shown
from agentbrief.tasks.compaction.texts import side_text
from agentbrief.tasks.sessions.read import SessionFile
from agentbrief.tasks.sessions.titles import title_of
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.compaction.desk import CompactionDesk, Preview, RestorePreview
from agentbrief_server.pages import address
from agentbrief_server.sessions.commands import show_session_page
from agentbrief_server.sessions.pages import options, readable_file
from agentbrief_server.sessions.place import listed, sessions_setup
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface

_LEVEL = "everything"


def compaction_text(snapshot: Snapshot, about: Mapping[str, str]) -> str:
    """The preview of a compaction.

    Raises:
        KeyError: there is none, or no more.
    """
    return compaction_page(_preview(snapshot, about).view, snapshot.client.locale)


def now_text(snapshot: Snapshot, about: Mapping[str, str]) -> str:
    """What the session says now, of the preview of a compaction or of a restore.

    Raises:
        KeyError: there is none, or no more.
    """
    return side_text(*_sides(snapshot, about), "now", options(snapshot, _LEVEL))


def after_text(snapshot: Snapshot, about: Mapping[str, str]) -> str:
    """What the session would say afterwards.

    Raises:
        KeyError: there is none, or no more.
    """
    return side_text(*_sides(snapshot, about), "after", options(snapshot, _LEVEL))


def checkpoints_text(snapshot: Snapshot, about: Mapping[str, str]) -> str:
    """The checkpoints of the session at ``path``.

    Raises:
        KeyError: it may not be read.
    """
    file = readable_file(snapshot, about["path"])
    folder = snapshot.folder_of(file.path)
    setup = sessions_setup(snapshot, folder)
    try:
        found = session_checkpoints(setup, file)
        title = title_of(setup, file)
    except (Refused, ValueError) as error:
        raise KeyError(about["path"]) from error
    item = listed(snapshot, folder).at(file.path)
    present = (
        item.messages if item is not None else None,
        item.used_tokens if item is not None else None,
        file.stamp.size,
    )
    rows = [checkpoint_shown(row) for row in found.rows]
    return checkpoints_page(title, rows, present, snapshot.client.locale)


def restore_text(snapshot: Snapshot, about: Mapping[str, str]) -> str:
    """The preview of a restore.

    Raises:
        KeyError: there is none, or no more.
    """
    preview = _desk(snapshot).restores.at(about["token"])
    if preview is None:
        raise KeyError("token")
    return restore_page(restore_shown(preview.planned, preview.title), snapshot.client.locale)


async def show_preview(
    snapshot: Snapshot, surface: Surface, arguments: Arguments, kind: str, token: str
) -> dict[str, Any]:
    """Show the page ``kind`` of a preview; ``left`` and ``right`` are for a client that compares texts.

    Raises:
        JsonRpcException: there is nothing to show.
    """
    shown = await show_session_page(snapshot, surface, arguments, kind, token=token)
    sides = {
        side: address(f"{kind}-{name}", say(snapshot.client.locale, f"page.{kind}-{name}"), token=token)
        for side, name in (("left", "now"), ("right", "after"))
    }
    return {**shown, **sides}


def _preview(snapshot: Snapshot, about: Mapping[str, str]) -> Preview:
    found = _desk(snapshot).previews.at(about["token"])
    if found is None:
        raise KeyError("token")
    return found


def _sides(snapshot: Snapshot, about: Mapping[str, str]) -> tuple[SessionFile, bytes, bytes]:
    desk, token = _desk(snapshot), about["token"]
    found: Preview | RestorePreview | None = desk.previews.at(token) or desk.restores.at(token)
    if isinstance(found, Preview):
        return found.planned.file, found.planned.data, found.planned.data_after
    if found is not None:
        return found.planned.file, found.planned.data_before, found.planned.data_after
    raise KeyError("token")


def _desk(snapshot: Snapshot) -> CompactionDesk:
    desk = snapshot.sessions.desk
    if desk is None:
        raise KeyError("desk")
    return desk.compactions
