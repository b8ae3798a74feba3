"""The cases of ``golden/openclaw``: what each wants from us, its files, and how values are compared."""

from __future__ import annotations

import itertools
import json
import os
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentbrief.profiles.load import profile
from agentbrief.profiles.openclaw_data import OpenClawData
from tests.data_folders import GOLDEN, long_text, records

FOLDER = GOLDEN / "openclaw"
CLASSES: dict[str, dict[str, Any]] = json.loads((FOLDER / "classes.json").read_text(encoding="utf-8"))
NOW = 1772712000000
HOUR_MS = 3_600_000

ANY = "any"
ASKED: dict[str, set[str]] = {}
"""The operations of each file, and the functions, that the tests that were imported have asked for."""

_PLACEHOLDER = re.compile(
    r"<((?:uuid|new)\d+|pid|ms|state|dir|cwd|paragraph|default prompt|default system prompt|hint)>"
)


def openclaw_data() -> OpenClawData:
    """The numbers of the profile."""
    found = profile("openclaw").openclaw
    assert found is not None
    return found


@dataclass(frozen=True)
class Case:
    """One case that binds us. ``wanted`` is the value to give; ``record`` the whole case as it is stored."""

    id: str
    op: str
    input: dict[str, Any]
    wanted: Any
    now: int
    tz: str
    record: dict[str, Any]

    def __str__(self) -> str:
        return self.id


def binding(file: str) -> list[dict[str, Any]]:
    """The records of ``file`` that are no mere facts of upstream; a set of cases need not have each file."""
    path = FOLDER / f"{file}.jsonl"
    found = records(path) if path.exists() else []
    return [record for record in found if CLASSES[record["id"]]["class"] != "reference"]


def cases(file: str, ops: set[str] | None = None) -> list[Case]:
    """The cases of ``file`` with one of ``ops`` (None: all) that are followed or differ on purpose."""
    ASKED.setdefault(file, set()).update(ops or {ANY})
    found = []
    for record in binding(file):
        op = op_of(record)
        if ops is not None and op not in ops:
            continue
        expected = record["expected"]
        wanted = expected["ours"] if "ours" in expected else next(iter(expected.values()))
        found.append(
            Case(
                record["id"],
                op,
                long_text(record["input"]),
                long_text(wanted),
                record.get("now", NOW),
                record.get("tz", "UTC"),
                record,
            )
        )
    return found


def op_of(record: dict[str, Any]) -> str:
    """What a case does: its ``op``, or its command, whatever options and values of options follow."""
    op: str | None = record.get("op")
    return op or " ".join(itertools.takewhile(str.isalpha, record.get("argv", ())))


@dataclass(frozen=True)
class Row:
    """One row of ``functions.jsonl``: the upstream function, its arguments, and what we must give."""

    id: str
    fn: str
    args: list[Any]
    wanted: Any
    tz: str

    def __str__(self) -> str:
        return f"{self.id}:{self.fn}"


def rows(*functions: str, number: str | None = None) -> list[Row]:
    """The rows of upstream's ``functions``, whatever case they stand in.

    A row of the form ``in`` names no function and has one argument; its case ``fn/<number>-…`` finds it.
    """
    ASKED.setdefault("functions", set()).update(functions, () if number is None else (number,))
    found = []
    for record in binding("functions"):
        of_number = number is not None and record["id"].split("/")[1].startswith(number)
        for row in record["rows"]:
            if row.get("fn") not in functions and not (of_number and "fn" not in row):
                continue
            found.append(
                Row(
                    record["id"],
                    row.get("fn", ""),
                    long_text(row["args"] if "args" in row else [row["in"]]),
                    long_text(row["ours"] if "ours" in row else row["out"]),
                    record.get("tz", "UTC"),
                )
            )
    return found


def in_place(files: dict[str, Any], marks: dict[str, str]) -> dict[str, Any]:
    """``files`` with the names of folders (``dir``, ``state``) put in, in whatever form they are given."""
    found: dict[str, Any] = {}
    for name, content in files.items():
        if isinstance(content, dict) and {"symlink", "dir", "size", "char"} & set(content):
            found[name] = content
            continue
        text = file_text(content)
        for mark, value in marks.items():
            text = text.replace(f"<{mark}>", value)
        has_time = isinstance(content, dict) and "mtimeMs" in content
        found[name] = {"text": text, "mtimeMs": content["mtimeMs"]} if has_time else text
    return found


def build(root: Path, files: dict[str, Any], now: int = NOW) -> None:
    """Make the files, folders and links of a case below ``root``, an hour old where nothing else is said."""
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, dict) and "symlink" in content:
            path.symlink_to(content["symlink"])
        elif isinstance(content, dict) and "dir" in content:
            path.mkdir()
        else:
            path.write_bytes(file_text(content).encode("utf-8"))
            mtime_ms = content.get("mtimeMs") if isinstance(content, dict) else None
            moment = (now - HOUR_MS if mtime_ms is None else mtime_ms) * 1_000_000
            os.utime(path, ns=(moment, moment))


def text_of(content: Any) -> str:
    """The text of a file of a case; of a folder or a link there is none."""
    return "" if isinstance(content, dict) and {"symlink", "dir"} & set(content) else file_text(content)


def file_text(content: Any) -> str:
    """The text of a file of a case."""
    if isinstance(content, str):
        return content
    if "json" in content:
        return json.dumps(content["json"], ensure_ascii=False, indent=2)
    text: str
    if "text" in content:
        text = long_text(content["text"])
        return text
    if "size" in content:
        return "x" * int(content["size"])
    if "char" in content:
        text = content["char"] * content["repeat"]
        return text
    many = content["entries"]
    store = {
        many["key"] % index: {
            "sessionId": many["sessionId"] % index,
            "updatedAt": many["updatedAt"] + index * many["step"],
        }
        for index in range(many["count"])
    }
    return json.dumps(store, indent=2)


def assert_matches(found: Any, wanted: Any, known: dict[str, str] | None = None, where: str = "$") -> None:
    """Fail unless ``found`` gives all of ``wanted``; more keys are fine, placeholders match their kind.

    ``known`` holds the values of placeholders (``state``, ``dir``) and collects those met on the way: equal
    names are equal values.
    """
    known = {} if known is None else known
    if isinstance(wanted, dict):
        assert isinstance(found, dict), f"{where}: {found!r} is no object"
        for written, value in wanted.items():
            name = _name_in(found, written, known)
            if value is None and name not in found:
                continue
            assert name in found, f"{where}.{name} is missing in {found!r}"
            assert_matches(found[name], value, known, f"{where}.{name}")
    elif isinstance(wanted, list):
        assert isinstance(found, list), f"{where}: {found!r} is no list"
        assert len(found) == len(wanted), f"{where}: {found!r} is not {wanted!r}"
        for index, value in enumerate(wanted):
            assert_matches(found[index], value, known, f"{where}[{index}]")
    elif isinstance(wanted, str) and _PLACEHOLDER.search(wanted):
        assert isinstance(found, str), f"{where}: {found!r} is no text"
        pattern, names = _pattern(wanted, known)
        match = re.fullmatch(pattern, found, re.DOTALL)
        assert match is not None, f"{where}: {found!r} is not {wanted!r}"
        for name, value in zip(names, match.groups(), strict=True):
            assert known.setdefault(name, value) == value, (
                f"{where}: <{name}> is {value!r} and {known[name]!r}"
            )
    else:
        assert found == wanted, f"{where}: {found!r} is not {wanted!r}"
        assert isinstance(found, bool) == isinstance(wanted, bool), f"{where}: {found!r} is not {wanted!r}"


def _pattern(wanted: str, known: dict[str, str]) -> tuple[str, list[str]]:
    """The pattern of a text with placeholders, and the names of those that are not known, in order."""
    pattern, position, names = "", 0, []
    for mark in _PLACEHOLDER.finditer(wanted):
        pattern += re.escape(wanted[position : mark.start()])
        name = mark[1]
        pattern += re.escape(known[name]) if name in known else "(.+?)"
        if name not in known:
            names.append(name)
        position = mark.end()
    return pattern + re.escape(wanted[position:]), names


def _name_in(found: dict[str, Any], wanted: str, known: dict[str, str]) -> str:
    """The key of ``found`` that ``wanted`` stands for; ``wanted`` itself where there is none."""
    if not _PLACEHOLDER.search(wanted):
        return wanted
    pattern, names = _pattern(wanted, known)
    for name in found:
        if (match := re.fullmatch(pattern, name)) is not None:
            known.update(zip(names, match.groups(), strict=True))
            return name
    return wanted


def assert_lines_match(
    found: bytes, wanted: str, before: str | None = None, known: dict[str, str] | None = None
) -> None:
    """Fail unless the JSONL file ``found`` has the records of ``wanted``, line by line; blank lines aside.

    A line that also stands in the file ``before`` must have the same bytes.
    """
    known = {} if known is None else known
    old = set((before or "").split("\n"))
    found_lines = [line for line in found.decode("utf-8").split("\n") if line.strip()]
    wanted_lines = [line for line in wanted.split("\n") if line.strip()]
    assert len(found_lines) == len(wanted_lines), f"{found_lines} are not {wanted_lines}"
    assert found.endswith(b"\n") == wanted.endswith("\n")
    for number, (line, wanted_line) in enumerate(zip(found_lines, wanted_lines, strict=True), 1):
        if wanted_line in old:
            assert line == wanted_line, f"line {number} is not the old one"
            continue
        try:
            record = json.loads(wanted_line)
        except ValueError:
            assert_matches(line, wanted_line, known, f"line {number}")
        else:
            assert_matches(json.loads(line), record, known, f"line {number}")
