"""What the one status item says while a folder is still being read."""

from __future__ import annotations

import time
from pathlib import Path

from agentbrief.disk.files import DiskFiles
from agentbrief.disk.seam import FS
from agentbrief.profiles.load import profile
from agentbrief.report.status import Status, item_numbers, status_of
from agentbrief.rules.finding import Finding
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.setup import Setup, brief_from
from agentbrief.text.span import Span

CLAW = profile("claw")


def status(folder: Path, *findings: Finding, working: bool = False) -> Status:
    setup = Setup(DiskFiles(FS(), time.time_ns).glance(), (str(folder),), Settings())
    return status_of(CLAW, brief_from(setup, CLAW, str(folder)), findings, "en", working=working)


def test_a_folder_without_files_shows_nothing_while_it_is_read(tmp_path: Path) -> None:
    assert status(tmp_path, working=True).text == ""
    (tmp_path / "CLAUDE.md").write_text("# Rules\n", encoding="utf-8")
    assert status(tmp_path, working=True).text == "$(sync~spin) 7/12k"
    assert status(tmp_path).text == "$(book) 7/12k"


def test_hidden_text_is_found_by_the_path_from_the_folder(tmp_path: Path) -> None:
    path = str(tmp_path / "web" / "CLAUDE.md")
    found = Finding("hidden-text", path, Span(0, 1), "error", "hidden-text", "claw")
    shown = status(tmp_path, found)
    assert shown.state == "hidden-text"
    assert shown.label == "Hidden text found in web/CLAUDE.md"


def test_the_numbers_are_written_as_the_user_wants(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("x" * 3000, encoding="utf-8")
    setup = Setup(DiskFiles(FS(), time.time_ns).glance(), (str(tmp_path),), Settings())
    brief = brief_from(setup, CLAW, str(tmp_path))
    form = "{agent}: {chars} of {charsMax}, {pct}, {files} file, {tokens} {unknown}"
    assert item_numbers(form, CLAW, brief, "~82k") == "Claw: 3k of 12k, 25%, 1 file, ~82k {unknown}"
    assert status_of(CLAW, brief, (), "en", form="{pct}").text == "$(book) 25%"
    assert status_of(CLAW, brief, (), "en").text == "$(book) 3k/12k"
