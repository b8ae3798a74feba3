"""Checkpoints by the language server: listed, previewed, brought back; the present is never lost."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tests.server.compaction_editor import add_message, long_home
from tests.server.editor import Editor
from tests.server.session_editor import page, refused, running
from tests.server.test_compaction_commands import long_tree
from tests.tasks.homes import Home, put

pytestmark = pytest.mark.e2e


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return long_home(tmp_path)


async def compacted(editor: Editor, path: Path, **more: object) -> dict[str, object]:
    plan = await editor.run("compaction.plan", uri=path.as_uri(), show=False, **more)
    done: dict[str, object] = await editor.run("session.compact", token=plan["token"], withNotes=False)
    return done


async def test_a_session_without_checkpoints(home: Home) -> None:
    async with running(home) as editor:
        found = await editor.run("checkpoint.list", uri=home.claw.as_uri())
        assert found["checkpoints"] == []
        assert "no checkpoint yet" in (await page(editor, found["uri"]))["text"]
        assert "no checkpoint yet" in await refused(editor, "checkpoint.restore", uri=home.claw.as_uri())
        sentence = await refused(editor, "checkpoint.plan", uri=home.claw.as_uri(), checkpoint="none")
        assert "no such checkpoint" in sentence


async def test_list_plan_restore_and_back(home: Home) -> None:
    before = home.claw.read_bytes()
    async with running(home, writes=True) as editor:
        await compacted(editor, home.claw)
        after = home.claw.read_bytes()
        listed = await editor.run("checkpoint.list", uri=home.claw.as_uri())
        (row,) = listed["checkpoints"]
        assert (row["reason"], row["messages"], row["bytes"], row["state"]) == (
            "compaction",
            12,
            len(before),
            "there",
        )
        text = (await page(editor, listed["uri"]))["text"]
        assert "before compaction" in text and "(now)" in text and row["id"] in text
        plan = await editor.run("checkpoint.plan", uri=home.claw.as_uri(), checkpoint=row["id"])
        assert (plan["plan"]["removed"], plan["plan"]["added"]) == (1, 8)
        assert "−1 +8 messages" in (await page(editor, plan["uri"]))["text"]
        left, right = [(await page(editor, plan[side]))["text"] for side in ("left", "right")]
        assert [side.count("\n## System") for side in (left, right)] == [1, 0]
        assert right.split("# What stays")[0].count("\n- ") == 8
        assert home.claw.read_bytes() == after
        done = await editor.run("checkpoint.restore", token=plan["token"])
        assert (done["restored"], done["removed"], done["added"]) == (True, 1, 8)
        assert home.claw.read_bytes() == before
        again = await editor.run("checkpoint.list", uri=home.claw.as_uri(), show=False)
        assert [each["reason"] for each in again["checkpoints"]] == ["restore", "compaction"]
        undone = await editor.run("change.undo", change=done["change"])
        assert undone["undone"] is True
        assert home.claw.read_bytes() == after
        assert await refused(editor, "checkpoint.restore", token=plan["token"])
        assert editor.asked == []


async def test_the_user_chooses_is_asked_and_may_undo(home: Home) -> None:
    before = home.claw.read_bytes()
    async with running(home, writes=True) as editor:
        editor.may_say = True
        await compacted(editor, home.claw)
        after = home.claw.read_bytes()
        editor.answers = [None]
        assert (await editor.run("checkpoint.restore", uri=home.claw.as_uri()))["restored"] is False
        (choice,) = [each.title for each in editor.asked[0].actions]
        assert choice.startswith("before compaction · ")
        editor.answers = [choice, "Cancel"]
        assert (await editor.run("checkpoint.restore", uri=home.claw.as_uri()))["restored"] is False
        assert home.claw.read_bytes() == after
        editor.answers = [choice, "Preview", "Restore", "Undo"]
        done = await editor.run("checkpoint.restore", uri=home.claw.as_uri())
        assert done["restored"] is True
        assert Path(str(done["checkpoint"])).read_bytes() == after
        await editor.until(lambda: home.claw.read_bytes() == after)
        assert before != after
        assert "Restore “" in editor.asked[-2].message
        # The other was made soon after: their times tell them apart.
        editor.answers = [None]
        await editor.run("checkpoint.restore", uri=home.claw.as_uri())
        one, other = [each.title.split(" · ")[1] for each in editor.asked[-1].actions]
        assert one != other
        assert len(one) == len(other)


async def test_a_session_that_changed_since_is_kept_as_it_is(home: Home) -> None:
    async with running(home, writes=True) as editor:
        await compacted(editor, home.claw)
        (row,) = (await editor.run("checkpoint.list", uri=home.claw.as_uri(), show=False))["checkpoints"]
        plan = await editor.run("checkpoint.plan", uri=home.claw.as_uri(), checkpoint=row["id"], show=False)
        add_message(home.claw, "went on")
        before = home.claw.read_bytes()
        assert "changed meanwhile" in await refused(editor, "checkpoint.restore", token=plan["token"])
        assert home.claw.read_bytes() == before


@pytest.mark.parametrize("damage", ["flipped", "link", "hard-link", "gone"])
async def test_a_damaged_checkpoint_does_not_come_back(home: Home, damage: str, tmp_path: Path) -> None:
    async with running(home, writes=True) as editor:
        done = await compacted(editor, home.claw)
        copy = Path(str(done["checkpoint"]))
        if damage == "flipped":
            data = bytearray(copy.read_bytes())
            data[100] ^= 1
            copy.chmod(0o600)
            copy.write_bytes(data)
        elif damage == "link":
            copy.rename(tmp_path / "elsewhere")
            copy.symlink_to(tmp_path / "elsewhere")
        elif damage == "hard-link":
            os.link(copy, tmp_path / "elsewhere")
        else:
            copy.unlink()
        before = home.claw.read_bytes()
        (row,) = (await editor.run("checkpoint.list", uri=home.claw.as_uri(), show=False))["checkpoints"]
        sentence = await refused(
            editor, "checkpoint.plan", uri=home.claw.as_uri(), checkpoint=row["id"], show=False
        )
        assert "Nothing was changed" in sentence
        assert home.claw.read_bytes() == before


async def test_a_tree_comes_back_as_a_new_file(home: Home) -> None:
    put(home.pi, long_tree(home.pi), hours_ago=3)
    before = home.pi.read_bytes()
    async with running(home, writes=True) as editor:
        await compacted(editor, home.pi, maxTokens=1)
        after = home.pi.read_bytes()
        (row,) = (await editor.run("checkpoint.list", uri=home.pi.as_uri(), show=False))["checkpoints"]
        plan = await editor.run("checkpoint.plan", uri=home.pi.as_uri(), checkpoint=row["id"], show=False)
        done = await editor.run("checkpoint.restore", token=plan["token"])
        new = Path(done["uri"].removeprefix("file://"))
        assert new != home.pi
        assert home.pi.read_bytes() == after
        assert new.read_bytes().split(b"\n")[1:] == before.split(b"\n")[1:]
        assert json.loads(new.read_bytes().split(b"\n")[0])["id"] == done["sessionId"]
        await editor.run("change.undo", change=done["change"])
        assert not new.exists()
        assert home.pi.read_bytes() == after
