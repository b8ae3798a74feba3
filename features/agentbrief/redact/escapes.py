"""What is left of a text when a terminal would act on nothing in it?

Source: corpora/README.md, "terminal-escapes.jsonl"; ECMA-48 for the shapes of the sequences.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentbrief.text.invisible import CONTROLS, ZERO_WIDTH
from agentbrief.text.visible import visible_controls

_LONGEST_STRING = 4096
"""How long the content of an OSC, DCS, APC, PM or SOS may be to be taken for one."""

_SPECIAL = re.compile(rf"[\x00-\x08\x0b-\x1f\x7f-\x9f{CONTROLS}]")
_PLAIN_ASCII = bytes([0x09, 0x0A, *range(0x20, 0x7F)])
_SEQUENCE = re.compile(
    r"(?P<line_end>\r\n?)"
    r"|(?P<string>\x1b[\]P_^X]|[\x9d\x90\x9f\x9e\x98])"
    r"|(?:\x1b\[|\x9b)(?:[0-?]*+[ -/]*+[@-~])?"
    r"|\x1b(?:[ -/]*+[0-~])?"
    r"|[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x8f\x91-\x97\x99\x9a\x9c]+"
    rf"|(?P<direction>[{CONTROLS}]+)"
)
_STRING_END = re.compile(r"[\n\r]|(?P<end>[\x07\x9c]|\x1b\\)")

# In JSON the escape character is written out, and a text that was copied may hold zero-width characters.
_WRITTEN_OUT = re.compile(r"\\\\{0,7}(?:u001[bB]|x1[bB]|033|e)\[[0-?]*+[ -/]*+[@-~]")
_ZERO_WIDTH = re.compile(f"[{ZERO_WIDTH}]")


def clean(text: str) -> str:
    r"""``text`` without terminal sequences and control characters, in one pass from left to right.

    What is left holds no control character but ``\n`` and ``\t``; direction controls are shown as
    ``⟦U+202E⟧``. CR LF and a lone CR become LF, so that overwritten text can be seen.
    """
    if not _has_special(text):
        return text
    pieces: list[str] = []
    position = 0
    for start, end, shown in _sequences(text):
        pieces.append(text[position:start])
        pieces.append(shown)
        position = end
    pieces.append(text[position:])
    return "".join(pieces)


def dropped(text: str) -> list[tuple[int, int]]:
    """The ranges of ``text`` that stand between characters which a reader sees side by side: terminal
    sequences, also as JSON writes them, controls and zero-width characters. Line ends are none.
    """
    found: list[tuple[int, int]] = []
    if _has_special(text):
        found += [(start, end) for start, end, shown in _sequences(text) if shown != "\n"]
    if "\\" in text:
        found.extend(match.span() for match in _WRITTEN_OUT.finditer(text))
    if not text.isascii():
        found.extend(match.span() for match in _ZERO_WIDTH.finditer(text))
    if not found:
        return found
    found.sort()
    apart: list[tuple[int, int]] = []
    for start, end in found:
        if not apart or start >= apart[-1][1]:
            apart.append((start, end))
    return apart


def _has_special(text: str) -> bool:
    """Whether :data:`_SPECIAL` finds anything; in plain ASCII without looking at each character by itself."""
    if text.isascii():
        return bool(text.encode("ascii").translate(None, _PLAIN_ASCII))
    return _SPECIAL.search(text) is not None


def _sequences(text: str) -> Iterator[tuple[int, int, str]]:
    """Start, end and what is shown instead, in order and without overlap."""
    position = 0
    # The next end is the same for all introducers before it: each stretch of the text is searched once.
    end_from, end_to = -1, -1
    while special := _SPECIAL.search(text, position):
        match = _SEQUENCE.match(text, special.start())
        assert match is not None
        start, position = match.span()
        shown = ""
        if match.lastgroup == "line_end":
            shown = "\n"
        elif match.lastgroup == "direction":
            shown = visible_controls(match[0])
        elif match.lastgroup == "string":
            if end_from < position:
                end_from, end_to = _string_end(text, position)
            if end_to >= 0 and end_from - position <= _LONGEST_STRING:
                position = end_to
        yield start, position, shown


def _string_end(text: str, position: int) -> tuple[int, int]:
    """Where the next BEL or ST starts and ends; (where the line ends, -1) if there is none before that."""
    match = _STRING_END.search(text, position)
    if match is None:
        return len(text), -1
    return match.start(), match.end() if match["end"] else -1
