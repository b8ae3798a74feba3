"""Discovery, duplicates, budget, cut and rendering, as recorded from claw-code and as profile ``claw`` must
differ.
"""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path
from typing import Any

import pytest

from agentbrief.brief import Brief, Entry, Limits, place
from agentbrief.disk.files import DiskFiles
from agentbrief.disk.seam import FS
from agentbrief.instructions import Place, find
from agentbrief.profiles.load import profile
from agentbrief.prompt import PromptFacts, assemble, rendered
from agentbrief.report.record import brief_record
from tests.golden.claw_cases import Case, build_tree, cases


class Unreadable(FS):
    """Refuses to open files of mode 000, as the system does for an ordinary user."""

    def open_read(self, path: str) -> int:
        if os.stat(path).st_mode & 0o777 == 0:
            raise PermissionError(errno.EACCES, "Permission denied", path)
        return super().open_read(path)


def brief_of(case: Case, root: Path) -> Brief:
    agent = profile(case.profile)
    given = case.input
    tools = given.get("rules_import")
    selected = (
        {None: None, "auto": None, "none": ()}.get(tools)
        if not isinstance(tools, list)
        else tuple(tool.lower() for tool in tools)
    )
    bound = given.get("bound", "workspace")
    workspace = os.path.normpath(root / given.get("workspace", "."))
    start = f"{root}/{given['cwd']}" if given["cwd"] != "." else str(root)
    look = Place(
        start,
        (workspace,) if bound != "root" else (),
        bound,
        top=str(root) if bound == "root" else os.sep,
        tools=selected,
    )
    found = find(agent, look, DiskFiles(Unreadable(), time.time_ns))
    limits = Limits(*(limit.max for scope in ("file", "total") if (limit := agent.limit(scope))))
    return place(agent, found, limits)


def platform_of(case: Case) -> str | None:
    """System and version in one text, as claw-code joins them, a missing part as its word for that."""
    parts = [case.input["prompt"].get(key) for key in ("os", "os_version")]
    is_stated = any(parts) or case.profile == "claw-code"
    return " ".join(part or "unknown" for part in parts) if is_stated else None


def in_root(value: Any, root: Path) -> Any:
    if isinstance(value, str):
        return value.replace(str(root), "<ROOT>")
    if isinstance(value, dict):
        return {key: in_root(item, root) for key, item in value.items()}
    return [in_root(item, root) for item in value] if isinstance(value, list) else value


@pytest.mark.parametrize("case", cases("instructions", "discover"), ids=str)
def test_discovery(case: Case, tmp_path: Path) -> None:
    root = tmp_path / "r"
    root.mkdir()
    build_tree(root, case.input["tree"])
    brief = brief_of(case, root)
    agent = profile(case.profile)
    if "error" in case.wanted:
        assert brief.aborted is not None
        return
    wanted = case.wanted["ok"]
    record = in_root(brief_record(agent, brief), root)
    for got, expected in zip(record["files"], wanted["files"], strict=True):
        wanted_keys = expected.keys() - ({"source"} if case.profile == "claw" else set())
        assert {key: got.get(key) for key in wanted_keys} == {key: expected[key] for key in wanted_keys}
    assert record["rendered"] == wanted["rendered"]
    if "sections" in wanted:
        facts = case.input["prompt"]
        prompt = assemble(
            agent,
            brief,
            PromptFacts(
                facts.get("model_family"),
                brief.start,
                facts.get("date"),
                platform_of(case),
            ),
        )
        lines = ["<intro paragraph>", *(section.first_line for section in prompt.sections[1:])]
        assert lines == wanted["section_first_lines"]
        texts = [section.text for section in prompt.sections]
        assert in_root(texts[lines.index("__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__") :], root) == wanted["sections"]
    for key in ("skipped", "above"):
        if key in case.extra:
            got = record[key]
            if key == "skipped":
                got = [
                    {name: each.get(name) for name in wanted_one}
                    for each, wanted_one in zip(got, case.extra[key], strict=True)
                ]
            assert got == case.extra[key]


@pytest.mark.parametrize("case", cases("truncate"), ids=str)
def test_truncate(case: Case) -> None:
    from agentbrief.brief.cut import CUTS
    from agentbrief.text.whitespace import trim

    agent = profile(case.profile)
    assert agent.rendering is not None
    wanted = case.wanted["ok"]
    remaining = case.input["remaining"]
    text = trim(case.input["content"])
    if wanted.get("omitted"):
        assert remaining == 0 or not text
        return
    file_limit = agent.limit("file")
    assert file_limit is not None
    printed = CUTS[agent.rendering.cut](text, file_limit.max, remaining, agent.rendering.marker).printed
    assert printed == wanted["rendered"]
    assert len(printed) == wanted["rendered_chars"]


@pytest.mark.parametrize("case", cases("normalize"), ids=str)
def test_normalize(case: Case) -> None:
    from agentbrief.text.whitespace import collapse

    assert collapse(case.input["content"]) == case.wanted["ok"]


def test_source_map_covers_what_is_sent(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "CLAUDE.md").write_text("  outer rules é 🚀\n")
    (tmp_path / "sub/CLAUDE.md").write_text("x" * 4100)
    case = Case("", "claw", "", {"cwd": "sub"}, None, {})
    brief = brief_of(case, tmp_path)
    section = rendered(profile("claw"), brief)
    assert section is not None
    files = {entry.file.path: entry.file.text for entry in brief.entries if isinstance(entry, Entry)}
    assert [part.path for part in section.parts] == list(files)
    for part in section.parts:
        assert (
            section.text[part.span.start : part.span.end]
            == files[part.path][part.source.start : part.source.end]
        )
