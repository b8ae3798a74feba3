"""Only the room ``disk`` touches files, and only ``changes`` may rewrite or remove."""

from __future__ import annotations

import re

import pytest

from tests.house.sources import FEATURES, calls, imported, sources

FILE_CALL = re.compile(
    r"(?:^|\.)(?:open|fdopen|listdir|scandir|walk|stat|lstat|fstat|access|exists|lexists|isfile|isdir|islink|realpath|"
    r"rename|replace_file|remove|unlink|rmdir|makedirs|mkdir|symlink|link|chmod|utime|truncate|ftruncate|read_text|read_bytes|"
    r"write_text|write_bytes|iterdir|rglob|resolve|touch|mkstemp|mkdtemp|copyfile|copytree|rmtree|move_file)$"
)
OWN_DATA = {"agentbrief.messages.catalogue", "agentbrief.profiles.load", "agentbrief.tokens.estimator"}
OS_ROOTS = ("os.", "os.path.", "shutil.", "pathlib.", "io.", "tempfile.")


def is_file_call(name: str) -> bool:
    if name == "open":
        return True
    return name.startswith(OS_ROOTS) and bool(FILE_CALL.search(name))


def test_only_disk_touches_files() -> None:
    found = [
        f"{source.name}:{line} {name}"
        for source in sources(FEATURES)
        if source.room != "disk" and source.name not in OWN_DATA
        for name, line in calls(source)
        if is_file_call(name)
    ]
    assert found == []


def test_disk_touches_files_through_the_seam_alone() -> None:
    allowed = {"agentbrief.disk.seam", "agentbrief.disk.lock"}
    found = [
        f"{source.name}:{line} {name}"
        for source in sources(FEATURES)
        if source.room == "disk" and source.name not in allowed
        for name, line in calls(source)
        if is_file_call(name)
    ]
    assert found == []


REWRITING = (
    "agentbrief.disk.replace",
    "agentbrief.disk.remove",
    "agentbrief.disk.move",
    "agentbrief.disk.copy",
)


def test_only_changes_rewrites_or_removes() -> None:
    found = [
        f"{source.name} → {name}"
        for source in sources(FEATURES)
        if source.room not in ("disk", "changes")
        for name in imported(source)
        if name.startswith(REWRITING)
    ]
    assert found == []


@pytest.mark.parametrize("text", ["open('x')", "os.listdir('x')", "os.path.isdir('x')", "shutil.rmtree('x')"])
def test_the_rule_sees_a_planted_call(text: str) -> None:
    assert is_file_call(text.split("(")[0])
