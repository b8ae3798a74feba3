"""Commands on stores: what is previewed is what is done, nothing without trust, and all of it comes back."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

import pytest

from tests.maintenance.folders import DAY, HOUR
from tests.maintenance.real_folders import aged_store, contents, write
from tests.server.conftest import digest
from tests.server.editor import Editor
from tests.server.session_editor import ABLE, page, refused, running, shop
from tests.tasks.homes import Home

pytestmark = pytest.mark.e2e


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return shop(tmp_path)


@pytest.fixture
def folder(home: Home) -> Path:
    """A store with one new session, one that is too old, and one that is much too old."""
    found = aged_store(home.home, time.time_ns() // 1_000_000, new=HOUR, old=40 * DAY, older=50 * DAY)
    home.openclaw.unlink()
    return found


def items(reply: dict[str, Any]) -> list[tuple[str, str]]:
    return [(each["kind"], each.get("key") or each["path"]) for each in reply["stores"][0]["items"]]


async def test_a_preview_changes_nothing(home: Home, folder: Path) -> None:
    async with running(home) as editor:
        reply = await editor.run("maintenance.plan", show=False)
        assert reply["token"]
        assert reply["notRead"] == []
        kinds = [kind for kind, _ in items(reply)]
        assert kinds == ["drop-entry", "drop-entry", "archive", "archive"]
        assert (
            "2 sessions leave the store. Files that are put away or moved to the trash: 2 ("
            in reply["question"]
        )
        assert reply["text"].startswith("# Cleanup of a session store\n")
        assert "hello from older" in reply["text"]
        assert "Sessions of other agents are never touched." in reply["text"]
        again = await page(editor, reply["uri"])
        assert again["text"] == reply["text"]
        lost = reply["uri"].replace(reply["token"], "unknown")
        assert "hello from older" in (await page(editor, lost))["text"]


async def test_the_question_counts_what_is_left(home: Home, folder: Path) -> None:
    async with running(home) as editor:
        reply = await editor.run("maintenance.plan", show=False, keep=["agent:main:old"])
        assert (
            "1 session leaves the store. Files that are put away or moved to the trash: 1 ("
            in reply["question"]
        )
        nothing = await editor.run("maintenance.plan", show=False, keep=["agent:main:nobody"])
        assert "2 sessions leave the store" in nothing["question"]


async def test_a_preview_of_one_store(home: Home, folder: Path) -> None:
    aged_store(home.home, time.time_ns() // 1_000_000, "work", far=90 * DAY)
    async with running(home) as editor:
        both = await editor.run("maintenance.plan", show=False)
        assert [each["agentId"] for each in both["stores"]] == ["main", "work"]
        assert "## main" in both["text"]
        for named in (folder / "sessions.json", folder, folder / "old.jsonl"):
            one = await editor.run("maintenance.plan", show=False, uri=named.as_uri())
            assert [each["agentId"] for each in one["stores"]] == ["main"]
            assert "## main" not in one["text"]
        other = await editor.run("maintenance.plan", show=False, uri=editor.uri("CLAUDE.md"))
        assert len(other["stores"]) == 2
        nowhere = (home.workspace / "sessions.json").as_uri()
        assert "uri" in await refused(editor, "maintenance.plan", uri=nowhere)


async def test_what_was_previewed_is_done_and_comes_back(home: Home, folder: Path) -> None:
    before = contents(folder)
    async with running(home, writes=True) as editor:
        planned = await editor.run("maintenance.plan", show=False)
        done = await editor.run("maintenance.apply", token=planned["token"])
        assert done["cleaned"]
        assert items(done) == items(planned)
        assert done["stores"][0]["applied"]
        assert "2 sessions left the store. Files put away or moved: 2." in done["message"]
        assert b'"old"' not in (folder / "sessions.json").read_bytes()
        assert not (folder / "old.jsonl").exists()
        assert "no longer" in await refused(editor, "maintenance.apply", token=planned["token"])
        nothing = await editor.run("maintenance.plan", show=False)
        assert (nothing["token"], nothing["question"]) == (None, None)
        listed = await editor.run("trash.list", show=False)
        [cleanup] = listed["stores"][0]["cleanups"]
        assert (cleanup["sessions"], cleanup["renamed"]) == (2, 2)
        assert cleanup["title"] == "Cleanup: 2 sessions · 2 files put away"
        assert cleanup["id"] in listed["text"]
        back = await editor.run("trash.restore", ids=[cleanup["id"]])
        assert sorted(back["restored"][0]["sessions"]) == ["agent:main:old", "agent:main:older"]
        assert back["message"] == "Back again: 2 files in their old places · 2 sessions in the store."
        assert not editor.asked
    assert contents(folder) == before


async def test_the_last_change_may_be_a_cleanup(home: Home, folder: Path) -> None:
    before = contents(folder)
    async with running(home, writes=True) as editor:
        editor.may_say = True
        assert await refused(editor, "change.undo")
        planned = await editor.run("maintenance.plan", show=False)
        done = await editor.run("maintenance.apply", token=planned["token"])
        undone = await editor.run("change.undo")
        assert undone["undone"]
        assert "2 files" in undone["message"]
        assert contents(folder) == before
        assert await refused(editor, "change.undo", change=done["change"])


async def test_what_is_kept_stays_whole(home: Home, folder: Path) -> None:
    async with running(home, writes=True) as editor:
        planned = await editor.run("maintenance.plan", show=False)
        done = await editor.run("maintenance.apply", token=planned["token"], keep=["agent:main:old"])
        assert items(done) == [each for each in items(planned) if "older" in each[1]]
        assert (done["stores"][0]["beforeCount"], done["stores"][0]["afterCount"]) == (3, 2)
        assert (folder / "old.jsonl").exists()
        assert b'"old"' in (folder / "sessions.json").read_bytes()
        again = await editor.run("maintenance.plan", show=False)
        nothing = await editor.run("maintenance.apply", token=again["token"], keep=["agent:main:old"])
        assert (nothing["cleaned"], nothing["change"]) == (False, None)


async def test_a_person_is_asked_and_offered_the_way_back(home: Home, folder: Path) -> None:
    before = contents(folder)
    async with running(home, "vscode", writes=True, client=ABLE) as editor:
        editor.may_say = True
        left = await editor.run("maintenance.apply")
        assert (left["cleaned"], left["ended"]) == (False, "cancelled")
        assert contents(folder) == before
        editor.answers += ["Preview", "Clean Up", "Undo"]
        done = await editor.run("maintenance.apply")
        assert done["cleaned"]
        await editor.until(lambda: contents(folder) == before)
        assert [each.actions[0].title for each in editor.asked] == ["Clean Up"] * 3 + ["Undo"]
        await editor.until(lambda: [each for each in editor.client.messages if "2 files" in each.message])


async def test_nothing_without_trust(home: Home, folder: Path) -> None:
    async with running(home, trusted=False) as editor:
        planned = await editor.run("maintenance.plan", show=False)
        for command in ("maintenance.apply", "trash.restore"):
            assert "trusted" in await refused(editor, command)
        assert "trusted" in await refused(editor, "maintenance.apply", token=planned["token"])


async def test_trust_is_asked_again_before_anything_is_done(home: Home, folder: Path) -> None:
    async with running(home) as editor:
        planned = await editor.run("maintenance.plan", show=False)
        editor.client.protocol.notify("agentbrief/didChangeTrust", {"trusted": False})
        assert "trusted" in await refused(editor, "maintenance.apply", token=planned["token"])


async def test_what_the_editor_has_open_stays(home: Home, folder: Path) -> None:
    async with running(home, writes=True) as editor:
        planned = await editor.run("maintenance.plan", show=False)
        _open(editor, folder / "old.jsonl")
        again = await editor.run("maintenance.plan", show=False)
        assert [each["why"] for each in again["stores"][0]["protected"]] == ["open"]
        done = await editor.run("maintenance.apply", token=planned["token"])
        assert {each["why"] for each in done["stores"][0]["leftOut"]} == {"open", "session-stays"}
        assert "2 items were left out" in done["message"]
        assert (folder / "old.jsonl").exists()
        assert not (folder / "older.jsonl").exists()


async def test_a_clock_that_jumped(home: Home) -> None:
    now = time.time_ns() // 1_000_000
    folder = aged_store(home.home, now - 200 * DAY, one=HOUR, two=40 * DAY)
    home.openclaw.unlink()
    before = digest(folder)
    async with running(home, writes=True) as editor:
        planned = await editor.run("maintenance.plan", show=False)
        assert planned["asksFirst"]
        assert "Is the clock right?" in planned["question"]
        sentence = await refused(editor, "maintenance.apply", token=planned["token"])
        assert "clock" in sentence
        assert digest(folder) == before
        assert (await editor.run("maintenance.apply", token=planned["token"], yes=True))["cleaned"]


async def test_a_store_that_cannot_be_read_hides_no_other(home: Home, folder: Path) -> None:
    other = aged_store(home.home, time.time_ns() // 1_000_000, "work", far=90 * DAY)
    (other / "sessions.json").write_bytes(b'{"agent:work:far": ')
    before = digest(other)
    async with running(home, writes=True) as editor:
        planned = await editor.run("maintenance.plan", show=False)
        assert "problems" in planned["stores"][1]
        done = await editor.run("maintenance.apply", token=planned["token"])
        assert [each["agentId"] for each in done["stores"]] == ["main"]
        assert digest(other) == before


async def test_the_trash_of_the_workspace_s_own_sessions(home: Home, folder: Path) -> None:
    data = home.port.read_bytes()
    async with running(home, writes=True) as editor:
        await editor.run("session.trash", id="plan")
        listed = await editor.run("trash.list", show=False)
        own = next(each for each in listed["stores"] if each["items"])
        assert own["agentId"] == "claw"
        assert [Path(each["path"]).name for each in own["items"]] == ["plan.json"]
        assert "ids" in await refused(editor, "trash.restore", ids=["2026-01-01/none"])
        editor.answers.append(None)
        assert (await editor.run("trash.restore"))["restored"] == []
        editor.may_say = True
        shown = [each.title for each in editor.asked[-1].actions]
        editor.answers.append(shown[0])
        assert (await editor.run("trash.restore"))["restored"][0]["files"] == ["plan.json"]
        assert home.port.read_bytes() == data
        assert "nothing" in (await refused(editor, "trash.restore")).lower()


async def test_how_a_store_stands(home: Home, folder: Path) -> None:
    write(folder / "lost.jsonl", b'{"type":"session","version":3,"id":"lost"}\n')
    async with running(home) as editor:
        reply = await editor.run("store.status", show=False)
        [store] = reply["stores"]
        assert (store["count"], store["maintenance"]["sessions"]) == (3, 2)
        assert "agent:main:new" in reply["text"]
        one = await editor.run("store.status", show=False, key="agent:main:new")
        [session] = one["stores"][0]["sessions"]
        assert session["transcript"]["entries"] == 1
        assert "agent:main:old" not in one["text"]
        assert (await page(editor, one["uri"]))["text"] == one["text"]
        assert await refused(editor, "store.status", key="agent:main:none")
        doctor = await editor.run("store.doctor", show=False)
        assert "lost.jsonl" in str(doctor["stores"][0]["findings"])
        assert "lost.jsonl" in doctor["text"]


async def test_no_store_at_all(home: Home) -> None:
    (home.openclaw.parent / "sessions.json").unlink()
    home.openclaw.unlink()
    os.rmdir(home.openclaw.parent)
    async with running(home) as editor:
        for command in ("maintenance.plan", "store.status", "store.doctor"):
            assert ".openclaw" in await refused(editor, command)
        assert (await editor.run("trash.list", show=False))["stores"] != []


async def test_a_page_about_a_store_elsewhere_is_none(home: Home, folder: Path) -> None:
    async with running(home) as editor:
        for path in ("/etc/sessions.json", "../sessions.json", str(home.workspace / "sessions.json")):
            for kind in ("cleanup", "trash", "stores", "doctor"):
                assert await page(editor, f"agentbrief:/{kind}/x.md?path={path}") is None


def _open(editor: Editor, path: Path) -> None:
    from lsprotocol import types as lsp

    item = lsp.TextDocumentItem(path.as_uri(), "plaintext", 1, path.read_text(encoding="utf-8"))
    editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(item))


async def test_what_the_next_run_restores(home: Home, folder: Path) -> None:
    workspace = home.home / ".openclaw" / "workspace"
    write(workspace / "SOUL.md", b"Be kind.\n")
    async with running(home) as editor:
        store = (folder / "sessions.json").as_uri()
        reply = await editor.run("runRestore.show", show=False, uri=store, key="agent:main:new")
        assert [each["line"] for each in reply["run"]["messages"]] == [2]
        assert reply["run"]["workspace"] == str(workspace)
        assert "Be kind." in reply["text"]
        assert "hello from new" in reply["text"]
        assert (await page(editor, reply["uri"]))["text"] == reply["text"]
        by_file = await editor.run("runRestore.show", show=False, uri=(folder / "old.jsonl").as_uri())
        assert by_file["run"]["key"] == "agent:main:old"
        assert by_file["run"]["startsAnew"]
        editor.answers.append("hello from older (agent:main:older)")
        chosen = await editor.run("runRestore.show", show=False)
        assert chosen["run"]["key"] == "agent:main:older"
        assert await editor.run("runRestore.show") == {"shown": False}
        for wrong in ({"key": "agent:main:none"}, {"uri": (folder / "none.jsonl").as_uri()}):
            assert await refused(editor, "runRestore.show", **wrong)
        nowhere = "agentbrief:/run-restore/x.md?path=/etc/sessions.json&key=agent:main:new"
        assert await page(editor, nowhere) is None
