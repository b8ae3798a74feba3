"""How far up do Claw and claw-code look?

Paths here are text; which folders hold a ``.git`` is handed in.

Source: claw.md 2.1 and 3.1; ultraworkers/claw-code rust/crates/runtime/src/prompt.rs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from agentbrief.profiles.strategies.openclaw import start_only


def outer_of_workspace_and_git(
    chain: Sequence[str], workspace: str | None, has_git: Callable[[str], bool]
) -> str:
    """The outer one of the workspace folder and the nearest git root.

    One missing, the other; both, the start alone.

    ``chain`` holds the start and its parents, nearest first; ``workspace`` is one of them or None.
    """
    git = nearest_git(chain, has_git)
    found = [folder for folder in (workspace, git) if folder is not None]
    return min(found, key=len) if found else chain[0]


def git_or_start(chain: Sequence[str], workspace: str | None, has_git: Callable[[str], bool]) -> str:
    """The nearest git root, else the start alone."""
    return nearest_git(chain, has_git) or chain[0]


def nearest_git(chain: Sequence[str], has_git: Callable[[str], bool]) -> str | None:
    """The first folder of ``chain`` that holds a ``.git`` folder or file."""
    return next((folder for folder in chain if has_git(folder)), None)


BOUNDS: dict[str, Callable[[Sequence[str], str | None, Callable[[str], bool]], str]] = {
    "outer-of-workspace-and-git": outer_of_workspace_and_git,
    "git-or-start": git_or_start,
    "start-only": start_only,
}
"""Strategy name → the bound of a walk: ``(chain, workspace folder, has_git) → folder``."""
