"""The hook of the documentation, run as Claude Code would run it, writes a log that is read."""

from __future__ import annotations

import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

from agentbrief.oracle.log import read_log
from agentbrief.tasks.settings import parse
from tests.house.sources import ROOT
from tests.oracle.written import given, line

PAGE = (ROOT / "docs" / "oracle-log.md").read_text(encoding="utf-8")
BLOCKS: list[dict[str, Any]] = [
    json.loads(each) for each in re.findall(r"```json\n(.*?)```", PAGE, re.DOTALL)
]


def test_the_hook_of_the_page_writes_what_is_read(tmp_path: Path) -> None:
    hook = BLOCKS[0]["hooks"]["InstructionsLoaded"][0]["hooks"][0]
    assert hook["type"] == "command"
    (tmp_path / ".claude").mkdir()
    paths = [f"/w/{number}/CLAUDE.md" for number in range(3)]
    for path in paths:
        env = {"HOME": str(tmp_path), "PATH": os.environ["PATH"]}
        subprocess.run(["sh", "-c", hook["command"]], input=line(path), env=env, check=True)
    named = BLOCKS[1]["agentbrief.oracleLog"]
    data = (tmp_path / named.removeprefix("~/")).read_bytes()
    assert data.count(b"\n") == len(paths)
    found = read_log(data)
    assert [each.file_path for each in found.records] == paths
    assert found.damages == ()
    assert json.loads(data.split(b"\n")[0]) == given(paths[0])


def test_the_setting_of_the_page_is_one() -> None:
    name, value = next(iter(BLOCKS[1].items()))
    settings, warnings = parse({name.removeprefix("agentbrief."): value})
    assert warnings == ()
    assert settings.text("oracleLog") == value
