"""Profiles of the user's own on the command line: they lead like others, and a bad one says what is wrong."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.shell import run
from tests.profiles.own import own_profile


@pytest.fixture
def project(tmp_path: Path) -> Path:
    folder = Path(os.path.realpath(tmp_path)) / "project"
    (folder / ".git").mkdir(parents=True)
    (folder / "app").mkdir()
    (folder / "RULES.md").write_text("- outer\n" * 20, encoding="utf-8")
    (folder / "app" / "RULES.md").write_text("- inner\n" * 20, encoding="utf-8")
    return folder


def config(folder: Path, *profiles: str) -> str:
    path = folder / "agentbrief.json"
    path.write_text(json.dumps({"customProfiles": list(profiles)}), encoding="utf-8")
    return str(path)


def written(path: Path, data: Any) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")
    return str(path)


def test_it_is_checked_and_briefed_by_its_own_rules(project: Path, tmp_path: Path) -> None:
    home = tmp_path / "home"
    written(home / "agents" / "mine.json", own_profile())
    given = config(tmp_path, "~/agents/mine.json")
    done = run("check", "--config", given, "--agent", "mine", "--format", "json", cwd=project, home=home)
    assert done.json["files_checked"] == 2
    findings = {
        (each["code"], each["profile"], os.path.relpath(each["path"], project))
        for each in done.json["findings"]
    }
    assert ("file-over-limit", "mine", "app/RULES.md") in findings
    assert all(profile == "mine" for _, profile, _ in findings)
    assert any("My Agent" in each["message"] and "100" in each["message"] for each in done.json["findings"])
    shown = run("brief", "--config", given, "--agent", "mine", "app", cwd=project, home=home).out
    assert "My Agent is sent 150 of 150 characters" in shown
    assert "same text as RULES.md; My Agent keeps only that one" not in shown
    assert "cut by My Agent's limit for one file" in shown


def test_the_profile_whose_name_is_asked_for_must_be_there(project: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "mine.json", own_profile(limits=[]))
    done = run("check", "--config", config(tmp_path, path), "--agent", "mine", cwd=project)
    assert done.code == 2
    assert "mine: missing key 'limits'" in done.err
    assert (
        "No profile with rules for instruction files is named mine. Known: claw, claw-code, openclaw, auto."
        in done.err
    )


FAULTS: list[tuple[Any, str]] = [
    ('{\n  "id": mine\n}', "line 2 column 9"),
    ("", "not JSON"),
    (own_profile(title=""), "mine.title: "),
    (own_profile(id="claw"), "claw.id: "),
]


@pytest.mark.parametrize(("data", "reason"), FAULTS, ids=["json", "empty", "title", "taken"])
def test_a_fault_leaves_one_profile_out_and_nothing_else(
    project: Path, tmp_path: Path, data: Any, reason: str
) -> None:
    bad = written(tmp_path / "bad.json", data)
    good = written(tmp_path / "good.json", own_profile(id="good", title="Good Agent"))
    done = run(
        "check", "--config", config(tmp_path, bad, good), "--agent", "good", "--format", "json", cwd=project
    )
    assert {each["profile"] for each in done.json["findings"]} == {"good"}
    (note,) = [line for line in done.err.split("\n") if "customProfiles" in line]
    assert bad in note
    assert reason in note


def test_of_two_with_one_identifier_the_first_counts(project: Path, tmp_path: Path) -> None:
    first = written(tmp_path / "first.json", own_profile(title="First"))
    second = written(tmp_path / "second.json", own_profile(title="Second"))
    done = run("check", "--config", config(tmp_path, first, second), "--agent", "mine", cwd=project)
    assert "First" in done.out
    assert "Second" not in done.out
    assert f"mine.id: the profile in {first} has the same identifier" in done.err


@pytest.mark.parametrize("name", ["mine.json", "./mine.json", "~other/mine.json", "\\\\host\\mine.json", ""])
def test_a_path_is_absolute_or_below_the_home(project: Path, tmp_path: Path, name: str) -> None:
    written(project / "mine.json", own_profile())
    done = run("check", "--config", config(tmp_path, name), cwd=project)
    assert "give an absolute path, or one that begins with ~/" in done.err


def test_what_is_no_file_is_said(project: Path, tmp_path: Path) -> None:
    (tmp_path / "folder.json").mkdir()
    large = written(tmp_path / "large.json", "[" + "0," * 600_000 + "0]")
    paths = [str(tmp_path / "none.json"), str(tmp_path / "folder.json"), large]
    done = run("check", "--config", config(tmp_path, *paths), cwd=project)
    assert "none.json of agentbrief.customProfiles is left out: there is no such file" in done.err
    assert "folder.json of agentbrief.customProfiles is left out: it cannot be read (not-a-file)" in done.err
    assert "large.json of agentbrief.customProfiles is left out: it cannot be read (too-large)" in done.err


def test_a_link_is_followed_wherever_it_leads(project: Path, tmp_path: Path) -> None:
    written(tmp_path / "dotfiles" / "mine.json", own_profile())
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "mine.json").symlink_to(tmp_path / "dotfiles" / "mine.json")
    done = run(
        "check",
        "--config",
        config(tmp_path, "~/mine.json"),
        "--agent",
        "mine",
        cwd=project,
        home=tmp_path / "home",
    )
    assert "My Agent" in done.out
