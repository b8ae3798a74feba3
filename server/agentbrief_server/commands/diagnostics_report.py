"""``agentbrief.diagnostics.report``: versions and counts for a bug report; no text of a file, no path."""

from __future__ import annotations

import platform
import sys
from collections import Counter
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from agentbrief import jsonio
from agentbrief_server import __version__
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface

LIBRARIES = ("pygls", "lsprotocol", "cattrs", "watchdog", "orjson", "msgspec", "pathspec", "filelock")


async def run(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> dict[str, Any]:
    """The report as text, to be copied."""
    counts = Counter(each.code for found in snapshot.findings.values() for each in found)
    lines = [
        f"agentbrief {__version__}",
        f"Python {sys.version.split()[0]} on {platform.system()} {platform.machine()}",
        ", ".join(f"{name} {_version(name)}" for name in LIBRARIES),
        f"JSON tier: {'fast' if jsonio.FAST else 'plain'}",
        f"client: {snapshot.client.name or 'unknown'}, columns in {snapshot.client.encoding}, "
        f"{'pulls' if snapshot.client.pulls_diagnostics else 'is sent'} diagnostics",
        f"trusted: {snapshot.trusted}, workspace folders: {len(snapshot.folders)}, "
        f"open: {len(snapshot.documents)}",
        *(f"{code}: {count}" for code, count in sorted(counts.items())),
    ]
    return {"text": "\n".join(lines) + "\n"}


def _version(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return "absent"
