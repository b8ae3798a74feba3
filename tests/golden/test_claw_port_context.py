"""The eight fields of PortContext and the port manifest, as recorded and as profile ``claw`` differs."""

from __future__ import annotations

import os
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from agentbrief.disk.seam import FS
from agentbrief.profiles.load import profile
from agentbrief.profiles.profile import PortContextData
from agentbrief.workspace import port_manifest, render_context, survey
from tests.golden.claw_cases import Case, cases


def rules_of(case: Case) -> PortContextData:
    rules = profile(case.profile).port_context
    assert rules is not None
    options = case.input.get("options") or {}
    if "exclude" in options:
        rules = replace(rules, exclude=tuple(options["exclude"]))
    given: dict[str, str] = options.get("roots") or {}
    roots: dict[str, Any] = {"source" if name == "src" else name: path for name, path in given.items()}
    return replace(rules, **roots)


def build(base: Path, given: dict[str, Any]) -> None:
    for folder in given.get("dirs", ()):
        (base / folder).mkdir(parents=True, exist_ok=True)
    for file in given.get("files", ()):
        (base / file).parent.mkdir(parents=True, exist_ok=True)
        (base / file).write_text("x")
    for link, target in given.get("links", ()):
        (base / link).parent.mkdir(parents=True, exist_ok=True)
        (base / link).symlink_to(target)


@pytest.mark.parametrize("case", cases("port_context"), ids=str)
def test_port_context(case: Case, tmp_path: Path) -> None:
    base = tmp_path / case.id
    build(base, case.input)
    context = survey(FS(), str(base), rules_of(case)).context
    wanted = case.wanted["ok"]
    root = str(tmp_path)
    got = {
        key: value.replace(root, "<ROOT>").replace(os.sep, "/") if isinstance(value, str) else value
        for key, value in asdict(context).items()
    }
    assert got == wanted["context"]
    assert render_context(context).replace(root, "<ROOT>").replace(os.sep, "/") == wanted["rendered"]


@pytest.mark.parametrize("case", cases("port_manifest"), ids=str)
def test_port_manifest(case: Case, tmp_path: Path) -> None:
    build(tmp_path / "src", case.input)
    manifest = port_manifest(FS(), str(tmp_path / "src"))
    wanted = case.wanted["ok"]
    assert manifest.total == wanted["total"]
    assert [asdict(module) for module in manifest.modules] == wanted["modules"]
