"""The extension's manifest and texts: what follows from the server's data does, and nothing is missing."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from itertools import chain
from typing import Any

import pytest

from agentbrief.messages.catalogue import sentences
from agentbrief.tasks.settings import TABLE
from agentbrief_server.catalogue import COMMANDS
from tests.house.sources import ROOT

EXTENSION = ROOT / "vscode-extension"
LOCALES = ("en", "zh-cn", "zh-tw")
SAID = re.compile(r"l10n\.t\(\s*'((?:[^'\\]|\\.)*)'")
LATIN = re.compile(r"[A-Za-z]{2,}")
MAY_BE_LATIN = {
    "Agent",
    "AgentBrief",
    "Brief",
    "CLAUDE",
    "Markdown",
    "PATH",
    "Python",
    "claude",
    "fromEnvironment",
    "md",
    "openclaw",
    "agents",
    "port",
    "projects",
    "sessions",
    "token",
    "useBundled",
}

# Of these the window says the word of something else: of the agent that leads, not of a time.
OTHER_SENSE = {"compaction.page.now", "storestatus.now"}


def manifest() -> dict[str, Any]:
    found: dict[str, Any] = json.loads((EXTENSION / "package.json").read_text(encoding="utf-8"))
    return found


def texts(locale: str) -> dict[str, str]:
    name = "package.nls.json" if locale == "en" else f"package.nls.{locale}.json"
    found: dict[str, str] = json.loads((EXTENSION / name).read_text(encoding="utf-8"))
    return found


def bundle(locale: str) -> dict[str, str]:
    path = EXTENSION / "l10n" / f"bundle.l10n.{locale}.json"
    found: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return found


def bare(sentence: str) -> str:
    """The sentence without the names of its placeholders, which each side chooses for itself."""
    return re.sub(r"\{\w+\}", "{}", sentence)


def same_words(english: str, found: dict[str, str]) -> str | None:
    return next((each for each in found if bare(each) == bare(english)), None)


def said_in_source() -> set[str]:
    sources = (path.read_text(encoding="utf-8") for path in (EXTENSION / "src").glob("*.ts"))
    return set(chain.from_iterable(SAID.findall(source) for source in sources))


def test_it_is_as_the_data_say() -> None:
    command = [sys.executable, str(EXTENSION / "generate.py"), "--check"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, ""), "run: python vscode-extension/generate.py"


def test_every_setting_of_the_server_is_declared() -> None:
    groups = manifest()["contributes"]["configuration"]
    properties = {key: value for group in groups for key, value in group["properties"].items()}
    assert {f"agentbrief.{each.key}" for each in TABLE} <= properties.keys()
    for key, value in properties.items():
        assert value["scope"] in ("window", "resource", "machine"), key
        assert "default" in value, key
        assert value["description"].startswith("%"), key
    restricted = manifest()["capabilities"]["untrustedWorkspaces"]["restrictedConfigurations"]
    assert {f"agentbrief.{each.key}" for each in TABLE if each.restricted} <= set(restricted)
    assert {"agentbrief.interpreter", "agentbrief.importStrategy"} <= set(restricted)
    assert properties["agentbrief.interpreter"]["scope"] == "machine"


def test_commands_have_what_the_palette_needs() -> None:
    contributes = manifest()["contributes"]
    when = {each["command"]: each["when"] for each in contributes["menus"]["commandPalette"]}
    titles = {each["command"] for each in contributes["menus"]["view/title"]}
    for command in contributes["commands"]:
        assert command["category"] == "Agent Brief"
        assert command["command"].startswith("agentbrief.ui.")
        assert when[command["command"]]
        assert "icon" in command or command["command"] not in titles
    assert not {each["command"] for each in contributes["commands"]} & {each.name for each in COMMANDS}


BEHIND_OTHERS = {
    "agentbrief.fix.apply",
    "agentbrief.checkpoint.plan",
    "agentbrief.trash.restore",
    "agentbrief.secret.showRotation",
    "agentbrief.instructions.revealTarget",
    *(f"agentbrief.session.{name}" for name in ("list", "status", "new", "append", "save", "flush")),
}
"""Commands for scripts and other editors: part of others in the palette, or not for a person."""


def test_every_command_of_the_server_is_in_the_palette() -> None:
    source = (EXTENSION / "src" / "facts.ts").read_text(encoding="utf-8")
    listed = re.search(r"export const COMMANDS = (\{.*?\}) as const;", source, re.DOTALL)
    assert listed is not None
    served = set(json.loads(listed[1]).values())
    assert {each.name for each in COMMANDS} - served == BEHIND_OTHERS
    declared = {each["command"] for each in manifest()["contributes"]["commands"]}
    assert {f"agentbrief.ui.{name}" for name in json.loads(listed[1])} <= declared


def test_it_takes_no_keys_and_is_quiet() -> None:
    found = manifest()
    assert "keybindings" not in found["contributes"]
    assert "languages" not in found["contributes"]
    assert "extensionDependencies" not in found
    assert not {"*", "onStartupFinished"} & set(found["activationEvents"])
    assert "editor/title" not in found["contributes"]["menus"]


@pytest.mark.parametrize("locale", LOCALES)
def test_every_text_is_there(locale: str) -> None:
    given = (EXTENSION / "package.json").read_text(encoding="utf-8")
    wanted = set(re.findall(r'"%([\w.-]+)%"', given))
    assert wanted == texts(locale).keys()
    assert all(text.strip() for text in texts(locale).values())


@pytest.mark.parametrize("locale", LOCALES[1:])
def test_what_the_source_says_is_translated(locale: str) -> None:
    found = bundle(locale)
    assert said_in_source() == found.keys()
    for english, text in found.items():
        assert sorted(re.findall(r"\{\d\}", english)) == sorted(re.findall(r"\{\d\}", text)), english
        left = {word for word in LATIN.findall(text) if word not in MAY_BE_LATIN}
        assert not left, (english, left)


@pytest.mark.parametrize("locale", LOCALES[1:])
def test_what_the_server_says_too_is_said_alike(locale: str) -> None:
    """Whoever reads the same English in the window and on a page reads the same Chinese."""
    found = bundle(locale)
    found.update((english, texts(locale)[key]) for key, english in texts("en").items())
    there = sentences(locale)
    for key, english in sentences("en").items():
        if isinstance(english, str) and (theirs := same_words(english, found)) and key not in OTHER_SENSE:
            assert bare(str(there[key])) == bare(found[theirs]), (key, theirs)


@pytest.mark.parametrize("locale", LOCALES[1:])
def test_chinese_titles_hold_no_english(locale: str) -> None:
    for key, text in texts(locale).items():
        if key.startswith(("command.", "view.", "group.", "walkthrough.", "welcome.")):
            bare = re.sub(r"\(command:[\w.]+\)", "", text)
            left = {word for word in LATIN.findall(bare) if word not in MAY_BE_LATIN}
            assert not left, (key, left)


def test_the_interpreter_check_asks_for_the_same_python() -> None:
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    minimum = re.search(r'requires-python = ">=(\d+)\.(\d+)"', project)
    assert minimum is not None
    start = (EXTENSION / "run_bundled.py").read_text(encoding="utf-8")
    assert f"sys.version_info < ({minimum[1]}, {minimum[2]})" in start


def test_lock_files_say_not_where_packages_came_from() -> None:
    for folder in (EXTENSION, ROOT / "tests" / "e2e"):
        assert '"resolved"' not in (folder / "package-lock.json").read_text(encoding="utf-8")


def test_what_is_bundled_is_pinned() -> None:
    named = (EXTENSION / "requirements-bundled.txt").read_text(encoding="utf-8").split()
    pinned = (ROOT / "constraints.txt").read_text(encoding="utf-8").lower().replace("_", "-")
    assert all(f"\n{each}==" in f"\n{pinned}" for each in named)
