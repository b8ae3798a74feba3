"""How is a case of ``user-cases.jsonl`` made into files? Its README says; this does it."""

from __future__ import annotations

import datetime
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentbrief.profiles.load import profile
from agentbrief.profiles.strategies.claude import claude_slug
from tests.data_folders import CASES, records

_SLUG = "${SLUG:"


@dataclass(frozen=True)
class UserCase:
    """One case: what is on the disk (``repro``) and what must come of it (``expected``)."""

    id: str
    area: str
    kind: str
    repro: dict[str, Any]
    expected: dict[str, Any]

    def __str__(self) -> str:
        return self.id


def user_cases() -> list[UserCase]:
    """All cases of the file."""
    return [
        UserCase(each["id"], each["area"], each["kind"], each["repro"], each["expected"])
        for each in records(CASES / "user-cases.jsonl")
    ]


@dataclass(frozen=True)
class Built:
    """A case on the disk below ``root``; ``transcripts`` are the paths of its transcripts, in order."""

    root: Path
    case: UserCase
    transcripts: tuple[str, ...]
    now_ms: int

    def path(self, name: str) -> str:
        """The path on the disk that ``name`` stands for."""
        found: str = named(name, self.root)
        return str(self.root) + found if name.startswith("/") else found

    def name(self, path: str) -> str:
        """The path as a case has it."""
        return path.removeprefix(str(self.root))

    @property
    def home(self) -> str:
        return self.path(self.case.repro.get("home", "/home/u"))

    @property
    def cwd(self) -> str:
        return self.path(self.case.repro["cwd"])

    @property
    def env(self) -> dict[str, str]:
        return {key: str(named(value, self.root)) for key, value in self.case.repro.get("env", {}).items()}


def build(case: UserCase, root: Path, now: float) -> Built:
    """Write the files of ``case`` below the empty folder ``root``; ``now`` is the time of the run."""
    repro = case.repro
    root = root.resolve()
    for folder in repro.get("git", ()):
        _write(root, folder + "/.git/HEAD", "ref: refs/heads/main\n")
    for folder in repro.get("bare", ()):
        _write(root, folder + "/HEAD", "ref: refs/heads/main\n")
        _write(root, folder + "/config", "[core]\n\tbare = true\n")
    for tree, main in repro.get("worktrees", {}).items():
        common = main if main in repro.get("bare", ()) else main + "/.git"
        folder = f"{common}/worktrees/{os.path.basename(tree)}"
        _write(root, folder + "/HEAD", "ref: refs/heads/side\n")
        _write(root, folder + "/commondir", "../..\n")
        _write(root, folder + "/gitdir", f"{root}{tree}/.git\n")
        _write(root, tree + "/.git", f"gitdir: {root}{folder}\n")
    for folder in repro.get("submodules", ()):
        name = os.path.basename(folder)
        _write(root, folder + "/.git", f"gitdir: ../.git/modules/{name}\n")
        _write(root, os.path.dirname(folder) + f"/.git/modules/{name}/HEAD", "ref: refs/heads/main\n")
    for path, text in repro.get("files", {}).items():
        _write(root, path, text)
    for path, target in repro.get("links", {}).items():
        place = _place(root, path)
        place.symlink_to(str(root) + target if target.startswith("/") else target)
    transcripts = tuple(_transcript(root, each, case.expected, now) for each in repro.get("transcripts", ()))
    for folder in (repro["cwd"], *repro.get("workspace_folders", ())):
        Path(f"{root}{folder}").mkdir(parents=True, exist_ok=True)
    moment = _seconds(repro["now"]) if "now" in repro else now
    return Built(root, case, transcripts, int(moment * 1000))


def named(value: Any, root: Path) -> Any:
    """``value`` with the root and the slugs of its paths put in."""
    if isinstance(value, dict):
        return {named(key, root): named(item, root) for key, item in value.items()}
    if isinstance(value, list):
        return [named(item, root) for item in value]
    if not isinstance(value, str):
        return value
    while (start := value.find(_SLUG)) >= 0:
        end = value.index("}", start)
        value = value[:start] + slug(f"{root}{value[start + len(_SLUG) : end]}") + value[end + 1 :]
    return value.replace("${ROOT}", str(root))


def slug(path: str) -> str:
    """The folder of sessions of ``path``, some hash behind the cut of a long one."""
    sessions = profile("claude-code").sessions
    assert sessions is not None and sessions.slug is not None
    name = claude_slug(path, sessions.slug)
    return name + "1a2b3c" if len(name) > sessions.slug.max else name


def _place(root: Path, path: str) -> Path:
    place = Path(str(root) + named(path, root))
    place.parent.mkdir(parents=True, exist_ok=True)
    return place


def _write(root: Path, path: str, text: Any) -> None:
    if isinstance(text, dict):
        unit = named(text["fill"], root).encode("utf-8")
        data = (unit * (text["bytes"] // len(unit) + 1))[: text["bytes"]]
        data += named(text.get("then", ""), root).encode("utf-8")
    else:
        data = named(text, root).encode("utf-8", "surrogatepass")
    _place(root, path).write_bytes(data)


def _transcript(root: Path, given: dict[str, Any], expected: dict[str, Any], now: float) -> str:
    place = _place(root, given["path"])
    lines = [line for each in given["lines"] for line in _lines(named(each, root))]
    bad = expected.get("bad_lines") or []
    torn = bool(bad) and bad[-1][1] == "torn-tail"
    text = "\n".join(lines) + ("" if torn else "\n")
    place.write_bytes(text.encode("utf-8", "surrogatepass"))
    moment = _seconds(given["mtime"]) if given.get("mtime") else now - 3600
    os.utime(place, (moment, moment))
    return str(place)


def _lines(line: Any) -> list[str]:
    if isinstance(line, str):
        return [line]
    if "repeat" not in line:
        return [json.dumps(line, separators=(",", ":"), ensure_ascii=False)]
    found = []
    pattern = json.dumps(line["record"], separators=(",", ":"), ensure_ascii=False)
    for number in range(line["repeat"]):
        text = pattern.replace("{n}", str(number))
        if (size := line.get("pad_to_bytes")) is not None:
            room = size - len(text.replace("<pad>", "").encode("utf-8"))
            text = text.replace("<pad>", "x" * room)
        found.append(text)
    return found


def _seconds(text: str) -> float:
    moment = datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (moment if moment.tzinfo else moment.replace(tzinfo=datetime.UTC)).timestamp()
