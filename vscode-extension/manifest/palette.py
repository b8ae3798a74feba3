"""Which commands does a VS Code user have, and where do they stand?

The palette's identifiers (``agentbrief.ui.…``) differ from the server's, which the language client registers
itself. A command is declared once the server has it.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from agentbrief_server.catalogue import COMMANDS

Need = Literal["files", "instruction-file", "sessions", "trust"]

PREFIX = "agentbrief.ui."
_WHEN: dict[Need, str] = {
    "files": "agentbrief.hasFiles",
    "instruction-file": "agentbrief.isInstructionFile",
    "sessions": "agentbrief.hasSessions",
    "trust": "isWorkspaceTrusted",
}
_ANYWHERE = "!virtualWorkspace"

FILE_ROW = "view == agentbrief.files && viewItem =~ /^instruction-file/"
SESSION_ROW = "view == agentbrief.sessions && viewItem =~ /^session\\./"
OWN_SESSION = "view == agentbrief.sessions && viewItem =~ /^session\\.own/"
FOREIGN_SESSION = "view == agentbrief.sessions && viewItem =~ /^session\\.foreign/"
STORED_SESSION = "view == agentbrief.sessions && viewItem =~ /^session\\.\\w+\\.openclaw$/"


@dataclass(frozen=True, slots=True)
class Palette:
    """A command of the palette. ``server`` is what the server calls it, empty for one of the client alone.

    ``row`` says on which rows it stands in the context menu, ``group`` in which part of it. ``title`` says in
    which views' titles it stands. ``hidden`` commands stand on rows and in links only.
    """

    name: str
    server: str = ""
    needs: tuple[Need, ...] = ()
    icon: str = ""
    title: tuple[str, ...] = ()
    row: str = ""
    group: str = ""
    hidden: bool = False

    @property
    def id(self) -> str:
        """Its identifier in VS Code."""
        return PREFIX + self.name

    @property
    def when(self) -> str:
        """When the palette offers it."""
        if self.hidden:
            return "false"
        return " && ".join(_WHEN[need] for need in self.needs) or _ANYWHERE


PALETTE: tuple[Palette, ...] = (
    Palette("showBudget", "budget.show", icon="graph", title=("budget",)),
    Palette("showChain", "brief.show", ("files",), "list-ordered", ("files",)),
    Palette("previewPrompt", "prompt.show", ("files",), row=FILE_ROW, group="2_show@1"),
    Palette("compareAgents", "brief.compare", ("files",)),
    Palette("showContext", "context.show"),
    Palette("explainRule", "rules.explain"),
    Palette("goToCut", "instructions.goToCut", ("instruction-file",)),
    Palette("showSections", "budget.showSections", ("instruction-file",)),
    Palette(
        "compareCopies",
        "instructions.compare",
        ("instruction-file",),
        row="view == agentbrief.files && viewItem == instruction-file.duplicate",
        group="2_show@2",
    ),
    Palette("selectProfile", "profile.select", icon="account", title=("files",)),
    Palette("refresh", "workspace.refresh", icon="refresh", title=("files", "budget", "sessions")),
    Palette("showHidden", "hiddenText.show", ("instruction-file",)),
    Palette("openSession", "session.open", ("sessions",), "search", ("sessions",)),
    Palette("previewCompaction", "compaction.plan", ("sessions",), row=SESSION_ROW, group="3_change@1"),
    Palette("compactSession", "session.compact", ("sessions", "trust"), row=OWN_SESSION, group="3_change@2"),
    Palette(
        "compactCopy", "session.compactCopy", ("sessions", "trust"), row=FOREIGN_SESSION, group="3_change@2"
    ),
    Palette("steerSession", "session.steer", ("sessions", "trust")),
    Palette("flushMemory", "memory.flush", ("sessions", "trust")),
    Palette("exportHistory", "history.export", ("sessions", "trust"), row=SESSION_ROW, group="3_change@3"),
    Palette("showCheckpoints", "checkpoint.list", ("sessions",), row=SESSION_ROW, group="2_show@3"),
    Palette(
        "restoreCheckpoint",
        "checkpoint.restore",
        ("sessions", "trust"),
        row="view == agentbrief.sessions && viewItem =~ /^(session\\.own|checkpoint)/",
        group="3_change@4",
    ),
    Palette("undoChange", "change.undo", ("trust",)),
    Palette("previewCleanup", "maintenance.plan", ("sessions",)),
    Palette("runCleanup", "maintenance.apply", ("sessions", "trust")),
    Palette("moveToTrash", "session.trash", ("sessions", "trust"), row=OWN_SESSION, group="4_trash@1"),
    Palette("openTrash", "trash.list", icon="trash", title=("sessions",)),
    Palette("checkSessions", "session.check", ("sessions",), row=SESSION_ROW, group="2_show@4"),
    Palette("repairSession", "session.repair", ("sessions", "trust"), row=SESSION_ROW, group="3_change@5"),
    Palette("showStores", "store.status", ("sessions",)),
    Palette("checkStores", "store.doctor", ("sessions",)),
    Palette("showRunRestore", "runRestore.show", ("sessions",), row=STORED_SESSION, group="2_show@5"),
    Palette("copyReport", "diagnostics.report"),
    Palette("restartServer"),
    Palette("showLog"),
    Palette("chooseInterpreter"),
    Palette("createFile"),
    Palette("howToInstall", hidden=True),
    Palette("showWalkthrough"),
    Palette("showActions", hidden=True),
    Palette("open", hidden=True, row="viewItem =~ /^(instruction-file|session)/", group="1_open@1"),
    Palette("openToSide", hidden=True, row="viewItem =~ /^(instruction-file|session)/", group="1_open@2"),
    Palette("copyPath", hidden=True, row="viewItem =~ /^(instruction-file|session)/", group="2_show@9"),
    Palette("pickRoot"),
)

_NEEDS_SETTING = {"pickRoot": "sessions.roots"}


def declared(settings: Iterable[str]) -> tuple[Palette, ...]:
    """The commands that the server of this tree serves, and those that need no server.

    ``settings`` are the keys of the settings that there are.
    """
    served = {entry.name.removeprefix("agentbrief.") for entry in COMMANDS}
    keys = set(settings)
    return tuple(
        each
        for each in PALETTE
        if (not each.server or each.server in served) and _NEEDS_SETTING.get(each.name, "enable") in keys
    )
