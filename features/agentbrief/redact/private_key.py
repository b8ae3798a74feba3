"""Where does a private key stand, whole or cut off?"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentbrief.redact.shapes import Hit

_BEGIN_WORD = "-----BEGIN"
_END_WORD = "-----END"
_GAP = r"(?: |\+|%20)"
_BEGIN = re.compile(
    rf"-----BEGIN{_GAP}(?:[A-Z0-9]{{1,12}}{_GAP}){{0,4}}?PRIVATE{_GAP}KEY(?:{_GAP}BLOCK)?-----"
)
_END = re.compile(r"-----END[A-Z0-9 +%]{0,60}-----")
_LONGEST = 24_000
_LINE_END = r"(?:\s|\\+[nrt]|%0[AaDd])"
_DATA = re.compile(r"[A-Za-z0-9+/=]{16}")
_HEADERS = rf"(?:{_LINE_END}*+[A-Z][A-Za-z-]{{2,20}}: [^\n\\%]{{0,80}})*"
_CUT_OFF = re.compile(
    rf"{_HEADERS}(?:{_LINE_END}*+[A-Za-z0-9+/=]{{16,}}+)+(?:{_LINE_END}*+[A-Za-z0-9+/=]{{1,15}}(?![^\s\\\"'%<]))?"
)


def private_keys(text: str) -> Iterator[Hit]:
    """The PEM private keys of ``text``, from the first hyphen to the last.

    A text that only names the two lines holds none; of a key without its end the data that is there counts.
    """
    position = text.find(_BEGIN_WORD)
    while position >= 0:
        following = text.find(_BEGIN_WORD, position + 1)
        if (begin := _BEGIN.match(text, position)) is not None:
            stop = len(text) if following < 0 else following
            end = _end_of_key(text, begin.end(), min(stop, begin.end() + _LONGEST))
            if end > begin.end():
                yield Hit("private-key", position, end)
        position = following


def _end_of_key(text: str, start: int, stop: int) -> int:
    word = text.find(_END_WORD, start, stop)
    end = _END.match(text, word) if word >= 0 else None
    if end is not None:
        return end.end() if _DATA.search(text, start, word) else start
    cut_off = _CUT_OFF.match(text, start, stop)
    return cut_off.end() if cut_off is not None else start
