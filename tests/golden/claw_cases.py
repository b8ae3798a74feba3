"""The cases of ``golden/claw``: which of them each profile must follow, and what a case wants."""

from __future__ import annotations

import base64
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.data_folders import GOLDEN, long_text, records

FOLDER = GOLDEN / "claw"
CLASSES: dict[str, dict[str, Any]] = json.loads((FOLDER / "classes.json").read_text(encoding="utf-8"))


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


def cases(file: str, ops: set[str] | None = None) -> list[Case]:
    """The cases of ``file`` with one of ``ops`` (None:

    all), once for each profile that has something to compare.
    """
    found = []
    for record in records(FOLDER / f"{file}.jsonl"):
        op = record.get("op") or record["category"]
        if ops is not None and op not in ops:
            continue
        rule = CLASSES[record["id"]]
        keys = []
        if rule["class"] != "reference":
            keys.append(("claw", rule["claw"] if rule["class"] == "follow" else "claw"))
        if rule["claw_code"] == "must":
            keys.append(("claw-code", "python" if "python" in record["expected"] else "aug16"))
        for profile, key in keys:
            wanted = value(record, key)
            if wanted is None:
                continue
            extra = record.get("extra") or {} if profile == "claw" else {}
            found.append(
                Case(
                    record["id"], profile, op, long_text(record["input"]), long_text(wanted), long_text(extra)
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
