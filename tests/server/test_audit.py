"""The audit that all server tests run under sees what it must see."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

AUDIT = Path(__file__).parents[1] / "audit"


@pytest.mark.parametrize(
    ("code", "seen"),
    [
        ("import subprocess; subprocess.run(['true'])", "subprocess.Popen"),
        ("import socket; socket.socket().connect_ex(('127.0.0.1', 9))", "socket.connect"),
        ("open('made', 'w').close()", "open for writing"),
        ("import os; os.mkdir('folder')", "os.mkdir"),
        ("open('allowed/made', 'w').close()", ""),
        ("open('present').read()", ""),
    ],
)
def test_the_audit_sees(tmp_path: Path, code: str, seen: str) -> None:
    (tmp_path / "present").write_text("x")
    (tmp_path / "allowed").mkdir()
    audit = tmp_path / "audit.txt"
    env = {
        "PYTHONPATH": str(AUDIT),
        "AUDIT_FILE": str(audit),
        "AUDIT_MAY_WRITE": str(tmp_path / "allowed"),
        "PATH": os.environ["PATH"],
    }
    subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=env, check=False)
    told = audit.read_text() if audit.exists() else ""
    assert (seen in told) if seen else not told
