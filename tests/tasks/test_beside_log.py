"""The log of a hook beside briefs: which session, which files, and what is told where there is nothing."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from agentbrief.disk.files import DiskFiles
from agentbrief.disk.open_files import OpenFiles
from agentbrief.disk.seam import FS
from agentbrief.oracle.beside import Beside
from agentbrief.oracle.log import END_BYTES
from agentbrief.profiles.load import profile, profile_ids
from agentbrief.tasks.beside_log import log_beside
from agentbrief.tasks.settings import Settings, parse
from agentbrief.tasks.setup import Setup, brief_from
from tests.oracle.written import line

CLAW, CODE = profile("claw"), profile("claw-code")


class Shop:
    """A workspace in a home, a log beside it, and what is said of both."""

    def __init__(self, folder: Path) -> None:
        self.home = Path(os.path.realpath(folder)) / "home"
        self.root = self.home / "shop"
        self.log = self.home / "hook.jsonl"
        self.fs = FS()
        self.disk = DiskFiles(self.fs, time.time_ns)
        self.given = "~/hook.jsonl"
        for name in ("CLAUDE.md", "CLAUDE.local.md", "AGENTS.md", "api/CLAUDE.md"):
            self.put(name, f"# {name}\n")
        (self.root / ".git").mkdir()

    def put(self, name: str, text: str) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        return path

    def path(self, name: str) -> str:
        return str(self.root / name)

    def loaded(self, name: str, **more: Any) -> bytes:
        """A line of the hook for a file of the workspace, or for one with a whole path."""
        return line(str(self.root / name), **{"cwd": str(self.root), **more}) + b"\n"

    def setup(self) -> Setup:
        return Setup(self.disk.glance(), (str(self.root),), Settings().replaced("oracleLog", self.given))

    def beside(self, agents: Sequence[str] = ("claw",), start: str = "") -> Beside:
        setup = self.setup()
        folder = str(self.root / start)
        briefs = [brief_from(setup, profile(name), folder) for name in agents]
        found = log_beside(setup, briefs, str(self.home))
        assert found is not None
        return found

    def told(self, *lines: bytes, start: str = "", agents: Sequence[str] = ("claw",)) -> dict[str, str]:
        """Each file with where it is named: both, log, brief (of the first agent)."""
        self.log.write_bytes(b"".join(lines))
        found = self.beside(agents, start)
        assert found.problem is None
        return {
            os.path.relpath(row.path, self.root): "both"
            if row.is_in_log and row.sent[0]
            else "log"
            if row.is_in_log
            else "brief"
            for row in found.rows
        }


@pytest.fixture
def shop(tmp_path: Path) -> Shop:
    return Shop(tmp_path)


def test_in_both_only_in_the_log_only_predicted(shop: Shop) -> None:
    home = {"memory_type": "User"}
    found = shop.told(
        shop.loaded("CLAUDE.md"),
        shop.loaded("../.claude/CLAUDE.md", **home),
        shop.loaded("api/CLAUDE.md", reason="nested_traversal", trigger_file_path=shop.path("api/x.py")),
    )
    assert found == {
        "CLAUDE.md": "both",
        "CLAUDE.local.md": "brief",
        "../.claude/CLAUDE.md": "log",
        "api/CLAUDE.md": "log",
    }


def test_a_file_that_is_known_and_not_sent_is_in_the_log_only(shop: Shop) -> None:
    shop.put("CLAUDE.local.md", " \n")
    found = shop.told(shop.loaded("CLAUDE.md"), shop.loaded("CLAUDE.local.md"), shop.loaded("AGENTS.md"))
    assert found == {"CLAUDE.md": "both", "CLAUDE.local.md": "log", "AGENTS.md": "log"}


def test_several_agents_have_one_row_a_file(shop: Shop) -> None:
    shop.log.write_bytes(shop.loaded("CLAUDE.md"))
    found = shop.beside(("claw", "claw-code"))
    assert {os.path.relpath(row.path, shop.root): (row.is_in_log, row.sent) for row in found.rows} == {
        "CLAUDE.md": (True, (True, True)),
        "CLAUDE.local.md": (False, (True, True)),
        "AGENTS.md": (False, (False, True)),
    }


def test_loads_of_one_file_stand_together_in_their_order(shop: Shop) -> None:
    shop.log.write_bytes(shop.loaded("CLAUDE.md") + shop.loaded("CLAUDE.md", reason="compact"))
    row = shop.beside().rows[0]
    assert [load.load_reason for load in row.loads] == ["session_start", "compact"]


SESSIONS: dict[str, tuple[Callable[[Shop], list[bytes]], str, str | None, set[str]]] = {
    "the newest of two": (
        lambda shop: [shop.loaded("CLAUDE.md"), shop.loaded("CLAUDE.local.md", session_id="s2")],
        "",
        "s2",
        {"CLAUDE.local.md"},
    ),
    "the newest by its last word": (
        lambda shop: [
            shop.loaded("CLAUDE.md"),
            shop.loaded("AGENTS.md", session_id="s2"),
            shop.loaded("CLAUDE.local.md"),
        ],
        "",
        "s1",
        {"CLAUDE.md", "CLAUDE.local.md"},
    ),
    "a newer one elsewhere": (
        lambda shop: [
            shop.loaded("CLAUDE.md"),
            shop.loaded("api/CLAUDE.md", cwd=shop.path("api"), session_id="s2"),
        ],
        "",
        "s1",
        {"CLAUDE.md"},
    ),
    "what a session loads in another folder is not of this one": (
        lambda shop: [shop.loaded("CLAUDE.md"), shop.loaded("api/CLAUDE.md", cwd=shop.path("api"))],
        "",
        "s1",
        {"CLAUDE.md"},
    ),
    "a folder below": (
        lambda shop: [
            shop.loaded("CLAUDE.md", cwd=shop.path("api"), session_id="s2"),
            shop.loaded("CLAUDE.local.md"),
        ],
        "api",
        "s2",
        {"CLAUDE.md"},
    ),
    "a folder with a slash at its end": (
        lambda shop: [shop.loaded("CLAUDE.md", cwd=str(shop.root) + "/")],
        "",
        "s1",
        {"CLAUDE.md"},
    ),
    "no sessions are named": (
        lambda shop: [
            shop.loaded("CLAUDE.md", session_id=None),
            shop.loaded("AGENTS.md", session_id=None),
        ],
        "",
        None,
        {"CLAUDE.md", "AGENTS.md"},
    ),
    "no folders are named: at, above and below": (
        lambda shop: [
            shop.loaded(name, cwd=None)
            for name in ("CLAUDE.md", "../CLAUDE.md", "api/v1/.claude/rules/a.md", ".claude/CLAUDE.md")
        ]
        + [shop.loaded(name, cwd=None) for name in ("../other/CLAUDE.md", "../shop2/CLAUDE.md")],
        "",
        "s1",
        {"CLAUDE.md", "../CLAUDE.md", "api/v1/.claude/rules/a.md", ".claude/CLAUDE.md"},
    ),
    "no folders are named: rules of a folder above": (
        lambda shop: [shop.loaded(".claude/rules/a.md", cwd=None), shop.loaded("web/CLAUDE.md", cwd=None)],
        "api",
        "s1",
        {".claude/rules/a.md"},
    ),
    "no folders are named: a file of the user says nothing of where": (
        lambda shop: [
            shop.loaded("../.claude/CLAUDE.md", cwd=None, memory_type="User"),
            shop.loaded("CLAUDE.md", cwd=None),
            shop.loaded("../.claude/CLAUDE.md", cwd=None, memory_type="User", session_id="s2"),
            shop.loaded("../other/CLAUDE.md", cwd=None, session_id="s2"),
        ],
        "",
        "s1",
        {"../.claude/CLAUDE.md", "CLAUDE.md"},
    ),
    "only a file of the organisation": (
        lambda shop: [line("/etc/claude-code/CLAUDE.md", cwd=None, memory_type="Managed")],
        "",
        "s1",
        {"../../../../../../etc/claude-code/CLAUDE.md"},
    ),
    "a path as seen from its folder": (
        lambda shop: [line("CLAUDE.md", cwd=str(shop.root))],
        "",
        "s1",
        {"CLAUDE.md"},
    ),
}  # fmt: skip


@pytest.mark.parametrize(("lines", "start", "session", "paths"), SESSIONS.values(), ids=SESSIONS.keys())
def test_which_loads_are_shown(
    shop: Shop, lines: Callable[[Shop], list[bytes]], start: str, session: str | None, paths: set[str]
) -> None:
    shop.log.write_bytes(b"".join(lines(shop)))
    found = shop.beside(start=start)
    assert found.session is not None
    assert found.session.session_id == session
    named = {os.path.relpath(row.path, shop.root) for row in found.rows if row.is_in_log}
    assert {each.lstrip("./") for each in named} == {each.lstrip("./") for each in paths}


def test_a_link_to_the_folder_is_the_folder(shop: Shop) -> None:
    link = shop.home / "link"
    link.symlink_to(shop.root)
    assert shop.told(line(str(link / "CLAUDE.md"), cwd=str(link)))["CLAUDE.md"] == "both"
    assert shop.told(line(str(link / "CLAUDE.md"), cwd=None))["CLAUDE.md"] == "both"
    assert shop.told(line(str(link / "CLAUDE.md"), cwd=None), start="api")["CLAUDE.md"] == "both"
    assert "api/CLAUDE.md" not in shop.told(line(str(link / "api" / "new.md"), cwd=None))


def test_a_start_folder_that_is_a_link_is_the_folder_too(shop: Shop) -> None:
    link = shop.home / "link"
    link.symlink_to(shop.root)
    for more in ({}, {"cwd": None}):
        shop.log.write_bytes(shop.loaded("CLAUDE.md", **more))
        setup = Setup(shop.disk.glance(), (str(link),), shop.setup().settings)
        found = log_beside(setup, [brief_from(setup, CLAW, str(link))], str(shop.home))
        assert found is not None
        assert [(row.path, row.is_in_log, row.sent) for row in found.rows] == [
            (str(link / "CLAUDE.md"), True, (True,)),
            (str(link / "CLAUDE.local.md"), False, (True,)),
        ]


def test_a_link_to_a_file_is_the_file(shop: Shop) -> None:
    (shop.root / "CLAUDE.local.md").unlink()
    (shop.root / "CLAUDE.local.md").symlink_to(shop.root / "AGENTS.md")
    assert shop.told(shop.loaded("AGENTS.md"))["CLAUDE.local.md"] == "both"
    assert shop.told(shop.loaded("CLAUDE.local.md"))["CLAUDE.local.md"] == "both"


def test_of_two_names_of_one_file_each_is_itself(shop: Shop) -> None:
    os.link(shop.root / "CLAUDE.md", shop.root / "other.md")
    (shop.root / "CLAUDE.local.md").unlink()
    os.link(shop.root / "CLAUDE.md", shop.root / "CLAUDE.local.md")
    found = shop.told(shop.loaded("CLAUDE.local.md"), agents=("claw-code",))
    assert found["CLAUDE.local.md"] != "brief"
    assert shop.told(shop.loaded("other.md"))["CLAUDE.md"] == "both"


class FoldingFS(FS):
    """A disk that takes names in any case."""

    def lstat(self, path: str) -> os.stat_result:
        try:
            return super().lstat(path)
        except OSError:
            folder, name = os.path.split(path)
            for each in os.listdir(folder):
                if each.lower() == name.lower():
                    return super().lstat(os.path.join(folder, each))
            raise


def test_on_a_disk_that_folds_case_another_case_is_the_same_file(shop: Shop) -> None:
    assert shop.told(shop.loaded("claude.md"))["claude.md"] == "log"
    shop.disk = DiskFiles(FoldingFS(), time.time_ns)
    found = shop.told(shop.loaded("claude.md"))
    assert "claude.md" not in found
    assert found["CLAUDE.md"] == "both"


@pytest.mark.parametrize(
    "path", ["//host/share/CLAUDE.md", "/w/\u0000/CLAUDE.md", "C:\\w\\CLAUDE.md", "/w/con"]
)
def test_what_a_stranger_spelled_is_shown_and_not_looked_at(shop: Shop, path: str) -> None:
    looked: list[str] = []

    class Watched(FS):
        def lstat(self, path: str) -> os.stat_result:
            looked.append(path)
            return super().lstat(path)

    shop.disk = DiskFiles(Watched(), time.time_ns)
    shop.log.write_bytes(line(path, cwd=str(shop.root)))
    rows = shop.beside().rows
    assert [row.is_in_log for row in rows if path in row.path] == [True]
    assert path not in looked


def test_a_file_of_the_log_is_never_opened(shop: Shop) -> None:
    opened: list[str] = []

    class Watched(FS):
        def open_read(self, path: str) -> int:
            opened.append(path)
            return super().open_read(path)

    secret = shop.put("secret.md", "x")
    shop.disk = DiskFiles(Watched(), time.time_ns)
    assert shop.told(shop.loaded("secret.md"))["secret.md"] == "log"
    assert str(shop.log) in opened
    assert str(secret) not in opened


# Where there is nothing to compare


def unreadable(shop: Shop) -> None:
    shop.log.write_bytes(shop.loaded("CLAUDE.md"))

    class Refusing(FS):
        def open_read(self, path: str) -> int:
            if path == str(shop.log):
                raise PermissionError(13, "no")
            return super().open_read(path)

    shop.disk = DiskFiles(Refusing(), time.time_ns)


def failing(shop: Shop) -> None:
    shop.log.write_bytes(shop.loaded("CLAUDE.md"))

    class Failing(FS):
        def pread(self, descriptor: int, size: int, offset: int) -> bytes:
            raise OSError(5, "no")

    shop.disk = DiskFiles(Failing(), time.time_ns)


def leading_out(shop: Shop) -> None:
    elsewhere = shop.home.parent / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / "log").write_bytes(shop.loaded("CLAUDE.md"))
    shop.log.symlink_to(elsewhere / "log")


PROBLEMS: dict[str, tuple[Callable[[Shop], object], str, str, str]] = {
    "missing": (lambda shop: None, "~/hook.jsonl", "missing", ""),
    "no folder": (lambda shop: None, "~/no/hook.jsonl", "missing", ""),
    "below a file": (lambda shop: shop.log.write_bytes(b"x"), "~/hook.jsonl/log", "missing", ""),
    "empty": (lambda shop: shop.log.write_bytes(b""), "~/hook.jsonl", "empty", ""),
    "nothing of the hook": (
        lambda shop: shop.log.write_bytes(b'{"hook_event_name":"Stop"}\n'),
        "~/hook.jsonl",
        "empty",
        "",
    ),
    "a folder": (lambda shop: shop.log.mkdir(), "~/hook.jsonl", "not-a-file", ""),
    "a pipe": (lambda shop: os.mkfifo(shop.log), "~/hook.jsonl", "not-a-file", ""),
    "a device": (lambda shop: None, "/dev/null", "not-a-file", ""),
    "a link to nothing": (lambda shop: shop.log.symlink_to("gone"), "~/hook.jsonl", "dangling-link", ""),
    "a link that leads out": (leading_out, "~/hook.jsonl", "outside-roots", "elsewhere/log"),
    "no permission": (unreadable, "~/hook.jsonl", "unreadable", "eacces"),
    "a disk error": (failing, "~/hook.jsonl", "unreadable", "failed"),
    "relative": (lambda shop: None, "hook.jsonl", "relative", ""),
    "relative with dots": (lambda shop: None, "../hook.jsonl", "relative", ""),
    "only a tilde": (lambda shop: None, "~", "relative", ""),
    "a home of another": (lambda shop: None, "~kim/hook.jsonl", "refused", "home-of-another-user"),
    "a network path": (lambda shop: None, "//host/hook.jsonl", "refused", "network-or-device-path"),
    "a control character": (lambda shop: None, "/w/\x1b[2J", "refused", "control-character"),
    "another folder": (
        lambda shop: shop.log.write_bytes(line("/x/CLAUDE.md", cwd="/x")),
        "~/hook.jsonl",
        "no-session",
        "/x",
    ),
    "another folder that is not named": (
        lambda shop: shop.log.write_bytes(line("/x/CLAUDE.md", cwd=None)),
        "~/hook.jsonl",
        "no-session",
        "",
    ),
}


@pytest.mark.parametrize(("prepare", "given", "problem", "detail"), PROBLEMS.values(), ids=PROBLEMS.keys())
def test_why_there_is_nothing_to_compare(
    shop: Shop, prepare: Callable[[Shop], object], given: str, problem: str, detail: str
) -> None:
    prepare(shop)
    shop.given = given
    found = shop.beside()
    assert (found.problem, found.rows, found.session) == (problem, (), None)
    assert found.detail.endswith(detail)
    assert bool(found.detail) == bool(detail)


@pytest.mark.parametrize("given", ["", "  "])
def test_without_the_setting_nothing_is_looked_at(shop: Shop, given: str) -> None:
    shop.given = given
    setup = shop.setup()
    assert log_beside(setup, [brief_from(setup, CLAW, str(shop.root))], str(shop.home)) is None


def test_a_workspace_never_names_the_log() -> None:
    given, warnings = parse({}, {"oracleLog": "/etc/passwd"}, trusted=True)
    assert given.text("oracleLog") == ""
    assert [(each.message, each.key) for each in warnings] == [("setting-machine-only", "oracleLog")]


def test_an_absolute_path_and_a_log_in_a_linked_folder(shop: Shop) -> None:
    (shop.home / "logs").mkdir()
    (shop.home / "logs" / "a.jsonl").write_bytes(shop.loaded("CLAUDE.md"))
    (shop.home / "linked").symlink_to(shop.home / "logs")
    for folder in ("logs", "linked"):
        shop.given = str(shop.home / folder / "a.jsonl")
        assert shop.beside().problem is None


# What is read, and when


class CountingFS(FS):
    """Counts how often the log is opened, and how many bytes of it are read."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.bytes = 0

    def open_read(self, path: str) -> int:
        self.opened.append(os.path.basename(path))
        return super().open_read(path)

    def pread(self, descriptor: int, size: int, offset: int) -> bytes:
        found = super().pread(descriptor, size, offset)
        self.bytes += len(found)
        return found


def test_the_log_is_read_again_only_if_it_changed(shop: Shop) -> None:
    fs = CountingFS()
    shop.disk = DiskFiles(fs, time.time_ns)
    shop.log.write_bytes(shop.loaded("CLAUDE.md"))
    time.sleep(0.06)
    for _ in range(3):
        assert [row.is_in_log for row in shop.beside().rows] == [True, False]
    assert fs.opened.count("hook.jsonl") == 1
    with shop.log.open("ab") as file:
        file.write(shop.loaded("CLAUDE.local.md"))
    assert [row.is_in_log for row in shop.beside().rows] == [True, True]
    shop.log.unlink()
    assert shop.beside().problem == "missing"
    shop.log.write_bytes(shop.loaded("CLAUDE.md"))
    assert [row.is_in_log for row in shop.beside().rows] == [True, False]


def test_a_log_whose_folder_comes_later_is_found(shop: Shop) -> None:
    shop.given = "~/logs/hook.jsonl"
    assert shop.beside().problem == "missing"
    (shop.home / "logs").mkdir()
    assert shop.beside().problem == "missing"
    (shop.home / "logs" / "hook.jsonl").write_bytes(shop.loaded("CLAUDE.md"))
    assert shop.beside().problem is None


def test_of_a_big_log_the_end_is_read(shop: Shop) -> None:
    fs = CountingFS()
    shop.disk = DiskFiles(fs, time.time_ns)
    old = shop.loaded("AGENTS.md", session_id="s0")
    shop.log.write_bytes(old * (5 * END_BYTES // len(old) + 1) + shop.loaded("CLAUDE.md"))
    found = shop.beside()
    assert found.session is not None
    assert found.session.session_id == "s1"
    assert found.skipped == shop.log.stat().st_size - END_BYTES
    assert found.damages == ()
    assert fs.bytes == END_BYTES


def test_damages_stand_beside_what_was_read(shop: Shop) -> None:
    assert shop.told(shop.loaded("CLAUDE.md"), b"\0\0\n{torn")["CLAUDE.md"] == "both"
    assert [(each.line, each.reason) for each in shop.beside().damages] == [(2, "nul-run"), (3, "not-json")]
    shop.log.write_bytes(b"nothing\n")
    found = shop.beside()
    assert (found.problem, len(found.damages)) == ("empty", 1)


def test_open_editors_change_nothing_of_the_log(shop: Shop) -> None:
    shop.log.write_bytes(shop.loaded("CLAUDE.md"))
    texts = {str(shop.log): "", shop.path("CLAUDE.md"): "# New\n", shop.path("api/new/CLAUDE.md"): "x"}
    files = OpenFiles(shop.disk, texts)
    setup = Setup(files, (str(shop.root),), Settings().replaced("oracleLog", "~/hook.jsonl"))
    for start in (shop.root, shop.root / "api"):
        brief = brief_from(setup, CLAW, str(start))
        found = log_beside(setup, [brief], str(shop.home))
        assert found is not None
        assert (found.problem is None) == (start == shop.root)


@pytest.mark.parametrize(
    "name", [each for each in profile_ids() if profile(each).walk is not None], ids=lambda name: name
)
def test_every_agent(shop: Shop, name: str) -> None:
    shop.log.write_bytes(shop.loaded("CLAUDE.md") + shop.loaded("AGENTS.md", reason="include"))
    rows = shop.beside((name,)).rows
    assert {os.path.basename(row.path) for row in rows if row.is_in_log} == {"CLAUDE.md", "AGENTS.md"}
    assert any(row.sent[0] for row in rows)
