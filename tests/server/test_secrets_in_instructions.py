"""Secrets in instruction files over the real server: told, replaced, listed.

And never said whole anywhere.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from agentbrief.messages import say
from tests.redact.secret_cases import SECRETS, cases, leaks, secret_of, whole_of
from tests.server.conftest import Start
from tests.server.editor import Editor, plain

pytestmark = pytest.mark.e2e

CODE = "secret-in-instructions"
NAME = "web/CLAUDE.md"
TOKEN = next(secret_of(record) for record in SECRETS if record["kind"] == "github-token")
TEXT = f"# Web\n\nPush 🚀 with `{TOKEN}` only.\n"
LINE = 2
LIST = "Checklist for rotating this key"
REPLACE = "Replace by $GITHUB_TOKEN"


async def opened(editor: Start, name: str = "none", **more: Any) -> Editor:
    client = await editor(name, **more)
    client.open(NAME, TEXT)
    if name == "none":  # the others ask for diagnostics themselves
        await client.until(lambda: CODE in client.codes(NAME))
    return client


def told(client: Editor) -> Any:
    return next(each for each in client.client.diagnostics[client.uri(NAME)] if each.code == CODE)


async def test_it_is_told_where_it_stands(editor: Start) -> None:
    client = await opened(editor)
    found = told(client)
    start = TEXT.split("\n")[LINE].encode("utf-16-le").index(TOKEN.encode("utf-16-le")) // 2
    assert (found.range.start.line, found.range.start.character) == (LINE, start)
    assert (found.range.end.line, found.range.end.character) == (LINE, start + len(TOKEN))
    assert found.severity == lsp.DiagnosticSeverity.Warning
    assert found.message.startswith(f"Looks like a GitHub token (ghp_FA…{TOKEN[-4:]}).")
    assert found.code_description.href.endswith(f"/{CODE}.md")


async def test_a_byte_order_mark_moves_nothing(editor: Start, workspace: Path) -> None:
    client = await editor("none")
    client.changes_files = True  # type: ignore[attr-defined]
    (workspace / NAME).write_bytes(b"\xef\xbb\xbf" + TEXT.encode())
    client.open(NAME, TEXT)
    await client.until(lambda: CODE in client.codes(NAME))
    assert told(client).range.start.character == TEXT.split("\n")[LINE].index(TOKEN) + 1


async def test_the_replacement_is_asked_about_inside_the_edit(editor: Start) -> None:
    client = await opened(editor, "vscode")
    actions = {each.title: each for each in await client.actions(NAME, LINE)}
    assert list(actions) == [REPLACE, LIST]
    replace = actions[REPLACE]
    assert (replace.kind, replace.is_preferred) == ("quickfix", None)
    (change,) = replace.edit.document_changes[0].edits
    assert change.new_text == "$GITHUB_TOKEN"
    width = change.range.end.character - change.range.start.character
    assert (change.range.start.line, width) == (LINE, len(TOKEN))
    assert replace.edit.change_annotations[change.annotation_id].needs_confirmation
    assert TOKEN not in json.dumps(plain(replace), default=str)
    assert await client.actions(NAME, LINE, only=["source.fixAll"]) == []


async def test_a_client_that_cannot_ask_is_asked_by_the_server(editor: Start) -> None:
    client = await opened(editor, "neovim")
    client.may_say = True
    replace = next(each for each in await client.actions(NAME, LINE) if each.title == REPLACE)
    client.answers = ["Yes"]
    params = lsp.ExecuteCommandParams(command=replace.command.command, arguments=replace.command.arguments)
    reply = plain(await client.client.workspace_execute_command_async(params))
    assert reply["applied"] is True
    assert client.asked[0].message == f"{REPLACE}?"
    assert "$GITHUB_TOKEN" in str(client.edits[0])


async def test_the_list_says_which_and_where(editor: Start) -> None:
    client = await opened(editor)
    bare = next(each for each in await client.actions(NAME, LINE) if each.title == LIST)
    arguments = plain(bare.arguments[0])
    for given in (arguments, {"uri": arguments["uri"]}):
        page = (await client.run("secret.showRotation", **given, show=False))["text"]
        assert page.startswith("# Rotate this key\n\nLooks like a GitHub token (ghp\\_FA…")
        assert "- [ ] Put `$GITHUB_TOKEN` in its place in CLAUDE.md.\n" in page
        assert page.count("- [ ] ") == 8
        assert TOKEN not in page


async def test_the_list_repeats_nothing_it_is_given(editor: Start) -> None:
    client = await opened(editor)
    for wrong in (
        {"kind": "a-kind-nobody-has"},
        {"uri": client.uri("README.md")},
        {"uri": client.uri("CLAUDE.md")},
    ):
        with pytest.raises(JsonRpcException) as refused:
            await client.run("secret.showRotation", **wrong)
        assert "nobody" not in refused.value.message
    reply = await client.run("secret.showRotation", kind="github-token", shown=f"{TOKEN}[x](y)", show=False)
    assert leaks(TOKEN, json.dumps(reply)) == []
    assert "](" not in reply["text"]


async def test_the_list_in_chinese(editor: Start) -> None:
    client = await opened(editor, locale="zh-tw")
    reply = await client.run("secret.showRotation", kind="password-value", uri=client.uri(NAME), show=False)
    assert reply["text"].startswith(f"# {say('zh-tw', 'page.rotation')}\n\n疑似密碼。")
    assert "`PASSWORD`" in reply["text"]


async def test_a_workspace_cannot_switch_it_off(editor: Start) -> None:
    client = await editor("none", {"trusted": True})
    client.open(NAME, TEXT)
    off = {"diagnostics": {"secrets": "off", "level": {CODE: "off", "duplicate-instructions": "off"}}}
    client.client.workspace_did_change_configuration(lsp.DidChangeConfigurationParams(settings=off))
    await client.until(lambda: client.codes("copy/CLAUDE.md") == {"claw-code-differs"})
    assert CODE in client.codes(NAME)


async def test_the_user_can(editor: Start) -> None:
    client = await editor("none", {"diagnostics": {"secrets": "error"}})
    client.open(NAME, TEXT)
    await client.until(lambda: CODE in client.codes(NAME))
    assert told(client).severity == lsp.DiagnosticSeverity.Error
    off = await editor("none", {"diagnostics": {"secrets": "off"}})
    off.open(NAME, TEXT + "x" * 5000)
    await off.until(lambda: "file-over-limit" in off.codes(NAME))
    assert CODE not in off.codes(NAME)


FOUND = cases()
EVERYTHING = (
    "# All\n\n"
    + "".join(
        f"## {whole_of(each).strip()}\n\n- a rule\n\n" for each in SECRETS if each["kind"] != "private-key"
    )
    + "".join(f"{case.text}\n\n" for case in FOUND)
)
WHOLE = {"perFile": 1_000_000, "total": 1_000_000}


def leaking(texts: dict[str, str]) -> list[tuple[str, str]]:
    return [(case.name, name) for name, text in texts.items() for case in FOUND if leaks(case.secret, text)]


@pytest.mark.parametrize("limits", [WHOLE, {"perFile": 1000, "total": 1000}], ids=["sent", "cut"])
async def test_nothing_that_the_server_says_holds_one(
    editor: Start, workspace: Path, limits: dict[str, int]
) -> None:
    for name in ("CLAUDE.md", NAME, "copy/CLAUDE.md"):
        (workspace / name).write_text(EVERYTHING, encoding="utf-8", newline="")
    client = await editor("none", {"limits": limits})
    client.changes_files = True  # type: ignore[attr-defined]
    uri = client.open(NAME, EVERYTHING)
    await client.until(lambda: CODE in client.codes(NAME))
    said: dict[str, str] = {}

    def take(name: str, value: Any) -> None:
        said[name] = str(value) if not isinstance(value, dict) else "\n".join(map(str, value.values()))

    for command in (
        "brief.show", "brief.compare", "budget.show", "budget.showSections", "context.show",
        "instructions.compare",
    ):  # fmt: skip
        take(command, await client.run(command, uri=uri, show=False, agents=["claw", "openclaw"]))
    if limits is WHOLE:
        # Of a secret that the agent's own cut goes through, what is left is not known for one.
        take("prompt.show", await client.run("prompt.show", uri=uri, show=False))
    take("hiddenText.show", await client.run("hiddenText.show", uri=uri, show=False))
    lines = EVERYTHING.split("\n")
    headings = [number for number, line in enumerate(lines) if line.startswith("#")]
    for number in (*headings, len(lines) // 2):
        take(f"hover {number}", await client.hover(NAME, number, 3))
    take("actions", plain(await client.actions(NAME, 4)))
    about = {"view": "budget", "folder": workspace.as_uri(), "parent": "budget:sections"}
    take("rows", plain(await client.ask("agentbrief/rows", about)))
    take("report", await client.run("diagnostics.report"))
    take("diagnostics", client.client.diagnostics)
    take("log", client.client.log_messages)
    take("status", client.status)
    assert leaking(said) == []
