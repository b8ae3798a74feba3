"""``brief`` and ``compare`` with a log of the user's own hook in ``--config``."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.cli.shell import ROOT, Done, run
from tests.oracle.written import line
from tests.server.conftest import digest

HEADING = "Claude Code's hook beside Claw"


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A workspace in a home, with a log and the settings that name it."""
    home = Path(os.path.realpath(tmp_path)) / "home"
    root = home / "shop"
    (root / ".git").mkdir(parents=True)
    (root / "CLAUDE.md").write_text("# Rules\n")
    (root / "AGENTS.md").write_text("# Others\n")
    log = line(str(root / "CLAUDE.md"), cwd=str(root)) + b"\n"
    log += line(f"{root}/\x1b[31mred\x9b1m.md", "path_glob_match", cwd=str(root), globs=["*.{ts,tsx}"])
    (home / "hook.jsonl").write_bytes(log + b"\n")
    settings(root, "~/hook.jsonl")
    return root


def settings(root: Path, log: str) -> None:
    text = json.dumps({"agentbrief": {"oracleLog": log}})
    (root.parent / "settings.json").write_text(text)


def told(shop: Path, *words: str) -> Done:
    """A command that changes nothing and opens nothing for writing."""
    before = digest(shop.parent)
    audit = shop.parents[1] / "audit.txt"
    paths = [str(ROOT / "server"), str(ROOT / "features"), str(ROOT / "tests" / "audit")]
    done = run(
        *words,
        "--config",
        str(shop.parent / "settings.json"),
        cwd=shop,
        home=shop.parent,
        PYTHONPATH=os.pathsep.join(paths),
        AUDIT_FILE=str(audit),
    )
    assert not audit.exists(), audit.read_text()
    assert digest(shop.parent) == before
    return done


def test_brief_for_a_terminal(shop: Path) -> None:
    done = told(shop, "brief")
    assert (done.code, done.err) == (0, "")
    lines = done.out.split("\n")
    section = lines[lines.index(HEADING) :]
    assert section[1] == "  Log: ~/hook.jsonl; newest session: s1."
    assert section[3:6] == [
        "  = CLAUDE.md",
        "      Claude Code's hook says that it was loaded as Project when the session began; Claw is "
        "predicted to send it.",
        "  + red.md",
    ]
    assert "(*.{ts,tsx})" in section[6]
    assert "\x1b" not in done.out
    assert "\x9b" not in done.out


def test_brief_as_markdown_and_in_chinese(shop: Path) -> None:
    assert f"\n\n## {HEADING}\n\n" in told(shop, "brief", "--markdown").out
    assert "Claude Code 的钩子与 Claw 对照" in told(shop, "brief", "--locale", "zh-cn").out
    assert "Claude Code 的掛鉤與 Claw 對照" in told(shop, "brief", "--locale", "zh-tw").out


def test_brief_json(shop: Path) -> None:
    record = told(shop, "brief", "--json").json
    assert record["oracle"]["path"] == str(shop.parent / "hook.jsonl")
    assert [(each["in_log"], each["predicted"]) for each in record["oracle"]["files"]] == [
        (True, {"claw": "sent"}),
        (True, {"claw": "not-read"}),
    ]
    assert record["total_consumed"] == 7


def test_several_agents(shop: Path) -> None:
    agents = ("--agent", "claw", "--agent", "claw-code")
    assert [each["oracle"]["start"] for each in told(shop, "brief", "--json", *agents).json] == [
        str(shop)
    ] * 2
    done = told(shop, "compare", *agents)
    assert f"\n## {HEADING}, claw-code\n" in done.out
    files = told(shop, "compare", "--json", *agents).json["oracle"]["files"]
    assert {Path(each["path"]).name: each["predicted"] for each in files}["AGENTS.md"] == {
        "claw": "not-read",
        "claw-code": "sent",
    }


@pytest.mark.parametrize(
    ("log", "said"),
    [
        ("hook.jsonl", "hook.jsonl is no full path"),
        ("~/none.jsonl", "There is no log at ~/none.jsonl"),
        ("~", "~ is no full path"),
        ("~/shop", "~/shop is no plain file"),
    ],
)
def test_a_log_that_cannot_be_read_is_said_in_one_line(shop: Path, log: str, said: str) -> None:
    settings(shop, log)
    done = told(shop, "brief")
    assert done.code == 0
    lines = done.out.rstrip("\n").split("\n")
    assert lines[-2] == HEADING
    assert said in lines[-1]


def test_without_the_setting_nothing_is_said(shop: Path) -> None:
    settings(shop, "")
    for words in (("brief",), ("brief", "--markdown"), ("brief", "--json")):
        done = told(shop, *words)
        assert "hook" not in done.out
        assert "oracle" not in done.out


def test_the_prompt_says_nothing_of_it(shop: Path) -> None:
    assert "hook.jsonl" not in told(shop, "brief", "--prompt").out
