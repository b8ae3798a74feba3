"""Git as the oracle: what it lists in a folder. The product itself never runs it."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

needs_git = pytest.mark.skipif(shutil.which("git") is None, reason="git is the oracle of these tests")


def run(folder: Path, *words: str, **environment: str) -> bytes:
    """What git prints, with no settings but the repository's own."""
    bare = {
        "PATH": os.environ["PATH"], "HOME": str(folder), "XDG_CONFIG_HOME": str(folder), "LC_ALL": "C",
        "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull, "GIT_AUTHOR_NAME": "t",
        "GIT_AUTHOR_EMAIL": "t@example.invalid", "GIT_COMMITTER_NAME": "t",
        "GIT_COMMITTER_EMAIL": "t@example.invalid",
    }  # fmt: skip
    command = ["git", "-c", "protocol.file.allow=always", *words]
    return subprocess.run(command, cwd=folder, env=bare | environment, check=True, capture_output=True).stdout


def listed(folder: Path, **environment: str) -> list[str]:
    """The files that git lists in ``folder``, tracked or not, without the ignored ones."""
    names = run(folder, "ls-files", "-co", "-z", "--exclude-standard", **environment).split(b"\0")
    return sorted(os.fsdecode(name) for name in names if name)


def build(folder: Path, tree: Mapping[str, bytes | str | None]) -> None:
    """Files of that content; ``None`` makes a folder, a text that begins with ``->`` a link."""
    for name, content in tree.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if content is None:
            path.mkdir(exist_ok=True)
        elif isinstance(content, str) and content.startswith("->"):
            path.symlink_to(content[2:])
        else:
            path.write_bytes(content if isinstance(content, bytes) else content.encode())
