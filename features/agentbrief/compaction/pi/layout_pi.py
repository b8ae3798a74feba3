"""How is a summary written into a transcript of pi?

Source: openclaw.md 8.6; badlogic/pi-mono packages/coding-agent/src/core/compaction/compaction.ts (compact).
"""

from __future__ import annotations

from collections.abc import Sequence

from agentbrief.compaction.pi.file_lists import FileOperations

NO_HISTORY = "No prior history."
TURN_HEADING = "**Turn Context (split turn):**"
RULE = "---"

_TAGS = ("read-files", "modified-files")


def pi_text(history: str | None, turn_prefix: str | None) -> str:
    """What was told of the history and of a turn that is split.

    ``history`` None = there was none to tell of; ``turn_prefix`` None = no turn is split.
    """
    text = NO_HISTORY if history is None else history
    return text if turn_prefix is None else f"{text}\n\n{RULE}\n\n{TURN_HEADING}\n\n{turn_prefix}"


def pi_summary(history: str | None, turn_prefix: str | None, files: FileOperations) -> str:
    """The text of the entry: :func:`pi_text` and the lists of files."""
    return pi_text(history, turn_prefix) + file_lists(files)


def file_lists(files: FileOperations) -> str:
    """Both lists of files with a blank line before each; an empty one is left out."""
    return "".join(
        _list(tag, paths)
        for tag, paths in zip(_TAGS, (files.read_files, files.modified_files), strict=True)
        if paths
    )


def without_file_lists(text: str) -> str:
    """A summary without the lists of files at its end: they are made anew from the details of the entry."""
    for tag in reversed(_TAGS):
        start = text.rfind(f"\n\n<{tag}>\n")
        if start >= 0 and text.endswith(f"\n</{tag}>"):
            text = text[:start]
    return text


def _list(tag: str, paths: Sequence[str]) -> str:
    lines = "\n".join(paths)
    return f"\n\n<{tag}>\n{lines}\n</{tag}>"
