"""Profiles of the user's own in an editor: names, findings, faults in their place, changes while it runs."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from tests.profiles.own import own_profile
from tests.server.conftest import Start
from tests.server.editor import Editor, plain

TEXT = "- a rule of my own\n" * 10


@pytest.fixture
def workspace(workspace: Path) -> Path:
    """With a file that only the user's own profile knows, and files of the rules beside it."""
    (workspace / "RULES.md").write_text(TEXT, encoding="utf-8")
    (workspace / ".mine" / "rules").mkdir(parents=True)
    (workspace / ".mine" / "rules" / "style.md").write_text(TEXT + "x", encoding="utf-8")
    return workspace


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "profiles" / "mine.json"


def write(path: Path, data: Any) -> None:
    path.parent.mkdir(exist_ok=True)
    path.write_text(data if isinstance(data, str) else json.dumps(data), encoding="utf-8")


def options(path: Path, **more: Any) -> dict[str, Any]:
    return {"customProfiles": [str(path)], "agents": ["mine", "claw"], **more}


def faults(client: Editor, path: Path) -> list[tuple[int, str]]:
    return [
        (each.range.start.line, each.message) for each in client.client.diagnostics.get(path.as_uri(), [])
    ]


async def test_it_leads_and_its_names_are_instruction_files(editor: Start, path: Path) -> None:
    write(path, own_profile())
    client = await editor("none", options(path))
    client.open("RULES.md")
    await client.until(lambda: "file-over-limit" in client.codes("RULES.md"))
    hover = await client.hover("RULES.md", 0)
    assert hover is not None
    assert "My Agent: 100 a file" in hover
    await client.until(lambda: "total-over-limit" in client.codes(".mine/rules/style.md"))
    reply = await client.run("brief.compare", agents=["mine", "claw"], show=False)
    assert "My Agent" in json.dumps(reply)
    assert (await client.run("profile.select", agent="mine"))["agents"] == ["mine"]
    client.may_say = True


async def test_a_fault_stands_in_its_file_and_goes_when_it_is_mended(editor: Start, path: Path) -> None:
    write(path, '{\n  "id": "mine",\n  oops\n}')
    client = await editor("none", options(path))
    client.open("CLAUDE.md")
    client.open("RULES.md")
    await client.until(lambda: faults(client, path))
    ((line, message),) = faults(client, path)
    assert line == 2
    assert "line 3 column 3" in message
    hover = await client.hover("CLAUDE.md", 0)
    assert hover is not None
    assert "Claw:" in hover

    write(path, own_profile(limits=[]))
    await client.until(lambda: any("mine: missing key 'limits'" in text for _, text in faults(client, path)))
    write(path, own_profile())
    await client.until(lambda: not faults(client, path))
    await client.until(lambda: "file-over-limit" in client.codes("RULES.md"))

    write(path, own_profile(layers=[{"id": "project", "files": [{"name": "CLAUDE.md", "scope": "project"}]}]))
    await client.until(lambda: not client.codes("RULES.md"))


async def test_a_profile_that_is_not_there_yet_is_taken_when_it_comes(editor: Start, path: Path) -> None:
    path.parent.mkdir()
    client = await editor("none", options(path))
    await client.until(lambda: [text for _, text in faults(client, path) if "there is no such file" in text])
    write(path, own_profile())
    await client.until(lambda: "file-over-limit" in client.codes("RULES.md"))
    assert not faults(client, path)


async def test_a_workspace_brings_no_profile(editor: Start, path: Path) -> None:
    write(path, own_profile())
    client = await editor("none", {"trusted": True})
    given = {"customProfiles": [str(path)], "agents": ["mine"]}
    client.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings=given))
    hover = await client.hover("CLAUDE.md", 0)
    assert hover is not None
    assert "Claw:" in hover
    assert "My Agent" not in hover


async def test_the_client_is_asked_for_the_documents_it_does_not_know(editor: Start, path: Path) -> None:
    write(path, own_profile())
    client = await editor("vscode", options(path, client={"documents": True}))
    told = await client.until(lambda: client.profiles)
    assert [each["id"] for each in told[-1]["profiles"]] == ["claw", "claw-code", "openclaw", "mine"]
    assert told[-1]["names"] == ["RULES.md"]
    patterns = ["**/.mine/RULES.md", "**/.mine/rules/*.{md,txt,mdc}", "**/RULES.md"]
    assert told[-1]["patterns"] == patterns
    await client.until(lambda: "textDocument/didOpen" in client.registered)
    wanted = {
        f"textDocument/{name}"
        for name in ("didOpen", "didChange", "didClose", "hover", "codeLens", "codeAction")
    }
    assert wanted <= client.registered.keys()
    for method in wanted:
        selector = client.registered[method]["documentSelector"]
        assert [each["pattern"] for each in selector] == patterns

    path.unlink()
    await client.until(lambda: "textDocument/didOpen" not in client.registered)
    assert client.profiles[-1]["patterns"] == []


async def test_who_cannot_be_asked_is_not_asked(editor: Start, path: Path) -> None:
    write(path, own_profile())
    client = await editor("neovim", options(path))
    client.open("RULES.md")
    hover = await client.hover("RULES.md", 0)
    assert hover is not None
    assert "My Agent: 100 a file" in hover
    assert not {method for method in client.registered if method.startswith("textDocument/")}
    assert not client.profiles
    assert plain(client.client.messages) == []


async def test_an_agent_that_nobody_knows_is_in_the_log(editor: Start, path: Path) -> None:
    write(path, own_profile())
    client = await editor("none", {**options(path), "agents": ["mine", "yours"]})
    log = path.parents[1] / "cache" / "agentbrief" / "agentbrief.log"
    sentence = "No profile with rules for instruction files is named yours."
    await client.until(lambda: log.exists() and sentence in log.read_text())
    assert "Known: claw, claw-code, openclaw, mine." in log.read_text()
