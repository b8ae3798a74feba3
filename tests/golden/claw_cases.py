"""The cases of ``golden/claw``: which of them each profile must follow, and what a case wants."""

from __future__ import annotations

import base64
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.data_folders import GOLDEN, is_own, long_text, records

FOLDER = GOLDEN / "claw"
FILES = ("instructions", "compaction", "units", "session_files", "python_port", "product")
CLASSES: dict[str, dict[str, Any]] = json.loads((FOLDER / "classes.json").read_text(encoding="utf-8"))

ASKED: set[str] = set()
"""The operations that the tests which were imported have asked for."""

CODES = frozenset(("unsupported-version", "bad-id", "bad-keep-last"))
"""The codes of errors that claw.md names. Of all others only the fact must agree; of the cases in this
repository the word does too.
"""


@dataclass(frozen=True)
class Case:
    """One case as one profile must give it. ``wanted`` is the value of ``expected``;

    ``extra`` is for profile claw only.
    """

    id: str
    profile: str
    op: str
    input: dict[str, Any]
    wanted: Any
    extra: dict[str, Any]

    def __str__(self) -> str:
        return f"{self.id}[{self.profile}]"

    @property
    def code(self) -> str | None:
        """The code of the error that profile claw must give, None where only the fact counts."""
        found = self.wanted.get("error") if self.profile == "claw" else None
        is_ours = is_own(FOLDER) and CLASSES[self.id]["class"] in ("difference", "product")
        return found if found in CODES or is_ours else None


def cases(*ops: str) -> list[Case]:
    """The cases of all files with one of ``ops``, once for each profile that has something to compare."""
    ASKED.update(ops)
    return [case for record in all_records() if op_of(record) in ops for case in wanted(record)]


def all_records() -> list[dict[str, Any]]:
    """The records of all files; a set of cases need not have each of them."""
    return [
        record for file in FILES if (path := FOLDER / f"{file}.jsonl").exists() for record in records(path)
    ]


def op_of(record: dict[str, Any]) -> str:
    """What a case does; those of two files have no word for it but the name of their file."""
    found: str = record.get("op") or record["category"]
    return found


def wanted(record: dict[str, Any]) -> list[Case]:
    """The case of ``record`` for each profile that has something to compare."""
    found = []
    rule = CLASSES[record["id"]]
    keys = []
    if rule["class"] != "reference":
        keys.append(("claw", rule["claw"] if rule["class"] == "follow" else "claw"))
    if rule["claw_code"] == "must":
        keys.append(("claw-code", "python" if "python" in record["expected"] else "aug16"))
    for profile, key in keys:
        expected = value(record, key)
        if expected is None:
            continue
        extra = record.get("extra") or {} if profile == "claw" else {}
        found.append(
            Case(
                record["id"],
                profile,
                op_of(record),
                long_text(record["input"]),
                long_text(expected),
                long_text(extra),
            )
        )
    return found


def value(record: dict[str, Any], key: str) -> Any:
    """The expected value of ``key``, ``same_as`` followed."""
    found = record["expected"].get(key)
    return value(record, found["same_as"]) if isinstance(found, dict) and "same_as" in found else found


def build_tree(root: Path, tree: list[dict[str, Any]]) -> None:
    """Make the files, folders and links of a case below ``root``."""
    for entry in tree:
        path = root / entry["path"]
        path.parent.mkdir(parents=True, exist_ok=True)
        if entry.get("dir"):
            path.mkdir(exist_ok=True)
        elif "symlink" in entry:
            path.symlink_to(entry["symlink"])
        elif "b64" in entry:
            path.write_bytes(base64.b64decode(entry["b64"]))
        else:
            text = (
                entry["text"] if "text" in entry else "".join(unit * count for unit, count in entry["parts"])
            )
            path.write_bytes(text.encode("utf-8"))
        if "mode" in entry:
            os.chmod(path, int(entry["mode"], 8))
