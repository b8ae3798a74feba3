"""A real tokenizer is asked if one is installed, on first use, and nothing is fetched for it."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import json, sys
seen = []
watched = ("socket.", "subprocess", "os.exec", "ctypes")
sys.addaudithook(lambda event, args: seen.append(event) if event.startswith(watched) else None)
from agentbrief.tokens import estimate, exact, parity
estimate("text"), parity("text", "characters-4", "pi")
before = [name for name in ("rs_bpe", "importlib.metadata") if name in sys.modules]
found = [exact(text, reference) for text, reference in json.loads(sys.argv[1])]
rows = [each and [each.mode, each.reference, each.tokens] for each in found]
sys.stdout.write(json.dumps([before, rows, seen]))
"""


def run(
    asked: list[tuple[str, str]], *first_on_path: Path
) -> tuple[list[str], list[list[object] | None], list[str]]:
    folders = [*map(str, first_on_path), *(path for path in sys.path if path)]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(folders), "PYTHONUTF8": "1"}
    command = [sys.executable, "-c", PROGRAM, json.dumps(asked)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    before, found, events = json.loads(done.stdout)
    return before, found, events


def install(folder: Path, code: str, **names: str) -> None:
    """Lay out a package that offers tokenizers, as pip would."""
    (folder / "counting.py").write_text(code)
    metadata = folder / "counting-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: counting\nVersion: 1.0\n")
    lines = "".join(f"{name} = {target}\n" for name, target in names.items())
    (metadata / "entry_points.txt").write_text(f"[agentbrief.tokenizers]\n{lines}")


def test_nothing_is_loaded_before_it_is_asked_for() -> None:
    before, _, events = run([("a", "o200k")])
    assert before == []
    assert events == []


def test_a_reference_that_nobody_counts() -> None:
    assert run([("a", "claude2"), ("a", "nonsense")])[1] == [None, None]


@pytest.mark.skipif(importlib.util.find_spec("rs_bpe") is None, reason="the extra exact is not installed")
def test_rs_bpe() -> None:
    asked = [
        ("hello world", "o200k"),
        ("hello world", "cl100k"),
        ("", "o200k"),
        ("a\ud83cb", "o200k"),
        ("x", "claude2"),
    ]
    _, found, events = run(asked)
    assert found[:3] == [["exact", "o200k", 2], ["exact", "cl100k", 2], ["exact", "o200k", 0]]
    assert found[3] is not None
    assert found[4] is None
    assert events == []


@pytest.mark.skipif(importlib.util.find_spec("rs_bpe") is not None, reason="the extra exact is installed")
def test_without_the_extra() -> None:
    assert run([("hello world", "o200k")])[1] == [None]


def test_a_tokenizer_of_another_package(tmp_path: Path) -> None:
    install(
        tmp_path, "def count(text): return len(text.split())\n", o200k="counting:count", own="counting:count"
    )
    asked = [("a b c", "o200k"), ("a b", "own"), ("\ud83c b", "own")]
    assert run(asked, tmp_path)[1] == [["exact", "o200k", 3], ["exact", "own", 2], ["exact", "own", 2]]


@pytest.mark.parametrize("code", ["raise RuntimeError", "def count(text): raise RuntimeError\n", "x = 1\n"])
def test_a_tokenizer_that_fails(code: str, tmp_path: Path) -> None:
    install(tmp_path, code, own="counting:count")
    assert run([("a b", "own")], tmp_path)[1] == [None]
