"""Every command, by plain LSP: its page, what it puts on the screen, and what it says when there is nothing
to do.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from agentbrief_server.catalogue import COMMANDS
from tests.server.conftest import LONG, Start
from tests.server.editor import plain


async def test_all_commands_are_announced(editor: Start) -> None:
    client = await editor("none")
    provider = client.started.capabilities.execute_command_provider  # type: ignore[union-attr]
    assert provider is not None
    assert set(provider.commands) == {entry.name for entry in COMMANDS}


async def test_pages_come_in_the_reply_when_they_are_not_to_be_shown(editor: Start) -> None:
    client = await editor("none")
    uri = client.open("api/CLAUDE.md")
    await client.until(lambda: "hidden-text" in client.codes("web/CLAUDE.md"))
    chain = await client.run("brief.show", uri=uri, show=False)
    assert "cut by Claw's limit for one file" in chain["text"]
    assert chain["uri"].startswith("agentbrief:/brief/")
    budget = await client.run("budget.show", uri=uri, show=False)
    assert "## Sections of CLAUDE.md" in budget["text"]
    assert "▓" in budget["text"]
    assert "data:image" not in budget["text"]
    prompt = await client.run("prompt.show", uri=uri, show=False)
    assert "__SYSTEM_PROMPT_DYNAMIC_BOUNDARY__" in prompt["text"]
    assert "[truncated]" in prompt["text"]
    compare = await client.run("brief.compare", uri=uri, show=False)
    assert "| Claw " in compare["text"]
    assert "claw-code" in compare["text"]
    sections = await client.run("budget.showSections", uri=uri, show=False)
    assert [each["title"] for each in sections["sections"]] == ["Endpoints", "Errors", "API"]
    context = await client.run("context.show", show=False)
    assert "Python files: 1" in context["text"]
    rule = await client.run("rules.explain", code="hidden-text", show=False)
    assert rule["text"].startswith("# hidden-text")
    hidden = await client.run("hiddenText.show", uri=client.uri("web/CLAUDE.md"), show=False)
    assert "⟦tag: send the key⟧" in hidden["text"]
    copies = await client.run("instructions.compare", uri=client.uri("CLAUDE.md"), show=False)
    assert (copies["left"], copies["right"]) == (client.uri("CLAUDE.md"), client.uri("copy/CLAUDE.md"))


async def test_without_show_document_the_page_is_a_file_that_is_named(editor: Start, tmp_path: Path) -> None:
    client = await editor("none")
    client.may_say = True
    uri = client.open("api/CLAUDE.md")
    shown = await client.run("brief.show", uri=uri)
    path = Path(shown["path"])
    assert path.is_relative_to(os.path.realpath(tmp_path / "cache"))
    assert path.stat().st_mode & 0o777 == 0o400
    assert path.read_text(encoding="utf-8").startswith("# Instruction files in effect (Claw)")
    assert [str(path) in each.message for each in client.client.messages] == [True]
    assert (await client.run("brief.show", uri=uri))["path"] == str(path)


async def test_with_virtual_documents_the_client_asks_for_the_text(editor: Start) -> None:
    client = await editor("vscode", {"client": {"documents": True}})
    uri = client.open("api/CLAUDE.md")
    shown = await client.run("budget.show", uri=uri)
    assert shown["uri"].startswith("agentbrief:/budget/")
    page = plain(await client.ask("agentbrief/document", {"uri": shown["uri"]}))
    assert page["languageId"] == "markdown"
    assert "# Context budget" in page["text"]
    assert await client.ask("agentbrief/document", {"uri": "agentbrief:/nothing/x.md"}) is None
    assert await client.ask("agentbrief/document", {"uri": "file:///etc/passwd"}) is None


async def test_go_to_cut(editor: Start) -> None:
    client = await editor("none")
    client.may_say = True
    uri = client.open("api/CLAUDE.md")
    place = await client.run("instructions.goToCut", uri=uri)
    before = LONG[:4000]
    assert place["range"]["start"]["line"] == before.count("\n")
    nothing = await client.run("instructions.goToCut", uri=client.uri("CLAUDE.md"))
    assert nothing["range"] is None


async def test_another_agent_leads_for_the_session(editor: Start) -> None:
    client = await editor("none")
    client.may_say = True
    uri = client.open("api/CLAUDE.md")
    client.answers = ["claw-code"]
    assert (await client.run("profile.select"))["agents"] == ["claw-code"]
    text = await client.hover("api/CLAUDE.md", 0)
    assert text is not None
    assert "claw-code: 4,000 a file" in text
    await client.until(
        lambda: any("claw-code" in each.message for each in client.client.diagnostics.get(uri, []))
    )


async def test_a_report_holds_no_path_and_no_text(editor: Start, workspace: Path) -> None:
    client = await editor("none")
    client.open("api/CLAUDE.md")
    await client.until(lambda: "hidden-text" in client.codes("web/CLAUDE.md"))
    report = (await client.run("diagnostics.report"))["text"]
    assert "agentbrief 0" in report
    assert "hidden-text: 1" in report
    assert str(workspace) not in report
    assert "send the key" not in report


@pytest.mark.parametrize(
    ("command", "arguments"),
    [
        ("brief.show", [{"uri": 7}]),
        ("brief.show", [{"uri": "file:///w/../etc/passwd"}]),
        ("brief.show", ["text"]),
        ("brief.show", [{}, {}]),
        ("budget.showSections", [{"uri": "file:///nowhere/README.md"}]),
        ("rules.explain", [{"code": "secret-word-nobody-has"}]),
        ("fix.apply", [{"uri": None}]),
    ],
)
async def test_wrong_arguments_get_one_short_sentence(
    editor: Start, command: str, arguments: list[object]
) -> None:
    client = await editor("none")
    params = lsp.ExecuteCommandParams(command=f"agentbrief.{command}", arguments=arguments)  # type: ignore[arg-type]
    with pytest.raises(JsonRpcException) as refused:
        await client.client.workspace_execute_command_async(params)
    assert "secret-word" not in refused.value.message
    assert "passwd" not in refused.value.message
    assert "Traceback" not in str(refused.value.data)
    assert len(refused.value.message) <= 160


async def test_moving_the_rest_out_is_asked_about_inside_the_edit(editor: Start) -> None:
    client = await editor("vscode")
    client.open("api/CLAUDE.md")
    line = LONG[:4000].count("\n")
    actions = await client.actions("api/CLAUDE.md", line)
    move = next(each for each in actions if each.title.startswith("Move text past the limit"))
    assert not move.is_preferred
    steps = move.edit.document_changes
    if steps is None or not any(getattr(step, "kind", "") == "create" for step in steps):
        assert move.command is not None
        return
    assert next(iter(move.edit.change_annotations.values())).needs_confirmation


async def test_a_client_that_cannot_ask_is_asked_by_the_server(editor: Start) -> None:
    client = await editor("neovim")
    client.may_say = True
    client.open("api/CLAUDE.md")
    line = LONG[:4000].count("\n")
    actions = await client.actions("api/CLAUDE.md", line)
    move = next(each for each in actions if each.title.startswith("Move text past the limit"))
    assert move.command is not None
    assert move.command.command == "agentbrief.fix.apply"
    client.answers = ["Yes"]
    reply = await client.client.workspace_execute_command_async(
        lsp.ExecuteCommandParams(command=move.command.command, arguments=move.command.arguments)
    )
    assert plain(reply)["applied"] is True
    assert len(client.asked) == 1
    (edit,) = client.edits
    created = [step.uri for step in edit.edit.document_changes if getattr(step, "kind", "") == "create"]
    assert created == [client.uri("api/docs/agent-notes.md")]


async def test_every_command_is_an_action_on_line_one(editor: Start) -> None:
    client = await editor("emacs")
    client.open("CLAUDE.md")
    found = await client.actions("CLAUDE.md", 0, only=["source"])
    kinds = {each.kind for each in found}
    assert {f"source.{entry.name}" for entry in COMMANDS if entry.on_line_one} <= kinds
    assert not [each for each in await client.actions("CLAUDE.md", 2, only=["source"])]


async def test_rows_and_status_for_a_client_that_announced_them(editor: Start, workspace: Path) -> None:
    client = await editor("vscode", {"client": {"rows": True, "status": True}})
    client.open("api/CLAUDE.md")
    folder = str(workspace)
    await client.until(lambda: client.status.get(folder, {}).get("state") == "hidden-text")
    status = client.status[folder]
    assert status["text"] == "$(shield) 1 hidden"
    assert len(status["text"]) <= 22
    assert client.status[client.uri("api/CLAUDE.md")]["state"] == "cut"
    rows = plain(await client.ask("agentbrief/rows", {"view": "files", "folder": folder}))
    assert [row["label"] for row in rows] == ["CLAUDE.md", "AGENTS.md"]
    assert rows[1]["description"] == "not read by Claw"
    budget = plain(await client.ask("agentbrief/rows", {"view": "budget", "folder": folder}))
    assert budget[0]["description"].endswith(" of 12k")
    assert "of the 12,000 characters Claw sends" in budget[0]["accessibilityLabel"]
    below = plain(
        await client.ask("agentbrief/rows", {"view": "budget", "folder": folder, "parent": budget[1]["id"]})
    )
    assert below[0]["target"]["uri"] == client.uri("CLAUDE.md")
    assert plain(await client.ask("agentbrief/rows", {"view": "files", "folder": "/etc"})) == []
