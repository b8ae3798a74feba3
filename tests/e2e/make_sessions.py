"""Makes a workspace and a home with sessions of every agent for the tests in VS Code.

Use: python -m tests.e2e.make_sessions DIR

Prints the two folders as JSON. The sessions were written in the last hours.
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

from tests.maintenance.folders import DAY, HOUR
from tests.maintenance.real_folders import aged_store
from tests.server.compaction_editor import long_home
from tests.tasks.homes import HOUR_S

RULES = "# Project rules\n\n## Build\n\n- Run `make test` before each commit.\n"


def make(folder: Path) -> dict[str, str]:
    home = long_home(folder)
    now_ms = time.time_ns() // 1_000_000
    store = aged_store(home.home, now_ms, new=HOUR, old=40 * DAY, older=50 * DAY) / "sessions.json"
    entries = json.loads(store.read_text(encoding="utf-8"))
    entries["agent:main:main"] = {"sessionId": "oc-1", "updatedAt": now_ms - HOUR, "label": "Daily report"}
    store.write_text(json.dumps(entries, indent=1), encoding="utf-8")
    (home.workspace / ".git" / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    (home.workspace / "CLAUDE.md").write_text(RULES, encoding="utf-8")
    damaged = home.claude.with_name("99999999-9999-4999-8999-999999999999.jsonl")
    whole = home.claude.read_bytes().split(b"\n")
    damaged.write_bytes(
        b"\n".join([*whole[:2], whole[2] + whole[3], b"\0" * 64, *whole[4:-1], b'{"type":"us'])
    )
    for number, path in enumerate((home.claude, damaged, *home.all.values())):
        changed = time.time() - (number + 1) * HOUR_S / 4
        os.utime(path, (changed, changed))
    return {
        "workspace": str(home.workspace),
        "home": str(home.home),
        "claude": str(home.claude),
        "port": str(home.port),
        "claw": str(home.claw),
        "store": str(home.openclaw.parent),
        "damaged": str(damaged),
    }


if __name__ == "__main__":
    sys.stdout.write(json.dumps(make(Path(sys.argv[1]))) + "\n")
