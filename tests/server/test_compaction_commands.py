"""Compaction by the language server: previewed, carried out, undone; what is refused and why."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp

from tests.server.compaction_editor import add_message, long_claw, long_home, temporary_files
from tests.server.editor import Editor
from tests.server.session_editor import now, page, refused, running, written
from tests.tasks.homes import Home, put

pytestmark = pytest.mark.e2e


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return long_home(tmp_path)


async def test_a_preview_changes_nothing_and_shows_everything(home: Home) -> None:
    async with running(home) as editor:
        plan = await editor.run("compaction.plan", uri=home.claw.as_uri())
        assert (plan["ended"], plan["isCopy"]) == ("planned", False)
        record = plan["plan"]
        assert (record["removed_message_count"], record["kept"], record["provider"]) == (8, 4, "extractive")
        assert record["compacted_estimated_tokens"] < record["estimated_tokens"]
        assert plan["target"] == home.claw.as_uri()
        assert "Compact “" in plan["question"]
        text = (await page(editor, plan["uri"]))["text"]
        assert text.startswith("# Compaction of “")
        assert "Nothing has been changed yet." in text
        left, right = [(await page(editor, plan[side]))["text"] for side in ("left", "right")]
        assert left.split("# What stays")[0].count("\n- ") == 8
        assert left.split("\n## ")[-1] == right.split("\n## ")[-1]
        assert "Conversation summary" in right and "Conversation summary" not in left
        assert await page(editor, plan["uri"].replace(plan["token"], "nothing")) is None


async def test_plan_compact_undo_gives_the_original_bytes(home: Home) -> None:
    before = home.claw.read_bytes()
    async with running(home, writes=True) as editor:
        plan = await editor.run("compaction.plan", uri=home.claw.as_uri(), show=False)
        assert plan["text"].startswith("# Compaction of “")
        done = await editor.run("session.compact", token=plan["token"])
        assert done["compacted"] is True
        after = home.claw.read_bytes()
        assert len(after) == done["bytesAfter"] == plan["plan"]["bytes_after"] < len(before)
        assert Path(done["checkpoint"]).read_bytes() == before
        lines = before.split(b"\n")
        assert after.endswith(b"\n".join(lines[-5:]))
        assert "Nothing was changed" in await refused(editor, "session.compact", token=plan["token"])
        undone = await editor.run("change.undo", change=done["change"])
        assert (undone["undone"], undone["uri"]) == (True, home.claw.as_uri())
        assert home.claw.read_bytes() == before
        assert await refused(editor, "change.undo")
        assert temporary_files(home) == []
        assert editor.asked == []


async def test_the_last_change_is_undone_without_being_named(home: Home) -> None:
    before = home.claw.read_bytes()
    async with running(home, writes=True) as editor:
        editor.may_say = True
        plan = await editor.run("compaction.plan", uri=home.claw.as_uri(), show=False)
        await editor.run("session.compact", token=plan["token"])
        assert (await editor.run("change.undo"))["undone"] is True
        assert home.claw.read_bytes() == before
        assert "exact bytes" in editor.client.messages[-1].message


async def test_a_session_that_changed_since_its_preview_is_not_touched(home: Home) -> None:
    async with running(home, writes=True) as editor:
        plan = await editor.run("compaction.plan", uri=home.claw.as_uri(), show=False)
        add_message(home.claw, "and one thing more")
        before = home.claw.read_bytes()
        assert "changed meanwhile" in await refused(editor, "session.compact", token=plan["token"])
        assert home.claw.read_bytes() == before
        assert temporary_files(home) == []
        again = await editor.run("compaction.plan", uri=home.claw.as_uri(), show=False)
        assert again["token"] != plan["token"]
        assert (await editor.run("session.compact", token=again["token"]))["compacted"] is True


async def test_a_compacted_session_that_changed_is_not_undone(home: Home) -> None:
    async with running(home, writes=True) as editor:
        plan = await editor.run("compaction.plan", uri=home.claw.as_uri(), show=False)
        done = await editor.run("session.compact", token=plan["token"])
        add_message(home.claw, "went on")
        before = home.claw.read_bytes()
        assert "Restore its checkpoint" in await refused(editor, "change.undo", change=done["change"])
        assert home.claw.read_bytes() == before


async def test_without_a_token_the_user_is_asked_and_offered_the_way_back(home: Home) -> None:
    before = home.claw.read_bytes()
    async with running(home, "neovim", writes=True) as editor:
        editor.may_say = True
        editor.answers = ["Cancel"]
        assert (await editor.run("session.compact", uri=home.claw.as_uri()))["compacted"] is False
        assert home.claw.read_bytes() == before
        editor.answers = ["Preview", "Compact", "Undo"]
        done = await editor.run("session.compact", uri=home.claw.as_uri())
        assert done["compacted"] is True
        await editor.until(lambda: home.claw.read_bytes() == before)
        asked = [[each.title for each in question.actions] for question in editor.asked]
        assert asked == [["Compact", "Preview", "Cancel"]] * 3 + [["Undo", "Show checkpoint"]]
        assert "12 messages → 1 summary + 4 kept" in editor.asked[0].message
        await editor.until(lambda: editor.client.messages)
        assert "Undone" in editor.client.messages[-1].message


async def test_nobody_has_to_answer_the_offer(home: Home) -> None:
    async with running(home, writes=True) as editor:
        editor.answers = ["Compact", None]
        done = await editor.run("session.compact", uri=home.claw.as_uri())
        assert done["compacted"] is True
        await editor.until(lambda: len(editor.asked) == 2)
        assert (await editor.run("session.list"))["sessions"]


async def test_within_its_bounds_nothing_is_done(home: Home) -> None:
    put(home.claw, long_claw(home.workspace, 3))
    async with running(home) as editor:
        editor.may_say = True
        plan = await editor.run("compaction.plan", uri=home.claw.as_uri())
        assert (plan["token"], plan["ended"]) == (None, "unchanged")
        assert "not due" in plan["message"]
        reply = await editor.run("session.compact", uri=home.claw.as_uri())
        assert reply["compacted"] is False
        assert editor.asked == []


@pytest.mark.parametrize("agent", ["claude-code", "codex"])
async def test_a_foreign_session_only_goes_into_a_copy(home: Home, agent: str) -> None:
    path = home.all[agent]
    put(path, longer(path.read_bytes()))
    before = path.read_bytes()
    settings = {"compaction": {"preserveRecentMessages": 1, "maxEstimatedTokens": 0}}
    async with running(home, writes=True, options=settings) as editor:
        sentence = await refused(editor, "session.compact", uri=path.as_uri())
        assert "copy" in sentence
        plan = await editor.run("compaction.plan", uri=path.as_uri(), show=False)
        assert plan["isCopy"] is True
        assert await refused(editor, "session.compact", token=plan["token"])
        done = await editor.run("session.compactCopy", token=plan["token"])
        copy = Path(done["uri"].removeprefix("file://"))
        assert copy.parent == home.workspace
        assert copy.name == f"{path.stem}.compacted.jsonl"
        assert copy.read_bytes()
        assert path.read_bytes() == before
        assert {each.name for each in path.parent.iterdir()} == {path.name}
        undone = await editor.run("change.undo", change=done["change"])
        assert undone["undone"] is True
        assert not copy.exists()
        assert path.read_bytes() == before


async def test_a_session_of_ours_goes_into_a_copy_too(home: Home) -> None:
    before = home.claw.read_bytes()
    async with running(home, writes=True) as editor:
        editor.answers = ["Compact"]
        done = await editor.run("session.compactCopy", uri=home.claw.as_uri(), output="short.jsonl")
        assert done["compacted"] is True
        assert (home.workspace / "short.jsonl").exists()
        assert home.claw.read_bytes() == before
        assert await refused(editor, "session.compactCopy", uri=home.claw.as_uri(), output="../out.jsonl")


async def test_restricted_mode_writes_nothing(home: Home) -> None:
    async with running(home, trusted=False) as editor:
        for command in (
            "session.compact",
            "session.compactCopy",
            "checkpoint.restore",
            "change.undo",
            "session.steer",
            "memory.flush",
        ):
            assert "not trusted" in await refused(editor, command, uri=home.claude.as_uri(), text="x"), (
                command
            )
        assert "not trusted" in await refused(editor, "compaction.plan", uri=home.claw.as_uri())


async def test_trust_is_asked_again_at_the_moment_of_acting(home: Home) -> None:
    before = home.claw.read_bytes()
    async with running(home, writes=True) as editor:
        plan = await editor.run("compaction.plan", uri=home.claw.as_uri(), show=False)
        editor.client.protocol.notify("agentbrief/didChangeTrust", {"trusted": False})
        assert "not trusted" in await refused(editor, "session.compact", token=plan["token"])
        assert home.claw.read_bytes() == before


async def test_no_program_of_a_workspace_is_started(home: Home) -> None:
    given = {"compaction": {"providers": ["command"], "command": ["/bin/sh", "-c", "touch /tmp/never"]}}
    async with running(home, "vscode", configuration=given) as editor:
        plan = await editor.run("compaction.plan", uri=home.claw.as_uri(), show=False)
        assert plan["plan"]["provider"] == "extractive"
        assert plan["plan"]["warnings"] == []
        wrong = await refused(editor, "compaction.plan", uri=home.claw.as_uri(), providers=["command"])
        assert "providers" in wrong


async def test_a_program_that_the_user_names_writes_the_summary(home: Home) -> None:
    program = [sys.executable, "-c", "import sys; sys.stdin.read(); print('The cache forgets in time.')"]
    settings = {"compaction": {"providers": ["command"], "command": program}}
    async with running(home, options=settings, writes=True) as editor:
        plan = await editor.run("compaction.plan", uri=home.claw.as_uri(), show=False)
        assert (plan["plan"]["provider"], plan["plan"]["warnings"]) == ("command", [])
        assert "The cache forgets in time." in plan["plan"]["summary"]
        assert [line.split(" ")[0] for line in written(home)] == ["subprocess.Popen"]
    put(home.pi, long_tree(home.pi), hours_ago=3)
    async with running(home, options=settings, trusted=False) as editor:
        plan = await editor.run("compaction.plan", uri=home.pi.as_uri(), maxTokens=1, show=False)
        assert plan["plan"]["provider"] == "extractive"


@pytest.mark.parametrize(
    "given",
    [
        {"token": "none"},
        {"token": 7},
        {"preserve": -1},
        {"preserve": True},
        {"maxTokens": "9"},
        {"providers": "x"},
    ],
)
async def test_wrong_arguments(home: Home, given: dict[str, Any]) -> None:
    async with running(home) as editor:
        assert await refused(editor, "session.compact", uri=home.claw.as_uri(), **given)


async def test_messages_that_are_not_saved_come_first(home: Home) -> None:
    async with running(home, writes=True) as editor:
        await editor.run("session.append", id="plan", text="one more")
        assert "Save it first" in await refused(editor, "session.compact", uri=home.port.as_uri())


async def test_a_session_of_the_workspace_goes_on_after_it(home: Home) -> None:
    settings = {"compaction": {"preserveRecentMessages": 1, "maxEstimatedTokens": 0}}
    async with running(home, options=settings, writes=True) as editor:
        await editor.run("session.append", id="plan", text="one more")
        await editor.run("session.save", id="plan")
        before = home.port.read_bytes()
        plan = await editor.run("compaction.plan", id="plan", show=False)
        done = await editor.run("session.compact", token=plan["token"])
        after = home.port.read_bytes()
        assert len(json.loads(after)["messages"]) == 2
        await editor.run("change.undo", change=done["change"])
        assert home.port.read_bytes() == before
        again = await editor.run("compaction.plan", id="plan", show=False)
        await editor.run("session.compact", token=again["token"])
        assert (await editor.run("session.append", id="plan", text="and on"))["messages"] == 3
        await editor.run("session.save", id="plan")
        assert len(json.loads(home.port.read_bytes())["messages"]) == 3


async def test_pi_and_openclaw_are_compacted_and_undone(home: Home) -> None:
    settings = {"compaction": {"keepRecentTokens": 1}}
    for path in (home.pi, home.openclaw):
        store = home.openclaw.with_name("sessions.json").read_bytes()
        put(path, long_tree(path), hours_ago=3)
        before = path.read_bytes()
        async with running(home, writes=True, options=settings) as editor:
            plan = await editor.run("compaction.plan", uri=path.as_uri(), maxTokens=1, show=False)
            assert plan["ended"] == "planned", plan
            done = await editor.run("session.compact", token=plan["token"], withNotes=False)
            assert path.read_bytes().startswith(before)
            assert json.loads(path.read_bytes().split(b"\n")[-2])["type"] == "compaction"
            await editor.run("change.undo", change=done["change"])
        assert path.read_bytes() == before
        assert json.loads(home.openclaw.with_name("sessions.json").read_bytes()) == json.loads(store)


def long_tree(path: Path) -> bytes:
    head, first, second = path.read_bytes().strip().split(b"\n")
    lines, parent = [head, first, second], json.loads(second)["id"]
    for number in range(6):
        source = json.loads(first if number % 2 == 0 else second)
        source |= {"id": f"n{number}", "parentId": parent}
        source["message"]["content"] = [{"type": "text", "text": f"{number} " + "words " * 900}]
        parent = source["id"]
        lines.append(json.dumps(source).encode())
    return b"\n".join(lines) + b"\n"


def longer(data: bytes) -> bytes:
    """The same session, its last reply said eight times."""
    lines = data.strip().split(b"\n")
    said = [each for each in lines if b'"input_text"' in each] or lines[-1:]
    more = []
    for number in range(8):
        record = json.loads(said[-1])
        if "uuid" in record:
            record |= {"uuid": f"more-{number}", "parentUuid": json.loads((more or lines)[-1])["uuid"]}
        more.append(json.dumps(record).encode())
    return b"\n".join((*lines, *more)) + b"\n"


# Where it is offered


async def test_it_is_offered_on_sessions_and_their_pages(home: Home) -> None:
    async with running(home, "vscode") as editor:
        await editor.run("session.list")
        for path, third in ((home.claw, "Restore Checkpoint…"), (home.openclaw, "Restore Checkpoint…")):
            assert await titles(editor, path.as_uri()) == ["Preview Compaction", "Compact Session…", third]
        assert await titles(editor, home.claude.as_uri()) == ["Preview Compaction", "Compact into a Copy…"]
        shown = await editor.run("session.open", uri=home.claw.as_uri())
        assert (await titles(editor, shown["uri"]))[0] == "Preview Compaction"
        assert await titles(editor, editor.uri("package.json")) == []
        assert await titles(editor, home.openclaw.with_name("sessions.json").as_uri()) == []


async def test_in_restricted_mode_only_reading_is_offered(home: Home) -> None:
    async with running(home, "vscode", trusted=False) as editor:
        assert await titles(editor, home.claude.as_uri()) == ["Preview Compaction"]
        assert await titles(editor, home.claw.as_uri()) == []


async def test_an_open_session_says_live_that_it_is_due(home: Home) -> None:
    put(home.claw, long_claw(home.workspace, 3))
    async with running(home, "emacs", client={}, writes=True) as editor:
        uri = home.claw.as_uri()
        item = lsp.TextDocumentItem(uri, "jsonl", 1, home.claw.read_text())
        editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))
        put(home.claw, long_claw(home.workspace))
        found = await editor.until(
            lambda: [
                each for each in editor.client.diagnostics.get(uri, []) if each.code == "session-over-budget"
            ]
        )
        assert found[0].severity == lsp.DiagnosticSeverity.Warning
        assert "due for compaction" in found[0].message
        params = lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(uri), found[0].range, lsp.CodeActionContext(found)
        )
        actions = await editor.client.text_document_code_action_async(params) or []
        fix = next(each for each in actions if isinstance(each, lsp.CodeAction) and each.kind == "quickfix")
        assert fix.command is not None
        assert fix.command.command == "agentbrief.compaction.plan"
        assert list(fix.command.arguments or ()) == [{"uri": uri}]
        plan = await editor.run("compaction.plan", uri=uri, show=False)
        await editor.run("session.compact", token=plan["token"])
        await editor.until(lambda: not editor.client.diagnostics.get(uri))


async def test_a_followed_session_says_live_that_it_is_due(home: Home) -> None:
    put(home.claw, long_claw(home.workspace, 3))
    now(home.claw)
    async with running(home, writes=True) as editor:
        await editor.until(lambda: str(home.workspace) in editor.status)
        put(home.claw, long_claw(home.workspace))
        now(home.claw)
        uri = home.claw.as_uri()
        await editor.until(
            lambda: "session-over-budget" in {each.code for each in editor.client.diagnostics.get(uri, [])}
        )


async def titles(editor: Editor, uri: str) -> list[str]:
    """What the lens of a document offers; its code actions offer the same."""
    document = lsp.TextDocumentIdentifier(uri)
    found = await editor.client.text_document_code_lens_async(lsp.CodeLensParams(document)) or []
    lens = [each.command.title for each in found if each.command is not None]
    start = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
    context = lsp.CodeActionContext([], only=["source"])
    params = lsp.CodeActionParams(document, start, context)
    actions = await editor.client.text_document_code_action_async(params) or []
    assert [each.title for each in actions] == lens
    return lens
