"""No command but ``serve`` loads LSP code or asyncio, and one on a single session only its format."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

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
CLAUDE = '{"type":"user","uuid":"u1","sessionId":"s1","message":{"role":"user","content":"hello"}}'
CODEX = '{"timestamp":"2026-01-01T00:00:00Z","type":"session_meta","payload":{"id":"s1","cwd":"/w"}}'
WORDS = {
    "check": ["check", "sample/workspace"],
    "brief": ["brief", "sample/workspace", "--prompt"],
    "compare": ["compare", "sample/workspace", "--agent", "claw", "--agent", "claw-code"],
    "context": ["context", "sample/workspace"],
    "tokens": ["tokens", "README.md"],
    "explain": ["explain", "file-over-limit"],
    "rules": ["rules", "--json"],
}


def loaded_by(words: list[str]) -> set[str]:
    """What a fresh interpreter has loaded after running ``words``."""
    script = SCRIPT.format(paths=[str(ROOT / "server"), str(ROOT / "features")], words=words)
    done = subprocess.run(
        [sys.executable, "-I", "-c", script], capture_output=True, text=True, cwd=ROOT, check=True
    )
    return set(json.loads(done.stderr.rsplit("LOADED ", 1)[1]))


@pytest.mark.parametrize("name", [name for name in COMMANDS if name != "serve"])
def test_a_command_loads_no_lsp(name: str) -> None:
    tops = {module.split(".")[0] for module in loaded_by(WORDS.get(name, [name, "--help"]))}
    assert tops.isdisjoint({"lsprotocol", "pygls", "cattrs", "watchdog"})
    assert "asyncio" not in tops


@pytest.mark.parametrize(("form", "line"), [("claude", CLAUDE), ("codex", CODEX)])
def test_the_history_of_a_file_loads_its_format_alone(form: str, line: str, tmp_path: Path) -> None:
    path = tmp_path / "one.jsonl"
    path.write_text(line + "\n")
    loaded = loaded_by(["sessions", "history", str(path), "--workspace", str(tmp_path)])
    modules = {name.rpartition(".")[2] for name in loaded if name.startswith("agentbrief.sessions.formats.")}
    # Every format takes its records' names from codex_records to tell that a file is none of Codex's.
    assert {name.partition("_")[0] for name in modules - {"codex_records", "claw_store"}} == {form}
    assert loaded.isdisjoint({"agentbrief.brief", "agentbrief.sessions.pi", "agentbrief.rules.registry"})
