"""One folder with the sessions of several projects.

## What it does
Compares the folders that the transcripts of one folder name first. It tells when none of two contains the
other.

## Why it matters
The agent names the folder after the project and replaces every sign but letters and digits. Different
projects can get one name; their sessions are then listed together, and share a memory.

## Example
`/w/my_app` and `/w/my-app`: both become `-w-my-app`.

## Better
Agent Brief groups sessions by the folder in the records. Rename one of the folders if the mixed list
disturbs.

## Which agents
Claude Code.

## Source
agents.md 8 and 9.1.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator

from agentbrief.rules.finding import Finding, Severity
from agentbrief.rules.transcript_scene import TranscriptScene, finding_at

SEVERITY: Severity = "warning"
AGENTS = ("claude-code",)


def check(scene: TranscriptScene) -> Iterator[Finding]:
    folders: dict[str, set[str]] = {}
    for session in scene.listed:
        if session.cwd:
            folders.setdefault(os.path.dirname(session.path), set()).add(session.cwd)
    for folder in sorted(folders):
        projects = _outermost(folders[folder])
        if len(projects) > 1:
            yield finding_at(
                scene,
                "session-folder-shared",
                folder,
                0,
                SEVERITY,
                (("n", len(projects)),),
                data=tuple(("cwd", project) for project in projects),
            )


def _outermost(folders: Iterable[str]) -> list[str]:
    """Those ``folders`` that lie in no other of them."""
    found: list[str] = []
    for folder in sorted(folders, key=len):
        if not any(folder == other or folder.startswith(other.rstrip("/") + "/") for other in found):
            found.append(folder)
    return sorted(found)
