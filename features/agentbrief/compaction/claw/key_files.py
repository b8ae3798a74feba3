r"""Which files does a conversation name?

Words with a ``/`` whose last part has a known extension. A text is searched for the extensions and not word
by word: so a transcript of any size is looked through in one pass of a pattern.

Source: claw.md 6.4; ultraworkers/claw-code rust/crates/runtime/src/compact.rs@08106b0c.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from agentbrief.compaction.claw.grammar import EXTENSIONS
from agentbrief.text.whitespace import WHITE_SPACE

_MARKS = ",.:;()\"'`"
_BLANK = re.compile(f"[{WHITE_SPACE}]")
_WINDOW_CHARS = 256


def files_in(text: str, extra_extensions: Iterable[str] = ()) -> Iterator[str]:
    """The files that ``text`` names, in its order and as often as it does.

    ``extra_extensions`` count beside the six of the format; case does not matter.
    """
    extensions = _extensions(tuple(extra_extensions))
    end = 0
    for found in _endings(extensions).finditer(text):
        if found.start() < end:
            continue
        start = _start_of_word(text, found.start())
        blank = _BLANK.search(text, found.end())
        end = blank.start() if blank else len(text)
        word = text[start:end].strip(_MARKS)
        if "/" in word and extension_of(word).lower() in extensions:
            yield word


def extension_of(path: str) -> str:
    """The extension of the last part of ``path``: what follows its last dot, unless that is its first sign.

    Slashes at the end, and parts that are a single dot, are passed over; empty if there is none.
    """
    parts = [part for part in path.split("/") if part not in ("", ".")]
    if not parts or parts[-1] == "..":
        return ""
    stem, _, extension = parts[-1].rpartition(".")
    return extension if stem else ""


@lru_cache(maxsize=8)
def _extensions(extra: tuple[str, ...]) -> frozenset[str]:
    return frozenset((*EXTENSIONS, *(extension.removeprefix(".").lower() for extension in extra)))


@lru_cache(maxsize=8)
def _endings(extensions: frozenset[str]) -> re.Pattern[str]:
    """A dot, an extension, and then nothing but marks and slashes up to the end of the word.

    Each letter is written in both cases: a pattern that ignores case is searched for ten times slower.
    """
    spelled = "|".join(
        "".join(_both_cases(char) for char in extension)
        for extension in sorted(extensions, key=len, reverse=True)
    )
    return re.compile(rf"\.(?:{spelled})(?=[/{re.escape(_MARKS)}]*(?:[{WHITE_SPACE}]|\Z))")


def _both_cases(char: str) -> str:
    cases = {char, char.lower(), char.upper()}
    return "[" + "".join(re.escape(case) for case in sorted(cases) if len(case) == 1) + "]"


def _start_of_word(text: str, position: int) -> int:
    window = _WINDOW_CHARS
    while True:
        start = max(position - window, 0)
        blank = max(text.rfind(char, start, position) for char in WHITE_SPACE)
        if blank >= 0 or start == 0:
            return blank + 1
        window *= 4
