"""Texts by kind: of the standard library, of this repository, or generated; in chunks of 4,000 characters."""

from __future__ import annotations

import base64
import json
import random
import sysconfig
from collections.abc import Iterator
from pathlib import Path

CHUNK = 4_000
MOST = 60


def texts_by_kind(transcript: Path) -> dict[str, list[str]]:
    """Those of the kinds that can be had on this machine without a download."""
    chance = random.Random(5)
    ours = Path(__file__).resolve().parent.parent
    library = Path(sysconfig.get_path("stdlib"))
    code = "\n".join(path.read_text("utf-8") for path in sorted(library.glob("*.py"))[:120])
    from pydoc_data import topics

    prose = "\n".join(topics.topics.values())
    words = sorted({word for word in prose.split() if word.isalpha()})
    found = {
        "English prose": chunks(prose),
        "Python": chunks(code),
        "JSON": chunks(
            "".join(path.read_text("utf-8") for path in sorted((ours / "tests/data").rglob("*.json*")))
        ),
        "Chinese": chunks("\n".join(chinese(ours)), 500),
        "JSONL transcript": chunks(transcript.read_text("utf-8")),
        "emoji-heavy": ["".join(emoji(chance, words)) for _ in range(MOST)],
        "base64": [base64.b64encode(chance.randbytes(3_000)).decode() for _ in range(MOST)],
        "logs": ["".join(log(chance, words)) for _ in range(MOST)],
    }
    return found


def chunks(text: str, size: int = CHUNK) -> list[str]:
    """At most sixty pieces of ``text``, spread over it."""
    step = max(size, len(text) // MOST)
    return [text[start : start + size] for start in range(0, len(text) - size, step)][:MOST]


def chinese(repository: Path) -> Iterator[str]:
    """Our own messages."""
    for path in sorted(repository.glob("features/agentbrief/messages/data/zh-*/*.json")):
        yield from filter(str.strip, strings(json.loads(path.read_text("utf-8"))))


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from strings(item)


def emoji(chance: random.Random, words: list[str]) -> Iterator[str]:
    for _ in range(150):
        yield chr(chance.randrange(0x1F600, 0x1F640)) + chr(chance.randrange(0x1F300, 0x1F5FF))
        yield f" {chance.choice(words)} " + ("✅\n" if chance.random() < 0.2 else "")


def log(chance: random.Random, words: list[str]) -> Iterator[str]:
    for second in range(60):
        level = chance.choice(["INFO", "WARN", "DEBUG"])
        yield f"2026-11-30T10:{second // 60:02}:{second % 60:02}.{chance.randrange(999):03}Z {level} "
        yield f"id={chance.getrandbits(32):08x} {chance.choice(words)} took {chance.randrange(9999)} ms\n"
