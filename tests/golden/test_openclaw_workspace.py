"""What is sent of the files in an OpenClaw workspace: at the start of a run, and after a compaction."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agentbrief.brief.context_analysis import analyse_context
from agentbrief.brief.context_files import (
    ContextBudget,
    context_budget,
    context_limits,
    context_names,
    read_context_files,
)
from agentbrief.compaction.openclaw.reinjection import PARAGRAPH, reinjection
from agentbrief.compaction.openclaw.settings import choices
from agentbrief.disk.files import DiskFiles, Files
from agentbrief.disk.look import Looked
from agentbrief.disk.read import Roots
from agentbrief.disk.seam import FS
from agentbrief.disk.values import FileTail, FileText, ReadProblem, Stamp
from agentbrief.profiles.openclaw_data import for_version
from agentbrief.sessions.store.keys import is_cron, is_subagent
from agentbrief.text import utf16
from tests.data_folders import long_text
from tests.golden.openclaw_cases import Case, assert_matches, build, cases, file_text, openclaw_data

WORKSPACE = "/srv/workspace/demo"
DATA = openclaw_data()


class Given:
    """The files of a case, as if they lay in the workspace."""

    def __init__(self, texts: dict[str, str]) -> None:
        self._texts = texts

    def read(self, path: str, roots: Roots) -> FileText | ReadProblem | None:
        text = self._texts.get(path.removeprefix(WORKSPACE + "/"))
        if text is None:
            return None
        return FileText(path, path, text, Stamp(0, 0, len(text.encode("utf-8")), 0))

    def names(self, folder: str) -> frozenset[str]:
        return frozenset(self._texts)

    def exists(self, path: str) -> bool:
        return path.removeprefix(WORKSPACE + "/") in self._texts

    def is_folder(self, path: str) -> bool | None:
        return False if self.exists(path) else None

    def look(self, path: str) -> Looked:
        raise NotImplementedError(path)

    def tail(self, path: str, roots: Roots, max_bytes: int) -> FileTail | ReadProblem | None:
        raise NotImplementedError(path)

    def roots(self, folders: tuple[str, ...]) -> Roots:
        return frozenset(folders)

    def forget(self) -> None:
        """Nothing is remembered."""

    def glance(self) -> Files:
        return self

    def remembered(
        self, key: object, conclude: Callable[[Files], Any], holds: Callable[[Any], bool] = bool
    ) -> Any:
        return conclude(self)


def workspace(case: Case, tmp_path: Path) -> tuple[Files, str]:
    """The files and their folder: a real one where a link or a folder is among them."""
    given = case.input["files"]
    if any(isinstance(content, dict) and {"symlink", "dir"} & set(content) for content in given.values()):
        build(tmp_path, given)
        return DiskFiles(FS(), lambda: 0), str(tmp_path)
    return Given({name: file_text(content) for name, content in given.items()}), WORKSPACE


def versions(case: Case) -> list[tuple[str, Any]]:
    """Each version of a case with what it wants; what we give instead stands under the same version."""
    expected = case.record["expected"]
    found = {version: value for version, value in expected.items() if version[0] == "2"}
    if "ours" in expected:
        by_version = isinstance(expected["ours"], dict) and all(name[0] == "2" for name in expected["ours"])
        found |= expected["ours"] if by_version else dict.fromkeys(found, expected["ours"])
    return [(version, long_text(value)) for version, value in found.items()]


@pytest.mark.parametrize("case", cases("workspace", {"refresh"}), ids=str)
def test_what_is_shown_again_after_a_compaction(case: Case, tmp_path: Path) -> None:
    files, folder = workspace(case, tmp_path)
    read = files.read(f"{folder}/AGENTS.md", files.roots((folder,)))
    text = read.text if isinstance(read, FileText) else None

    def refresh(version: str, config: dict[str, Any]) -> str | None:
        if text is None:
            return None
        data = for_version(DATA.reinjection, version)
        found = reinjection(
            text,
            data,
            now_ms=case.now,
            host_zone=ZoneInfo(case.tz),
            config=config,
            sections=choices(config, DATA.compaction).sections,
        )
        return found.text if found else None

    for version, wanted in versions(case):
        assert_matches(refresh(version, case.input.get("config") or {}), wanted, {"paragraph": PARAGRAPH})
    for variant in case.record["expected"].get("variants", ()):
        found = refresh(variant["version"], configured(case.input.get("config") or {}, variant))
        assert_matches(found, long_text(variant["text"]), {"paragraph": PARAGRAPH})


def configured(config: dict[str, Any], variant: dict[str, Any]) -> dict[str, Any]:
    """``config`` with the settings of a variant: the sections, or the longest text that is shown."""
    defaults = dict((variant.get("config") or config).get("agents", {}).get("defaults", {}))
    if "postCompactionSections" in variant:
        sections = {"postCompactionSections": variant["postCompactionSections"]}
        defaults["compaction"] = {**defaults.get("compaction", {}), **sections}
    limits = dict(variant.get("contextLimits", {}))
    for name in ("postCompactionMaxChars", "maxChars"):
        if name in variant:
            limits["postCompactionMaxChars"] = variant[name]
    if limits:
        defaults["contextLimits"] = {**defaults.get("contextLimits", {}), **limits}
    return {**config, "agents": {"defaults": defaults}}


def shown(budget: ContextBudget, spelled: Callable[[str], str]) -> dict[str, Any]:
    cut: list[dict[str, Any]] = [
        {"name": sent.file.name, "chars": sent.raw_chars, "limit": sent.limit}
        for sent in budget.files
        if sent.result == "cut"
    ]
    if budget.stopped_with is not None:
        cut.append({"remaining": budget.stopped_with})
    return {
        "names": [
            {
                "name": sent.file.name,
                "missing": sent.file.text is None,
                "chars": utf16.length(sent.file.text or ""),
            }
            for sent in budget.files
        ],
        "context": [
            {
                "path": spelled(sent.file.path),
                "content": spelled(sent.sent),
                "chars": utf16.length(spelled(sent.sent)),
            }
            for sent in budget.files
            if sent.sent is not None
        ],
        "cut": cut,
    }


@pytest.mark.parametrize("case", cases("workspace", {"bootstrap"}), ids=str)
def test_what_a_run_begins_with(case: Case, tmp_path: Path) -> None:
    files, folder = workspace(case, tmp_path)
    key = case.input.get("sessionKey") or "agent:main:main"
    config = case.input.get("config") or {}
    for version, wanted in versions(case):
        data = for_version(DATA.context_files, version)
        names = context_names(
            data,
            small=is_subagent(key) or is_cron(key),
            mode=case.input.get("contextMode", "full"),
            is_heartbeat=case.input.get("runKind") == "heartbeat",
        )
        limits = context_limits(config.get("agents", {}).get("defaults", {}), data)
        budget = context_budget(read_context_files(files, folder, names, data), limits, data)

        def spelled(text: str) -> str:
            return text.replace(folder, WORKSPACE)

        assert shown(budget, spelled) == {name: value for name, value in wanted.items() if name != "analysis"}
        if "analysis" in wanted:
            record = analyse_context(budget, data).record()
            if folder == WORKSPACE:
                assert record == wanted["analysis"]
