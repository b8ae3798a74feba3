"""The cases of ``corpora/damaged-jsonl.jsonl``, built as files."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tests.data_folders import CORPORA, records


@dataclass(frozen=True)
class Damaged:
    """A damaged file and what a reader must say of it."""

    id: str
    data: bytes
    expected: dict[str, Any]

    def __str__(self) -> str:
        return self.id


def build(chunks: list[dict[str, Any]]) -> bytes:
    """The bytes that ``chunks`` describe."""
    pieces = []
    for chunk in chunks:
        if "text" in chunk:
            pieces.append(chunk["text"].encode("utf-8"))
        elif "nul" in chunk:
            pieces.append(bytes(chunk["nul"]))
        elif "hex" in chunk:
            pieces.append(bytes.fromhex(chunk["hex"]))
        else:
            unit, count = chunk["repeat"]
            pieces.append(unit.encode("utf-8") * count)
    return b"".join(pieces)


def damaged_files() -> list[Damaged]:
    """All cases, their sizes checked."""
    found = []
    for record in records(CORPORA / "damaged-jsonl.jsonl"):
        data = build(record["chunks"])
        assert len(data) == record["size"], record["id"]
        found.append(Damaged(record["id"], data, record["expected"]))
    return found
