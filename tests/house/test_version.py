"""One version number everywhere."""

from __future__ import annotations

import json
import re

from agentbrief_server import __version__
from tests.house.sources import ROOT


def test_the_changelog_begins_with_it() -> None:
    match = re.search(r"^## (\S+)", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE)
    assert match is not None
    assert match[1] == __version__


def test_the_extension_has_it() -> None:
    manifest = ROOT / "vscode-extension" / "package.json"
    if manifest.exists():
        assert json.loads(manifest.read_text(encoding="utf-8"))["version"] == __version__
