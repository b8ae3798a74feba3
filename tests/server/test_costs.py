"""What things cost, in counts: files opened, looks at the disk, watches, messages, modules. Never in time."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from agentbrief.disk.files import DiskFiles
from agentbrief.disk.open_files import OpenFiles
from agentbrief.disk.seam import FS
from agentbrief.tasks.check import check
from agentbrief.tasks.judge import judge
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.setup import Setup
from tests.house.sources import ROOT
from tests.server.conftest import Start
from tests.server.editor import Editor

NAMES = ("CLAUDE.md", "CLAUDE.local.md", ".claude/CLAUDE.md")


class CountingFS(FS):
    """Counts the calls that cost something."""

    def __init__(self) -> None:
        super().__init__()
        self.opened = self.looked = self.listed = 0

    def open_read(self, path: str) -> int:
        self.opened += 1
        return super().open_read(path)

    def lstat(self, path: str) -> os.stat_result:
        self.looked += 1
        return super().lstat(path)

    def stat(self, path: str) -> os.stat_result:
        self.looked += 1
        return super().stat(path)

    def names(self, folder: str) -> list[str]:
        self.listed += 1
        return super().names(folder)

    def counts(self) -> tuple[int, int, int]:
        """Opens, looks and lists since the last time."""
        found = self.opened, self.looked, self.listed
        self.opened = self.looked = self.listed = 0
        return found


@pytest.fixture
def chain(tmp_path: Path) -> Path:
    """Four files over seven folders, all older than what is looked at again; the deepest folder."""
    root = Path(os.path.realpath(tmp_path)) / "w"
    deepest = root.joinpath(*(f"level{number}" for number in range(1, 7)))
    deepest.mkdir(parents=True)
    (root / ".git").mkdir()
    for path in (
        root / "CLAUDE.md",
        root / "CLAUDE.local.md",
        root / "level1/CLAUDE.md",
        deepest / "CLAUDE.md",
    ):
        path.write_text(f"# {path}\n" + "- a rule\n" * 500, encoding="ascii")
    settle(root)
    return deepest


def settle(root: Path) -> None:
    """Let everything below and above be older than 50 ms: a younger stamp may stand for two versions."""
    time.sleep(0.06)
    assert time.time_ns() - root.stat().st_mtime_ns > 50_000_000


def setup_of(fs: FS, root: Path) -> Setup:
    return Setup(DiskFiles(fs, time.time_ns), (str(root),), Settings())


def test_an_unchanged_answer_opens_and_lists_nothing(chain: Path) -> None:
    fs = CountingFS()
    setup = setup_of(fs, chain.parents[5])
    first = judge(setup, [str(chain)])
    opened, _, listed = fs.counts()
    assert opened >= 4
    assert listed >= 7
    again = judge(setup, [str(chain)])
    assert again is first
    opened, looked, listed = fs.counts()
    assert (opened, listed) == (0, 0)
    folders, files, above = 7, 4, len(chain.parents) - 6
    assert looked <= folders + files + above


def test_an_edit_opens_and_lists_nothing(chain: Path) -> None:
    fs = CountingFS()
    root = chain.parents[5]
    disk, settings = DiskFiles(fs, time.time_ns), Settings()
    path = str(chain / "CLAUDE.md")

    def judged(text: str) -> list[str]:
        files = OpenFiles(disk, {path: text}).glance()
        return [each.code for each in judge(Setup(files, (str(root),), settings), [str(chain)], path)]

    def counted() -> tuple[int, int, int]:
        assert "file-over-limit" in judged("x" * 5000)
        fs.counts()
        assert "file-over-limit" not in judged("x")
        assert "file-over-limit" in judged("y" * 5000)
        return fs.counts()

    # The folder for temporary files is above: where others change it just now, it is looked at again.
    opened, looked, listed = min(counted() for _ in range(10))
    assert (opened, listed) == (0, 0)
    assert looked <= 2 * (7 + 4 + len(chain.parents) - 6)


def test_a_change_on_disk_is_never_missed(chain: Path) -> None:
    """Each kind of change, one after the other: what was concluded before does not hold any more."""
    fs = CountingFS()
    root = chain.parents[5]
    setup = setup_of(fs, root)
    elsewhere = root / "elsewhere.md"
    elsewhere.write_text("z" * 5000, encoding="ascii")
    deepest = chain / "CLAUDE.md"

    def over() -> set[str]:
        found = judge(setup, [str(chain)])
        return {os.path.relpath(each.path, root) for each in found if each.code == "file-over-limit"}

    def renamed() -> None:
        (root / "level1/CLAUDE.md").rename(root / "level1/CLAUDE.local.md")

    def linked() -> None:
        (root / "CLAUDE.local.md").unlink()
        (root / "CLAUDE.local.md").symlink_to(elsewhere)

    name = str(deepest.relative_to(root))
    steps: list[tuple[Any, set[str]]] = [
        (lambda: None, {"CLAUDE.md", "CLAUDE.local.md", "level1/CLAUDE.md", name}),
        (
            lambda: deepest.write_text("short", encoding="ascii"),
            {"CLAUDE.md", "CLAUDE.local.md", "level1/CLAUDE.md"},
        ),
        (renamed, {"CLAUDE.md", "CLAUDE.local.md", "level1/CLAUDE.local.md"}),
        (linked, {"CLAUDE.md", "CLAUDE.local.md", "level1/CLAUDE.local.md"}),
        (
            lambda: elsewhere.write_text("short again", encoding="ascii"),
            {"CLAUDE.md", "level1/CLAUDE.local.md"},
        ),
        (lambda: (root / "CLAUDE.md").unlink(), {"level1/CLAUDE.local.md"}),
        (lambda: (root / "level1/.claude").mkdir(), {"level1/CLAUDE.local.md"}),
        (
            lambda: (root / "level1/.claude/CLAUDE.md").write_text("v" * 5000, encoding="ascii"),
            {"level1/CLAUDE.local.md", "level1/.claude/CLAUDE.md"},
        ),
        (lambda: (root / "level1").rename(root / "gone"), set()),
    ]
    for change, wanted in steps:
        change()
        assert over() == wanted
        settle(root)
        assert over() == wanted
        assert over() == wanted


def test_a_check_looks_at_each_entry_once(tmp_path: Path) -> None:
    root = Path(os.path.realpath(tmp_path)) / "w"
    for number in range(60):
        folder = root / f"p{number}"
        folder.mkdir(parents=True)
        (folder / "CLAUDE.md").write_text(f"# {number}\n", encoding="ascii")
    (root / "CLAUDE.md").write_text("# root\n", encoding="ascii")
    settle(root)
    fs = CountingFS()
    found = check(setup_of(fs, root), [str(root)], fs)
    assert found.files == 61
    opened, looked, listed = fs.counts()
    assert opened == 61
    folders = 61 + len(root.parents)
    assert listed <= folders
    # A look at each folder and for its .git, and three for each file that is opened.
    assert looked <= folders * 2 + 3 * 61 + len(NAMES) * len(root.parents)


async def test_a_burst_of_edits_is_judged_few_times(editor: Start, workspace: Path) -> None:
    client = await editor("none")
    sent = told(client)
    uri = client.open("api/CLAUDE.md")
    await client.until(lambda: [each for each in sent if each.uri == uri])
    await asyncio.sleep(0.5)
    sent.clear()
    for version in range(2, 52):
        client.change("api/CLAUDE.md", "x" * (6000 + version), version)
    await client.until(lambda: [each for each in sent if each.uri == uri and each.version == 51])
    await asyncio.sleep(0.5)
    mine = [each for each in sent if each.uri == uri]
    assert [each.version for each in mine] == sorted({each.version for each in mine})
    assert len(mine) <= 25
    assert len(sent) - len(mine) <= 4


async def test_the_same_findings_are_not_sent_again(editor: Start, workspace: Path) -> None:
    client = await editor("none")
    client.changes_files = True  # type: ignore[attr-defined]
    sent = told(client)
    uri = client.open("api/CLAUDE.md")
    await client.until(lambda: [each for each in sent if each.uri == uri])
    await client.until(lambda: [each for each in sent if each.uri.endswith("web/CLAUDE.md")])
    await asyncio.sleep(0.6)
    sent.clear()
    for number in range(5):
        (workspace / "api" / f"built{number}.js").write_text("x", encoding="ascii")
        await asyncio.sleep(0.2)
    await asyncio.sleep(0.5)
    assert sent == []


def also(client: Editor, method: str, then: Callable[[Any], None]) -> None:
    """Have ``then`` called with what comes for ``method``, besides what the editor does with it."""
    features: dict[str, Any] = vars(client.client.protocol.fm)["_features"]
    usual = features.get(method)

    def both(params: Any) -> Any:
        then(params)
        return usual(params) if usual is not None else None

    features[method] = both


def told(client: Editor) -> list[Any]:
    """The diagnostics that are sent from now on, message by message."""
    sent: list[Any] = []
    also(client, lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, sent.append)
    return sent


REFRESHES = (
    lsp.WORKSPACE_DIAGNOSTIC_REFRESH, lsp.WORKSPACE_CODE_LENS_REFRESH, lsp.WORKSPACE_INLAY_HINT_REFRESH,
)  # fmt: skip


def refreshes(client: Editor, *, refuse: int | None = None) -> list[str]:
    """The refreshes that the server asks for from now on; refused with that code if one is given."""
    asked: list[str] = []
    for method in REFRESHES:

        def note(_: Any, method: str = method) -> None:
            asked.append(method)
            if refuse is not None:
                raise JsonRpcException("no", refuse)

        also(client, method, note)
    return asked


async def pulled(client: Editor, name: str) -> Any:
    params = lsp.DocumentDiagnosticParams(lsp.TextDocumentIdentifier(client.uri(name)))
    return await client.client.text_document_diagnostic_async(params)


async def test_a_client_that_pulls_is_asked_again_only_for_other_files(editor: Start) -> None:
    client = await editor("vscode")
    client.open("CLAUDE.md")
    for _ in range(3):
        await pulled(client, "CLAUDE.md")
        await asyncio.sleep(0.3)
    asked = refreshes(client)
    await asyncio.sleep(0.5)
    assert asked == []
    # What its own edit changes in its own file it asks for by itself.
    client.change("CLAUDE.md", "# Short and of its own\n" + "x" * 6000, 2)
    await pulled(client, "CLAUDE.md")
    await asyncio.sleep(0.6)
    first = len(asked)
    # The copy in another folder was a duplicate before, and is none now.
    assert asked.count(lsp.WORKSPACE_DIAGNOSTIC_REFRESH) == 1
    for version in range(3, 9):
        client.change("CLAUDE.md", "# Short and of its own\n" + "y" * (6000 + version), version)
        await pulled(client, "CLAUDE.md")
        await asyncio.sleep(0.2)
    await asyncio.sleep(0.5)
    assert len(asked) == first


async def test_pulling_makes_no_refresh(editor: Start) -> None:
    client = await editor("vscode")
    client.open("api/CLAUDE.md")
    await pulled(client, "api/CLAUDE.md")
    await asyncio.sleep(1)
    asked = refreshes(client)
    before: list[lsp.PreviousResultId] = []
    kinds: set[str] = set()
    for _ in range(5):
        await pulled(client, "api/CLAUDE.md")
        params = lsp.WorkspaceDiagnosticParams(previous_result_ids=before)
        report = await client.client.workspace_diagnostic_async(params)
        before = [lsp.PreviousResultId(each.uri, each.result_id or "") for each in report.items]
        kinds = {each.kind for each in report.items}
        await asyncio.sleep(0.1)
    assert asked == []
    assert kinds == {"unchanged"}


@pytest.mark.parametrize(("code", "most"), [(lsp.ErrorCodes.MethodNotFound.value, 1), (-32000, 3)])
async def test_a_client_that_refuses_is_not_asked_for_ever(
    editor: Start, workspace: Path, code: int, most: int
) -> None:
    client = await editor("vscode")
    client.changes_files = True  # type: ignore[attr-defined]
    client.open("api/CLAUDE.md")
    await pulled(client, "api/CLAUDE.md")
    await asyncio.sleep(0.6)
    asked = refreshes(client, refuse=code)
    for number in range(6):
        (workspace / "web/CLAUDE.md").write_text("x" * (5000 + number), encoding="ascii")
        (workspace / "CLAUDE.local.md").write_text("y" * (100 + number), encoding="ascii")
        await asyncio.sleep(0.4)
    assert asked
    assert max(asked.count(method) for method in set(asked)) <= most


async def test_watches_are_few_whatever_the_tree(editor: Start, workspace: Path) -> None:
    client = await editor("none", workspace=workspace)
    for number in range(300):
        folder = workspace / "many" / f"p{number}"
        folder.mkdir(parents=True)
        (folder / "CLAUDE.md").write_text("# p\n", encoding="ascii")
    client.changes_files = True  # type: ignore[attr-defined]
    client.open("api/CLAUDE.md")
    await client.run("workspace.refresh")
    process = client.client._server  # type: ignore[attr-defined]
    assert process is not None

    def watched() -> int:
        found = 0
        for path in Path(f"/proc/{process.pid}/fdinfo").iterdir():
            try:
                found += path.read_text("ascii").count("inotify wd:")
            except OSError:
                continue
        return found

    if not sys.platform.startswith("linux"):
        pytest.skip("inotify watches are counted in /proc")
    await client.until(watched)
    await asyncio.sleep(1)
    assert 0 < watched() <= 64


LOADED = """
import json, sys
sys.path[:0] = {paths!r}
{code}
sys.stderr.write("\\nLOADED " + json.dumps(sorted(sys.modules)))
"""


def loaded_after(code: str) -> set[str]:
    """The modules that a fresh interpreter has loaded after ``code``."""
    script = LOADED.format(paths=[str(ROOT / "server"), str(ROOT / "features")], code=code)
    command = [sys.executable, "-I", "-c", script]
    done = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    return set(json.loads(done.stderr.rsplit("LOADED ", 1)[1]))


def of_rooms(loaded: set[str], rooms: str) -> list[str]:
    """The modules of the rooms that ``rooms`` names."""
    tops = {("agentbrief", room) for room in rooms.split()}
    return sorted(name for name in loaded if tuple(name.split(".")[:2]) in tops)


HEAVY = {"watchdog", "msgspec", "sqlite3", "filelock", "pathspec", "zipfile", "xml", "http", "rs_bpe"}
SERVED = """
import agentbrief_server.cli
import agentbrief_server.transport.stdio
from agentbrief_server.app import create
create()
import time
from agentbrief.disk.files import DiskFiles
from agentbrief.disk.seam import FS
from agentbrief.tasks.judge import judge
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.setup import Setup
assert judge(Setup(DiskFiles(FS(), time.time_ns), ("{root}",), Settings()), ["{root}"])
"""


def test_modules_loaded_before_the_first_diagnostics(tmp_path: Path) -> None:
    """Whatever is not needed for the findings of an open file comes after them."""
    (tmp_path / "CLAUDE.md").write_text("x" * 5000, encoding="ascii")
    loaded = loaded_after(SERVED.format(root=tmp_path))
    late = "sessions compaction resume checkpoints maintenance history changes redact workspace prompt"
    assert of_rooms(loaded, late) == []
    # The room `report` makes pages; where a rule's page stands is no page.
    assert of_rooms(loaded, "report") == ["agentbrief.report", "agentbrief.report.addresses"]
    assert {name.split(".")[0] for name in loaded} & {*HEAVY, "argparse", "tempfile"} == set()
    ours = [name for name in loaded if name.split(".")[0] in ("agentbrief", "agentbrief_server")]
    assert len(ours) <= 140


WORDS = {
    "check": (["check", "sample/workspace/CLAUDE.md"], "workspace changes sessions maintenance prompt"),
    "brief": (["brief", "sample/workspace"], "workspace changes sessions maintenance"),
    "rules": (["rules"], "workspace changes maintenance"),
}


@pytest.mark.parametrize("command", WORDS)
def test_modules_loaded_by_a_command(command: str) -> None:
    words, unneeded = WORDS[command]
    code = f"from agentbrief_server.cli import main\ntry:\n    main({words!r})\nexcept SystemExit:\n    pass"
    loaded = loaded_after(code)
    assert of_rooms(loaded, unneeded) == []
    assert {name.split(".")[0] for name in loaded} & HEAVY == set()
