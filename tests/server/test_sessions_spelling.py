"""No spelling of an identifier, a URI, a path or a page leads out: refused before anything is opened."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from pygls.exceptions import JsonRpcException

from tests.data_folders import CORPORA, records
from tests.server.editor import ROOT, Editor
from tests.server.session_editor import page, running, shop, written
from tests.tasks.homes import Home

pytestmark = pytest.mark.e2e

CASES = [each for each in records(CORPORA / "traversal.jsonl") if "payload" in each]
IDS = [each["payload"] for each in CASES if "id" in each["entry"]]
PATHS = [each["payload"] for each in CASES if "path" in each["entry"]]
URIS = [each["payload"] for each in CASES if "uri" in each["entry"]]
BY_ID = ("open", "status", "check", "new", "append", "save", "flush", "repair", "trash")
"""The commands on sessions that take ``id``."""


@pytest.fixture
def home(tmp_path: Path) -> Home:
    home = shop(tmp_path)
    for folder in (tmp_path, home.workspace, home.home):
        (folder / "b").write_bytes(b'{"type":"session"}\n')
        (folder / "x.json").write_bytes(b'{"session_id":"x","messages":[]}')
    return home


async def outcome(editor: Editor, command: str, **arguments: Any) -> str | None:
    """The sentence of the refusal; None if the command was done."""
    try:
        await editor.run(command, **arguments)
    except JsonRpcException as refused:
        return refused.message if refused.data is None else f"Traceback {refused.data}"
    return None


async def test_no_identifier_leads_out(home: Home) -> None:
    async with running(home) as editor:
        done = []
        for payload in IDS:
            for name in BY_ID:
                said = await outcome(editor, f"session.{name}", id=payload, text="x", show=False)
                if said is None or (payload in said and len(payload) > 3):
                    done.append((name, payload, said))
            said = await outcome(editor, "history.export", id=payload, level="messages")
            if said is None:
                done.append(("export", payload, said))
        assert done == []
        assert written(home) == []


async def test_no_uri_leads_out(home: Home) -> None:
    async with running(home) as editor:
        done = []
        spelled = [
            *URIS,
            *PATHS,
            *(f"file://{home.home}/.claude/projects/{payload}" for payload in PATHS),
            *(f"file://{home.port.parent}/{payload}" for payload in PATHS),
            *(f"agentbrief:/session/x.md?path={quote(payload)}" for payload in PATHS),
            *(f"agentbrief:/session/x.md?path={quote(f'{home.port.parent}/{payload}')}" for payload in PATHS),
        ]
        for uri in spelled:
            for name in ("open", "status", "check", "repair", "trash"):
                if await outcome(editor, f"session.{name}", uri=uri, show=False) is None:
                    done.append((name, uri))
            if uri.startswith("agentbrief:") and await page(editor, uri) is not None:
                done.append(("page", uri))
            if await outcome(editor, "history.export", uri=uri, level="messages") is None:
                done.append(("export", uri))
        assert done == []
        assert written(home) == []


async def test_no_target_leads_out(home: Home) -> None:
    home.claude.write_bytes(home.claude.read_bytes() + bytes(9) + b"\n")
    async with running(home) as editor:
        done = []
        uri = home.claude.as_uri()
        targets = [*PATHS, *URIS, *(f"{home.workspace}/{each}" for each in PATHS), str(home.home / "x.md")]
        inside = [each for each in PATHS if not each.startswith("/")]
        targets += [f"file://{home.workspace}/{each}" for each in inside]
        for target in targets:
            for command in ("session.repair", "history.export"):
                said = await outcome(editor, command, uri=uri, level="messages", output=target)
                if said is None or "output" not in said:
                    done.append((command, target, said))
        assert done == []
        assert written(home) == []


async def test_no_folder_leads_out(home: Home) -> None:
    async with running(home) as editor:
        for folder in (*PATHS, *URIS, str(home.home), home.home.as_uri(), f"{home.workspace}/../home"):
            assert await outcome(editor, "session.list", folder=folder), folder
            for view in ("sessions", "budget", "files"):
                assert await editor.ask("agentbrief/rows", {"view": view, "folder": folder}) == []
        for words in IDS:
            said = await outcome(editor, "session.list", find=words)
            assert said is None or "find" in said
        assert written(home) == []


async def test_links_are_followed_only_inside(home: Home, tmp_path: Path) -> None:
    outside = tmp_path / "outside.jsonl"
    outside.write_bytes(home.claude.read_bytes())
    link = home.claude.with_name("22222222-2222-4222-8222-222222222222.jsonl")
    link.symlink_to(outside)
    own = home.port.with_name("link.json")
    os.symlink(outside, own)
    async with running(home) as editor:
        for path in (link, own):
            for name in ("open", "check", "status", "repair"):
                assert await outcome(editor, f"session.{name}", uri=path.as_uri(), show=False), name
            assert await outcome(editor, "history.export", uri=path.as_uri(), level="messages")
        assert written(home) == []


@pytest.mark.parametrize("case", records(CORPORA / "ids-accepted.jsonl"), ids=lambda case: case["id"])
async def test_plain_identifiers_work(home: Home, case: dict[str, Any]) -> None:
    async with running(home) as editor:
        assert (await editor.run("session.new", id=case["value"]))["id"] == case["value"]
        assert (await editor.run("session.append", id=case["value"], text="x"))["messages"] == 1


@pytest.mark.parametrize(
    "arguments",
    [
        {"id": 7},
        {"id": ["x"]},
        {"id": "x" * 129},
        {"uri": {"a": 1}},
        {"uri": "x" * 100_000},
        {"folder": 3},
        {"find": 5},
        {"all": "yes"},
        {"level": 1},
        {"output": []},
        {"text": None},
        {"role": {}},
        {"dryRun": "no"},
    ],
)
async def test_arguments_of_the_wrong_kind_get_a_sentence(home: Home, arguments: dict[str, Any]) -> None:
    async with running(home, writes=True) as editor:
        for name in ("session.list", *(f"session.{each}" for each in BY_ID), "history.export"):
            said = await outcome(editor, name, **{"show": False, **arguments})
            assert said is None or ("Traceback" not in said and len(said) < 400)
            written(home)


SCRIPT = """
import asyncio, json, os, sys
from importlib import import_module
from agentbrief_server.app import App
from agentbrief_server.commands.arguments import Arguments
from pygls.exceptions import JsonRpcException

folder, asked = sys.argv[1], json.load(open(sys.argv[2]))
app = App()
app.state.folders = (folder,)
app.state.configuration.trusted = True
snapshot = app.state.snapshot()
modules = {name: import_module(f"agentbrief_server.commands.{name}") for name, _ in asked}
import agentbrief_server.sessions.pages, agentbrief.tasks.sessions.history
# What is loaded late is loaded now: reading a module is no reading of a session.
for name, module in modules.items():
    try:
        asyncio.run(module.run(snapshot, app.surface, Arguments({"uri": "x", "id": "..", "text": "x"}, "en")))
    except JsonRpcException:
        pass
OURS = tuple(sys.argv[3:])
opened = []
EVENTS = ("open", "os.listdir", "os.scandir", "os.mkdir", "os.rename", "os.remove")
sys.addaudithook(lambda event, found: opened.append(str(found[0])) if event in EVENTS else None)
wrong = []
for name, values in asked:
    del opened[:]
    try:
        asyncio.run(modules[name].run(snapshot, app.surface, Arguments(values, "en")))
        wrong.append((name, values, "done"))
    except JsonRpcException:
        pass
    wrong += [(name, values, path) for path in opened if not path.startswith(OURS)]
del opened[:]
try:
    plain = Arguments({"id": "plan", "show": False}, "en")
    asyncio.run(modules["session_open"].run(snapshot, app.surface, plain))
finally:
    print(json.dumps([wrong[:20], [path for path in opened if path.endswith("plan.json")]]))
"""


def test_nothing_is_opened_for_a_refused_spelling(home: Home, tmp_path: Path) -> None:
    """In one process of its own, whose every opening of a file or folder is written down."""
    about = {"text": "x", "level": "messages"}
    asked: list[tuple[str, dict[str, str]]] = []
    for payload in IDS:
        asked += [(f"session_{name}", {"id": payload, **about}) for name in BY_ID]
        asked.append(("history_export", {"id": payload, **about}))
    names = [f"session_{name}" for name in ("open", "status", "check", "repair", "trash")]
    for uri in (*URIS, *PATHS, *(f"agentbrief:/session/x.md?path={quote(each)}" for each in PATHS)):
        asked += [(name, {"uri": uri, **about}) for name in (*names, "history_export")]
    for target in PATHS:
        for name in ("session_repair", "history_export"):
            asked.append((name, {"uri": home.claude.as_uri(), "output": target, **about}))
    ours = [str(ROOT / "server"), str(ROOT / "features"), sys.base_prefix, sys.prefix]
    (tmp_path / "asked.json").write_text(json.dumps(asked), encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, str(home.workspace), str(tmp_path / "asked.json"), *ours],
        env={"HOME": str(home.home), "PYTHONPATH": f"{ROOT / 'server'}{os.pathsep}{ROOT / 'features'}"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    wrong, seen = json.loads(done.stdout)
    assert wrong == []
    assert seen, "what is allowed is opened, and seen"
