"""A disk that does not tell upper and lower case apart, as on most Macs and on Windows."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from agentbrief.brief import Included
from agentbrief.disk.files import DiskFiles
from agentbrief.disk.seam import FS
from agentbrief.profiles.load import profile
from agentbrief.tasks.judge import judge
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.setup import Setup, brief_from


class FoldingDisk(FS):
    """Finds an entry whatever the case of its name, and lists names as they were made."""

    def _real(self, path: str) -> str:
        folder, name = os.path.split(path)
        if not os.path.isdir(folder):
            return path
        return next(
            (os.path.join(folder, each) for each in os.listdir(folder) if each.lower() == name.lower()), path
        )

    def lstat(self, path: str) -> os.stat_result:
        return super().lstat(self._real(path))

    def stat(self, path: str) -> os.stat_result:
        return super().stat(self._real(path))

    def real_path(self, path: str) -> str:
        return super().real_path(self._real(path))


@pytest.mark.parametrize(("made", "codes"), [("Claude.md", {"name-case"}), ("CLAUDE.md", set())])
def test_a_folding_disk_reads_and_reports(tmp_path: Path, made: str, codes: set[str]) -> None:
    (tmp_path / made).write_text("- rule\n")
    setup = Setup(DiskFiles(FoldingDisk(), time.time_ns), (str(tmp_path),), Settings())
    brief = brief_from(setup, profile("claw"), str(tmp_path))
    assert [type(placed) for placed in brief.placements] == [Included]
    found = judge(setup, [str(tmp_path)])
    assert {finding.code for finding in found} - {"claw-code-differs"} == codes
    assert all(finding.path == str(tmp_path / "CLAUDE.md") for finding in found)
