"""Where are the parts of a project, and how many files do they hold?"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Protocol


class ContextRules(Protocol):
    """Where the parts of a project lie, relative to its folder, and which folder names are not entered.

    The data of a profile has this shape. ``archive_is_any_path`` counts a file in place of the archive root
    as an archive; ``max_entries`` bounds the entries below the roots that are looked at.
    """

    @property
    def source(self) -> str: ...  # noqa: D102

    @property
    def tests(self) -> str: ...  # noqa: D102

    @property
    def assets(self) -> str: ...  # noqa: D102

    @property
    def archive(self) -> str: ...  # noqa: D102

    @property
    def exclude(self) -> tuple[str, ...]: ...  # noqa: D102

    @property
    def archive_is_any_path(self) -> bool: ...  # noqa: D102

    @property
    def max_entries(self) -> int: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class PortContext:
    """The four roots of a project as absolute paths, whether they exist or not, and what they hold.

    Counted are regular files and links to them; a root that does not exist holds none. Source: claw.md 7.4;
    ultraworkers/claw-code src/context.py.
    """

    source_root: str
    tests_root: str
    assets_root: str
    archive_root: str
    python_file_count: int
    test_file_count: int
    asset_file_count: int
    archive_available: bool


def render_context(context: PortContext) -> str:
    """``context`` as eight lines ``Label: value`` without a line end behind the last.

    The text is for an agent, so that the labels are the same in each language.
    """
    return "\n".join(
        (
            f"Source root: {context.source_root}",
            f"Test root: {context.tests_root}",
            f"Assets root: {context.assets_root}",
            f"Archive root: {context.archive_root}",
            f"Python files: {context.python_file_count}",
            f"Test files: {context.test_file_count}",
            f"Assets: {context.asset_file_count}",
            f"Archive available: {context.archive_available}",
        )
    )


def root_path(project: str, root: str) -> str:
    """The absolute path of ``root``, which a setting gives relative to the folder ``project``."""
    return os.path.normpath(os.path.join(project, root))
