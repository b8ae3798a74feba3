"""Makes a workspace and a home with sessions of every agent for the tests in VS Code: python -m tests.e2e.make_sessions DIR

Prints the two folders as JSON. The sessions were written in the last hours.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from tests.tasks.homes import HOUR_S, built

RULES = "# Project rules\n\n## Build\n\n- Run `make test` before each commit.\n"


def make(folder: Path) -> dict[str, str]:
    home = built(folder)
    (home.workspace / ".git").mkdir()
    (home.workspace / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (home.workspace / "CLAUDE.md").write_text(RULES, encoding="utf-8")
    damaged = home.claude.with_name("99999999-9999-4999-8999-999999999999.jsonl")
    whole = home.claude.read_bytes().split(b"\n")
    damaged.write_bytes(b"\n".join([*whole[:2], whole[2] + whole[3], b"\0" * 64, *whole[4:-1], b'{"type":"us']))
    for number, path in enumerate((home.claude, damaged, *home.all.values())):
        changed = time.time() - (number + 1) * HOUR_S / 4
        os.utime(path, (changed, changed))
    return {
        "workspace": str(home.workspace),
        "home": str(home.home),
        "claude": str(home.claude),
        "port": str(home.port),
        "damaged": str(damaged),
    }


if __name__ == "__main__":
    print(json.dumps(make(Path(sys.argv[1]))))
