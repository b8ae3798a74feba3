"""Which sentence stands for a message identifier?"""

from __future__ import annotations

import os
from functools import lru_cache
from typing import cast

from agentbrief.jsonio import loads

LOCALES = ("en", "zh-cn", "zh-tw")
DEFAULT_LOCALE = "en"

Argument = str | int

# A sentence, or its forms by the number in the argument that "by" names: {"by": "count", "one": …, "other":
# …}.
Sentence = str | dict[str, str]


def locale_of(tag: str | None) -> str:
    """The catalogue for a language tag such as ``zh-Hant-HK`` or ``de_DE.UTF-8``;

    English where there is none.
    """
    parts = (tag or "").split(".")[0].replace("_", "-").lower().split("-")
    if parts[0] != "zh":
        return DEFAULT_LOCALE
    return "zh-tw" if {"hant", "tw", "hk", "mo"} & set(parts[1:]) else "zh-cn"


@lru_cache(maxsize=len(LOCALES))
def sentences(locale: str) -> dict[str, Sentence]:
    """All messages of one locale by identifier. Source: ``data/<locale>/*.json`` beside this module."""
    found: dict[str, Sentence] = {}
    folder = os.path.join(os.path.dirname(__file__), "data", locale)
    for name in sorted(os.listdir(folder)):
        if name.endswith(".json"):
            with open(os.path.join(folder, name), "rb") as file:
                found.update(cast("dict[str, Sentence]", loads(file.read())))
    return found


def say(locale: str, message: str, /, **arguments: Argument) -> str:
    """The sentence for ``message`` in ``locale``, whole numbers grouped by thousands.

    Raises:
        KeyError: no such message, or an argument of the sentence is missing.
    """
    sentence = sentences(locale)[message]
    if isinstance(sentence, dict):
        sentence = sentence["one" if arguments[sentence["by"]] == 1 else "other"]
    shown = {name: f"{value:,}" if isinstance(value, int) else value for name, value in arguments.items()}
    return sentence.format_map(shown)
