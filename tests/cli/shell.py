"""The real command in a process of its own."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


def run(*words: str, cwd: Path, home: Path | None = None, given: bytes = b"", **environment: str) -> Done:
    """Run ``agentbrief`` in ``cwd`` with a home of its own."""
    home = home or cwd.parent / "home"
    home.mkdir(exist_ok=True)
    paths = [str(ROOT / "server"), str(ROOT / "features")]
    env = {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "PYTHONPATH": os.pathsep.join(paths),
        "LANG": "C.UTF-8",
        **environment,
    }
    done = subprocess.run(
        [sys.executable, "-m", "agentbrief_server", *words],
        cwd=cwd,
        env=env,
        input=given,
        capture_output=True,
        check=False,
        timeout=60,
    )
    return Done(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))
