"""Features know nothing of LSP, of the server, of asyncio or of threads; every module loads by itself."""

from __future__ import annotations

import json
import subprocess
import sys

from tests.house.sources import FEATURES, ROOT, SERVER, imported, sources

BANNED = ("pygls", "lsprotocol", "watchdog", "asyncio", "agentbrief_server", "threading", "concurrent")


def test_features_import_nothing_of_the_server() -> None:
    found = [
        (source.name, name)
        for source in sources(FEATURES)
        for name in imported(source)
        if name.split(".")[0] in BANNED
    ]
    assert found == []


def loaded_after(modules: list[str]) -> set[str]:
    """What a fresh interpreter has loaded after importing ``modules``."""
    script = (
        "import sys, json, importlib\n"
        f"sys.path[:0] = {[str(ROOT / 'server'), str(ROOT / 'features')]!r}\n"
        f"for name in {modules!r}: importlib.import_module(name)\n"
        "print(json.dumps(sorted(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=True)
    return set(json.loads(done.stdout))


def test_every_feature_module_loads_without_them() -> None:
    loaded = loaded_after([source.name for source in sources(FEATURES)])
    # filelock brings asyncio in by itself; what counts is that no module of ours asks for it.
    lock_only = loaded_after(["agentbrief.disk.lock"]) if (FEATURES / "disk" / "lock.py").exists() else set()
    tops = {name.split(".")[0] for name in loaded - lock_only}
    assert tops.isdisjoint({"pygls", "lsprotocol", "watchdog", "asyncio", "agentbrief_server"})


def test_every_server_module_loads() -> None:
    names = [source.name for source in sources(SERVER) if not source.name.endswith("__main__")]
    assert "agentbrief_server" in loaded_after(names)
