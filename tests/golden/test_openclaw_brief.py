"""The engine of instruction files gives what OpenClaw's own loader gives, for each bootstrap case."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agentbrief.brief import CutAt, Limits, place
from agentbrief.disk.look import Looked
from agentbrief.disk.read import Roots
from agentbrief.disk.values import FileTail, FileText, ReadProblem, Stamp
from agentbrief.instructions import Place, find
from agentbrief.profiles.load import profile
from agentbrief.profiles.openclaw_data import for_version
from agentbrief.prompt import rendered
from agentbrief.tasks.openclaw_profile import openclaw_profile
from tests.data_folders import long_text
from tests.golden.openclaw_cases import Case, cases, file_text

BASE = profile("openclaw")
ROOT = "/srv/workspace/demo"


class Workspace:
    """The files of a case at the place where they were recorded."""

    def __init__(self, files: dict[str, Any]) -> None:
        objects = {name: content for name, content in files.items() if isinstance(content, dict)}
        self.folders = {name for name, content in objects.items() if "dir" in content}
        self.links = {name for name, content in objects.items() if "symlink" in content}
        others = self.folders | self.links
        self.texts = {name: file_text(content) for name, content in files.items() if name not in others}

    def read(self, path: str, roots: Roots) -> FileText | ReadProblem | None:
        name = path.removeprefix(f"{ROOT}/")
        if name in self.folders:
            return ReadProblem(path, "not-a-file")
        if name in self.links:
            return ReadProblem(path, "outside-roots")
        if name not in self.texts:
            return None
        text = self.texts[name]
        return FileText(path, path, text, Stamp(1, len(name), len(text.encode("utf-8", "surrogatepass")), 1))

    def names(self, folder: str) -> frozenset[str] | None:
        return frozenset((*self.texts, *self.folders, *self.links)) if folder == ROOT else frozenset()

    def exists(self, path: str) -> bool:
        return path.removeprefix(f"{ROOT}/") in (self.names(ROOT) or ())

    def is_folder(self, path: str) -> bool | None:
        if path == ROOT:
            return True
        name = path.removeprefix(f"{ROOT}/")
        return True if name in self.folders else False if name in (self.names(ROOT) or ()) else None

    def forget(self) -> None: ...

    def look(self, path: str) -> Looked:
        raise NotImplementedError(path)

    def tail(self, path: str, roots: Roots, max_bytes: int) -> FileTail | ReadProblem | None:
        raise NotImplementedError(path)

    def roots(self, folders: tuple[str, ...]) -> Roots:
        return frozenset(folders)

    def glance(self) -> Workspace:
        return self

    def remembered(self, key: object, conclude: Callable[[Any], Any], holds: object = None) -> Any:
        return conclude(self)


def test_the_newest_version_stands_in_the_data() -> None:
    assert BASE.openclaw is not None
    newest = for_version(BASE.openclaw.context_files, None)
    assert [limit.max for limit in BASE.limits] == [newest.max_file_chars, newest.max_total_chars]
    listed = [file.name for layer in BASE.layers for file in layer.files]
    assert listed == [*newest.names, *newest.memory]


def is_main_run(case: Case) -> bool:
    """Whether the case is a usual run of the main session: the names are those of the workspace."""
    key = case.input.get("sessionKey") or ""
    return "contextMode" not in case.input and not any(word in key for word in ("subagent:", "cron:"))


def runs() -> list[tuple[Case, str]]:
    return [
        (case, version)
        for case in cases("workspace", {"bootstrap"})
        if is_main_run(case)
        for version in case.record["expected"]
        if version != "ours"
    ]


@pytest.mark.parametrize(("case", "version"), runs(), ids=lambda each: str(each))
def test_the_brief_says_what_the_loader_sends(case: Case, version: str) -> None:
    agent = openclaw_profile(case.input.get("config") or {}, version)
    limits = Limits(*(limit.max for limit in agent.limits))
    brief = place(agent, find(agent, Place(ROOT, (ROOT,)), Workspace(case.input["files"])), limits)
    wanted = long_text(case.record["expected"][version])
    printed = {entry.file.path: entry.printed for entry in brief.entries}
    printed |= {marker.path: marker.printed for marker in brief.markers}
    assert printed == {each["path"]: each["content"] for each in wanted["context"]}
    cut = {placed.file.name for placed in brief.placements if isinstance(placed, CutAt)}
    assert cut == {each["name"] for each in wanted["cut"] if "name" in each}
    section = rendered(agent, brief)
    assert section is not None
    for part in section.parts:
        there = {entry.file.path: entry.file.text for entry in brief.entries}[part.path]
        copied = section.text[part.span.start : part.span.end]
        assert copied == there[part.source.start : part.source.end]
