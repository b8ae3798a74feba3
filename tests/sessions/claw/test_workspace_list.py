"""The sessions that lie in a workspace: their order, their titles, and those that cannot be read."""

from __future__ import annotations

import json
import os
from pathlib import Path

from agentbrief.disk.seam import FS
from agentbrief.sessions.formats.claw_store import session_folders
from agentbrief.sessions.workspace_list import claw_sessions, own_sessions


class Counting(FS):
    """Counts the files that are opened."""

    def __init__(self) -> None:
        self.opened = 0

    def open_read(self, path: str) -> int:
        self.opened += 1
        return super().open_read(path)


def claw(words: list[str], updated: int, **more: object) -> str:
    messages = [{"role": "user", "blocks": [{"type": "text", "text": word}]} for word in words]
    return json.dumps({"version": 1, "updated_at_ms": updated, "messages": messages, **more})


def port(identifier: str, *messages: object) -> str:
    return json.dumps({"session_id": identifier, "messages": messages, "input_tokens": 0, "output_tokens": 0})


def put(folder: Path, name: str, text: str, mtime: int) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / name
    path.write_text(text, "utf-8")
    os.utime(path, (mtime, mtime))


def test_both_folders_of_claw_code(tmp_path: Path) -> None:
    workspace = str(tmp_path)
    new, old = map(Path, session_folders(workspace))
    put(new, "a.jsonl", claw(["hi", "Fix the login"], 5), 100)
    put(new, "b.json", claw([], 9, workspace_root="/elsewhere"), 100)
    put(new, "broken.jsonl", '{"type":"x"}\n', 300)
    put(new, "a.rot-1.jsonl", "old", 1)
    put(new, "a.rot-2.jsonl", "old", 1)
    put(new, ".agentbrief.json", "{}", 1)
    put(new, "notes.txt", "x", 1)
    put(old, "c.jsonl", claw(["你好", "登录页重定向"], 7, workspace_root=workspace), 50)
    (new / "folder.jsonl").mkdir()
    (new / "link.jsonl").symlink_to("/nowhere")
    found = claw_sessions(FS(), workspace, frozenset({workspace}))
    assert [one.id for one in found] == ["b", "c", "a", "link", "broken"]
    rows = {one.id: one for one in found}
    assert rows["a"].title == "Fix the login"
    assert rows["a"].rotated == ("a.rot-2.jsonl", "a.rot-1.jsonl")
    assert rows["c"].title == "登录页重定向"
    assert (rows["b"].is_foreign, rows["c"].is_foreign, rows["a"].is_foreign) == (True, False, False)
    assert (rows["broken"].unreadable, rows["broken"].messages, rows["broken"].mtime_ms) == (
        "unknown-record",
        0,
        300_000,
    )
    assert rows["link"].unreadable == "dangling-link"
    assert set(rows) == {"a", "b", "c", "broken", "link"}


def test_the_workspace_s_own_sessions(tmp_path: Path) -> None:
    store = tmp_path / ".port_sessions"
    put(store, "one.json", port("one", "hello", "Write the tests"), 100)
    put(store, "two.json", port("other", {"role": "assistant", "blocks": []}), 200)
    put(store, "bad.json", "[]", 300)
    put(store, "one.transcript.jsonl", "", 400)
    put(store, "CON.json", port("CON"), 1)
    found = own_sessions(FS(), str(tmp_path), frozenset({str(tmp_path)}))
    assert [(one.id, one.messages, one.unreadable, one.title) for one in found] == [
        ("two", 1, None, ""),
        ("one", 2, None, "Write the tests"),
        ("bad", 0, "bad-top-level", ""),
    ]


def test_no_folder_is_no_session(tmp_path: Path) -> None:
    roots = frozenset({str(tmp_path)})
    assert own_sessions(FS(), str(tmp_path), roots) == ()
    assert claw_sessions(FS(), str(tmp_path), roots) == ()


def test_what_is_known_is_not_opened_again(tmp_path: Path) -> None:
    workspace = str(tmp_path)
    roots = frozenset({workspace})
    folder = Path(session_folders(workspace)[0])
    put(folder, "a.jsonl", claw(["one"], 5), 100)
    put(folder, "b.jsonl", claw(["two"], 6), 100)
    disk = Counting()
    first = claw_sessions(disk, workspace, roots)
    assert disk.opened == 2
    put(folder, "b.jsonl", claw(["three"], 7), 101)
    again = claw_sessions(disk, workspace, roots, {one.path: one for one in first})
    assert disk.opened == 3
    assert [one.title for one in again] == ["three", "one"]
