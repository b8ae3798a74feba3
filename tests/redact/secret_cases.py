"""The secrets of the corpus, joined in memory only, and the texts they stand in."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote

from tests.data_folders import CORPORA, records

SECRETS = records(CORPORA / "secrets.jsonl")
CONTEXTS = records(CORPORA / "secret-contexts.jsonl")
WITH_BEFORE = ("plain", "json-string", "env-line", "end-of-file")


@dataclass(frozen=True)
class SecretCase:
    """One secret in one context."""

    name: str
    secret: str
    text: str
    marker: str
    mask: str | None


def secret_of(record: dict[str, Any]) -> str:
    return "".join(record["parts"])


def whole_of(record: dict[str, Any]) -> str:
    return "".join([*record["before"], *record["parts"], *record["after"]])


def encoded(text: str, encode: str) -> str:
    if encode == "json":
        return json.dumps(text)[1:-1]
    return quote(text, safe="") if encode == "url" else text


def cases() -> list[SecretCase]:
    found = []
    for record in SECRETS:
        for context in CONTEXTS:
            narrow = bool(record["before"]) or record["kind"] == "private-key"
            if narrow and context["id"] not in WITH_BEFORE:
                continue
            text = encoded(whole_of(record), context["encode"])
            half = len(text) // 2
            template = context["template"]
            for key, value in (("{s}", text), ("{a}", text[:half]), ("{b}", text[half:])):
                template = template.replace(key, value)
            mask = record["mask"] if context["encode"] == "none" else None
            name = f"{record['id']}-{record['kind']}-{context['id']}"
            found.append(SecretCase(name, secret_of(record), template, record["marker"], mask))
    return found


def leaks(secret: str, shown: str, size: int = 12) -> list[str]:
    """The runs of ``size`` characters of ``secret`` that ``shown`` holds."""
    return [secret[at : at + size] for at in range(len(secret) - size + 1) if secret[at : at + size] in shown]
