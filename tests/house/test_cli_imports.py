"""No command but ``serve`` loads LSP code or asyncio."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from agentbrief_server.cli.parser import COMMANDS
from tests.house.sources import ROOT

SCRIPT = """
import sys, json
sys.path[:0] = {paths!r}
from agentbrief_server.cli import main
try:
    main({words!r})
except SystemExit:
    pass
sys.stderr.write("\\nLOADED " + json.dumps(sorted(sys.modules)))
"""
WORDS = {
    "check": ["check", "sample/workspace"],
    "brief": ["brief", "sample/workspace", "--prompt"],
    "compare": ["compare", "sample/workspace", "--agent", "claw", "--agent", "claw-code"],
    "context": ["context", "sample/workspace"],
    "tokens": ["tokens", "README.md"],
    "explain": ["explain", "file-over-limit"],
    "rules": ["rules", "--json"],
}


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "serve"])
def test_a_command_loads_no_lsp(name: str) -> None:
    paths = [str(ROOT / "server"), str(ROOT / "features")]
    script = SCRIPT.format(paths=paths, words=WORDS.get(name, [name, "--help"]))
    done = subprocess.run(
        [sys.executable, "-I", "-c", script], capture_output=True, text=True, cwd=ROOT, check=True
    )
    loaded = set(json.loads(done.stderr.rsplit("LOADED ", 1)[1]))
    tops = {module.split(".")[0] for module in loaded}
    assert tops.isdisjoint({"lsprotocol", "pygls", "cattrs", "watchdog"})
    assert "asyncio" not in tops
