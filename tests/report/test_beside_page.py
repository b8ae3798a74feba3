"""The log of a hook beside briefs, as a person reads it: sentences that name both, and a stranger's text that
stays quiet.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import get_args

import pytest
from markdown_it import MarkdownIt

from agentbrief.brief import Brief
from agentbrief.brief.placement import Charge, CutAt, Included, Limits, Omitted
from agentbrief.disk.values import Stamp
from agentbrief.instructions import InstructionFile
from agentbrief.messages import LOCALES
from agentbrief.oracle.beside import Beside, BesideRow, Problem, Session
from agentbrief.oracle.log import Loaded, LogDamage, Reason
from agentbrief.profiles.load import profile
from agentbrief.report.beside_page import MOST_ROWS, beside_lines, beside_section
from agentbrief.report.beside_record import beside_record
from agentbrief.text.span import Span

CLAW, CODE = profile("claw"), profile("claw-code")
HOME = "/home/kim"
ROOT = f"{HOME}/shop"
LOG = f"{HOME}/hook.jsonl"
HOSTILE = (
    "/x/[a](http://evil.example)|<img src=x>`code`\n# Heading\n\n* item\x1b[2J\x1b]0;title\x07\x9b31m\r"
    "\u202egpj.md"
)
SECRET = "ghp_" + "a1B2c3D4e5" * 4


def file(name: str, rank: int = 0) -> InstructionFile:
    path = f"{ROOT}/{name}"
    return InstructionFile(path, path, name, ROOT, "project", 0, rank, "text", Stamp(1, rank + 1, 4, 0))


def brief(profile_id: str = "claw") -> Brief:
    charge = Charge(100, 4, 50)
    return Brief(
        profile_id,
        ROOT,
        (ROOT,),
        (
            Included(file("CLAUDE.md"), "", Span(0, 4), "text", charge),
            CutAt(file("CLAUDE.local.md", 1), "", Span(0, 2), "te", charge, "file", 2),
            Omitted(file("AGENTS.md", 2), "budget"),
        ),
        Limits(50, 100),
    )


def row(name: str, *loads: Loaded, sent: Sequence[bool] = (True,)) -> BesideRow:
    return BesideRow(name if name.startswith("/") else f"{ROOT}/{name}", loads, tuple(sent))


def loaded(reason: str = "session_start", **more: object) -> Loaded:
    return Loaded("/ignored", "Project", reason, **more)  # type: ignore[arg-type]


def beside(*rows: BesideRow, session_id: str | None = "s1", **more: object) -> Beside:
    return Beside(LOG, ROOT, session=Session(session_id, ()), rows=rows, **more)  # type: ignore[arg-type]


def page(found: Beside, locale: str = "en") -> str:
    return beside_section(found, [(CLAW, brief())], locale, HOME)


def test_the_section() -> None:
    shown = page(
        beside(
            row("CLAUDE.md", loaded(), loaded("compact"), loaded("compact")),
            row("CLAUDE.local.md"),
            row("AGENTS.md", loaded("include", parent_file_path=f"{ROOT}/CLAUDE.md"), sent=(False,)),
            row(f"{HOME}/.claude/CLAUDE.md", Loaded("x", "User", "session_start"), sent=(False,)),
            row("api/CLAUDE.md", Loaded("x", "", "moon_phase"), sent=(False,)),
            row("rules/a.md", Loaded("x", globs=("a", "b"), trigger_file_path="/t/x.py"), sent=(False,)),
        )
    )
    assert re.sub(r"  +", " ", re.sub(r"---+", "---", shown)) == (
        "## Claude Code's hook beside Claw\n"
        "\n"
        "Claude Code's hook says what Claude Code loaded in ~/shop; beside it stands what is predicted for "
        "Claw. They are different agents: a difference is no error.\n"
        "\n"
        "Log: ~/hook.jsonl; newest session: s1.\n"
        "\n"
        "- Named by Claude Code's hook and predicted for Claw: 1; named by the hook only: 4; predicted for "
        "Claw only: 1.\n"
        "\n"
        "| File | Claude Code's hook says | Claw is predicted to |\n"
        "| --- | --- | --- |\n"
        "| CLAUDE.md | that it was loaded as Project when the session began and again after a compaction, "
        "2 times | send it |\n"
        "| CLAUDE.local.md | nothing of it | send a part of it: cut by Claw's limit for one file |\n"
        "| AGENTS.md | that it was loaded as Project because another file includes it (~/shop/CLAUDE.md) | "
        "send nothing of it: omitted: Claw's limit for all files is used up |\n"
        "| ~/.claude/CLAUDE.md | that it was loaded as User when the session began | leave it unread when "
        "started here |\n"
        r"| api/CLAUDE.md | that it was loaded moon\_phase | leave it unread when started here |"
        "\n"
        "| rules/a.md | that it was loaded for no reason given (a, b; /t/x.py) | leave it unread when "
        "started here |\n"
    )


def test_several_agents_have_a_column_each() -> None:
    told = [(CLAW, brief()), (CODE, brief("claw-code"))]
    shown = beside_section(beside(row("CLAUDE.md", loaded(), sent=(True, False))), told, "en", HOME)
    assert shown.startswith("## Claude Code's hook beside Claw, claw-code\n")
    assert "| Claw is predicted to | claw-code is predicted to |" in re.sub(r" +", " ", shown)
    assert shown.count("- Named by Claude Code's hook and predicted for ") == 2


def test_lines_of_a_terminal_are_sentences_that_name_both() -> None:
    found = beside(row("CLAUDE.md", loaded()), row("CLAUDE.local.md"), row("x.md", loaded(), sent=(False,)))
    shown = list(beside_lines(found, (CLAW, brief()), "en", HOME))
    assert shown[0] == "Claude Code's hook beside Claw"
    assert [each for each in shown if each[2:4] in ("= ", "+ ", "- ")] == [
        "  = CLAUDE.md",
        "  - CLAUDE.local.md",
        "  + x.md",
    ]
    said = [each for each in shown if each.startswith("      ")]
    assert said[0].strip() == (
        "Claude Code's hook says that it was loaded as Project when the session began; Claw is predicted to "
        "send it."
    )
    assert all("Claude Code's hook says " in each and "; Claw is predicted to " in each for each in said)


@pytest.mark.parametrize("name", ["AGENTS.md", "agents.md"])
def test_the_hook_says_nothing_of_agents_md_by_itself(name: str) -> None:
    assert "for an AGENTS.md it is not called" in page(beside(row(name)))
    assert "for an AGENTS.md it is not called" not in page(beside(row(name, loaded("include"))))


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("problem", get_args(Problem))
@pytest.mark.parametrize("detail", ["", "/x"])
def test_one_line_says_why_there_is_nothing(problem: Problem, detail: str, locale: str) -> None:
    """It names the file, both agents and what to do."""
    found = Beside(LOG, ROOT, problem, detail)
    shown = page(found, locale)
    heading, empty, line, last = shown.split("\n")
    assert heading.startswith("## ")
    assert (empty, last) == ("", "")
    for word in ("~/hook.jsonl", "Claude Code", "Claw"):
        assert word in line
    in_terminal = list(beside_lines(found, (CLAW, brief()), locale, HOME))
    assert in_terminal[1].strip().replace("\\", "") == line.replace("\\", "")
    assert len(in_terminal) == 2


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("reason", get_args(Reason))
@pytest.mark.parametrize("skipped", [0, 1 << 20])
def test_one_line_says_what_is_damaged(reason: Reason, skipped: int, locale: str) -> None:
    for count in (1, 3):
        found = beside(damages=(LogDamage(1234, reason),) * count, skipped=skipped)
        line = page(found, locale).rstrip("\n").split("\n")[-1]
        for word in ("~/hook.jsonl", "1234", "Claude Code", "Claw"):
            assert word in line


def test_what_was_not_read_and_what_is_not_shown_is_said() -> None:
    rows = [row(f"{number}.md", loaded(), sent=(False,)) for number in range(MOST_ROWS + 3)]
    found = beside(*rows, session_id=None, skipped=5_000_000)
    shown = page(found)
    assert "the 5,000,000 bytes before" in shown
    assert "It names no sessions" in shown
    assert "3 more files are not shown." in shown
    assert len(re.findall(r"^\| \d+\.md ", shown, re.MULTILINE)) == MOST_ROWS
    in_terminal = list(beside_lines(found, (CLAW, brief()), "en", HOME))
    assert "  3 more files are not shown." in in_terminal


def hostile() -> Beside:
    load = Loaded(HOSTILE, HOSTILE, HOSTILE, (HOSTILE, HOSTILE), HOSTILE, HOSTILE, HOSTILE, HOSTILE)
    return Beside(
        HOSTILE,
        ROOT,
        session=Session(HOSTILE, (load,)),
        damages=(LogDamage(1, "torn"),),
        rows=(BesideRow(HOSTILE, (load,), (False,)), row("CLAUDE.md")),
    )


ACTIVE = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


@pytest.mark.parametrize("locale", LOCALES)
def test_a_strangers_text_is_no_markdown_and_no_terminal_sequence(locale: str) -> None:
    shown = page(hostile(), locale)
    assert not ACTIVE.search(shown)
    tokens = MarkdownIt("commonmark").enable("table").parse(shown)
    kinds = [token.type for token in tokens]
    assert kinds.count("heading_open") == 1
    assert kinds.count("table_open") == 1
    assert kinds.count("tr_open") == 3
    assert kinds.count("th_open") + kinds.count("td_open") == 9
    assert kinds.count("list_item_open") == 1
    inside = {child.type for token in tokens for child in token.children or ()}
    assert inside <= {"text", "text_special", "softbreak", "code_inline"}
    codes = {
        child.content for token in tokens for child in token.children or () if child.type == "code_inline"
    }
    assert codes <= {"file_path", "cwd", "agentbrief.oracleLog"}


@pytest.mark.parametrize("problem", get_args(Problem))
def test_nor_where_there_is_nothing_to_compare(problem: Problem) -> None:
    shown = page(Beside(HOSTILE, ROOT, problem, HOSTILE))
    assert not ACTIVE.search(shown)
    tokens = MarkdownIt("commonmark").enable("table").parse(shown)
    assert [token.type for token in tokens if token.type.endswith("_open")] == [
        "heading_open",
        "paragraph_open",
    ]


def test_lines_of_a_terminal_stay_lines() -> None:
    for line in beside_lines(hostile(), (CLAW, brief()), "en", HOME):
        assert not ACTIVE.search(line)
        assert "\n" not in line


def test_secrets_are_masked_and_long_texts_cut() -> None:
    load = Loaded("x", SECRET, SECRET, (SECRET,), SECRET)
    for name in (SECRET, "y" * 100_000):
        found = beside(BesideRow(f"/x/{name}.md", (load,), (False,)), session_id=name)
        for shown in (page(found), "\n".join(beside_lines(found, (CLAW, brief()), "en", HOME))):
            assert SECRET not in shown.replace("\\", "")
            assert len(shown) < 6000


def test_the_record_is_the_contract() -> None:
    found = beside(
        row(
            "CLAUDE.md",
            Loaded("x", "Local", "path_glob_match", ("*.py",), "/t", "/p", "s1", ROOT),
            sent=(True, True),
        ),
        row("AGENTS.md", sent=(False, True)),
        row("/x/y.md", loaded(), sent=(False, False)),
        skipped=7,
        damages=(LogDamage(3, "torn"),),
    )
    record = beside_record(found, [(CLAW, brief()), (CODE, brief("claw-code"))])
    assert {key: value for key, value in record.items() if key != "files"} == {
        "path": LOG,
        "start": ROOT,
        "problem": None,
        "detail": "",
        "session_id": "s1",
        "skipped_bytes": 7,
        "damages": [{"line": 3, "reason": "torn"}],
    }
    files = json.loads(json.dumps(record["files"]))
    assert files[0] == {
        "path": f"{ROOT}/CLAUDE.md",
        "in_log": True,
        "loads": [
            {
                "memory_type": "Local",
                "load_reason": "path_glob_match",
                "globs": ["*.py"],
                "trigger_file_path": "/t",
                "parent_file_path": "/p",
            }
        ],
        "predicted": {"claw": "sent", "claw-code": "sent"},
    }
    assert [(each["in_log"], each["predicted"]["claw"]) for each in files[1:]] == [
        (False, "omitted"),
        (True, "not-read"),
    ]


def test_no_terminal_sequence_is_in_the_record() -> None:
    written = json.dumps(beside_record(hostile(), [(CLAW, brief())]), ensure_ascii=False)
    assert not ACTIVE.search(written)
    assert "\\u001b" not in written
