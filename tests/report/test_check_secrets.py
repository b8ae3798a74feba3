"""What is printed of findings never holds a secret, wherever a finding begins."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from agentbrief.disk.files import DiskFiles
from agentbrief.disk.seam import FS
from agentbrief.jsonio import dumps
from agentbrief.report.check_formats import as_github, as_json, as_sarif, as_text
from agentbrief.report.located import located
from agentbrief.tasks.judge import judge
from agentbrief.tasks.settings import parse
from agentbrief.tasks.setup import Setup
from tests.redact.secret_cases import SECRETS, cases, leaks, secret_of, whole_of


def printed(text: str, folder: Path, per_file: int) -> str:
    """The findings on a file with ``text``, in every format."""
    root = os.path.realpath(folder)
    path = os.path.join(root, "CLAUDE.md")
    Path(path).write_text(text, encoding="utf-8", newline="")
    given, _ = parse({"limits": {"perFile": per_file, "total": 1_000_000}})
    texts = {path: text}
    found = located(judge(Setup(DiskFiles(FS(), time.time_ns), (root,), given), [root]), texts, "en")
    shown = [
        *as_text(found, texts, root, colour=False),
        *as_github(found, root),
        dumps(as_json(found, texts, 1, (), "en")).decode(),
        dumps(as_sarif(found, "0")).decode(),
    ]
    return "\n".join(shown)


def test_every_secret_in_every_context(tmp_path: Path) -> None:
    found = cases()
    shown = printed("".join(f"{case.text}\n" for case in found), tmp_path, 1_000_000)
    assert "secret-in-instructions" in shown
    assert [case.name for case in found if leaks(case.secret, shown)] == []


@pytest.mark.parametrize("kind", ["github-token", "password-value", "url-password", "bearer-token", "jwt"])
def test_a_finding_that_begins_in_the_middle_of_one(kind: str, tmp_path: Path) -> None:
    record = next(each for each in SECRETS if each["kind"] == kind)
    line = f"use {whole_of(record)} here\n"
    for at in range(1, len(line) - 8, 3):
        shown = printed(line, tmp_path, at)
        assert "file-over-limit" in shown
        assert leaks(secret_of(record), shown) == []


def test_the_mark_is_as_wide_as_what_is_shown(tmp_path: Path) -> None:
    record = next(each for each in SECRETS if each["kind"] == "github-token")
    shown = printed(f"\tpush with `{whole_of(record)}` only\n", tmp_path, 1_000_000)
    assert " 1 |  push with `ghp_FA…KEx0` only\n   |             ^^^^^^^^^^^\n" in shown
