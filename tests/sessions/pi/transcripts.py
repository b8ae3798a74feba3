"""Small transcripts for tests, said in a line each."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import PiTranscript

NOW = 1772712000000
HEADER: dict[str, Any] = {
    "type": "session",
    "version": 3,
    "id": "s1",
    "timestamp": "2026-03-05T10:00:00.000Z",
    "cwd": "/srv/demo",
}


def entry(identifier: str, parent: str | None, kind: str = "message", **fields: Any) -> dict[str, Any]:
    """An entry; a message says its own identifier unless ``message`` is given."""
    value: dict[str, Any] = {"type": kind, "id": identifier, "parentId": parent}
    value["timestamp"] = f"2026-03-05T10:00:{len(identifier):02d}.000Z"
    if kind == "message" and "message" not in fields:
        fields["message"] = {"role": "user", "content": identifier, "timestamp": 1}
    return value | fields


def file(*records: Any, header: dict[str, Any] | None = HEADER) -> bytes:
    """A file of ``records``, each on a line; bytes are a line as they are."""
    lines = [*([header] if header is not None else []), *records]
    return b"".join(
        (line if isinstance(line, bytes) else json.dumps(line, ensure_ascii=False).encode()) + b"\n"
        for line in lines
    )


def opened(data: bytes) -> PiTranscript:
    """The transcript that ``data`` holds."""
    found = read_transcript(data)
    assert isinstance(found, PiTranscript)
    return found


def issues(transcript: PiTranscript) -> list[tuple[int, str]]:
    """The faults of a transcript, by line."""
    return [(fault.line, fault.code) for fault in transcript.damage]


def uuids(start: int = 1) -> Callable[[], str]:
    """A source of UUIDs that count up."""

    def numbers() -> Iterator[str]:
        number = start
        while True:
            yield f"{number:08x}-1111-4222-8333-444444444444"
            number += 1

    found = numbers()
    return lambda: next(found)
