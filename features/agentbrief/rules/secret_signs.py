r"""Can a text hold a secret at all?

Asked of every text at every change, so that the room that knows secrets is not even loaded for most. Each
pattern begins with a character that prose seldom has, and looks back from there; what it looks for is wider
than any secret: no text with a secret is without a sign. The text is read as UTF-8, where bytes of other
scripts are none of these.
"""

from __future__ import annotations

import re
from functools import lru_cache

# What that room takes out of a text before it looks: within a secret, such a character would hide the sign.
_CONTROLS = bytes(byte for byte in range(256) if byte >= 0x20 and byte != 0x7F) + b"\t\n\r"
_WRITTEN_OUT = rb"\\(?:u001[bB]|x1[bB]|033|e)\["
_TAKEN_OUT = (
    rb"\xc2[\x80-\x9f\xad]",
    rb"\xe2(?:\x80[\x8b-\x8d\xaa-\xae]|\x81[\xa0-\xa4\xa6-\xa9])",
    rb"\xef\xbb\xbf",
    # The sign of the kelvin, whose lower case is a letter of "token".
    rb"\xe2\x84\xaa",
)

_SHAPES = (
    rb"-(?<=[a-z]-)(?=[A-Za-z0-9_-]{10})(?:(?<=sk-)|(?<=glpat-)|(?<=xox[abeoprs]-)|(?<=xapp-)|(?<=pypi-))",
    rb"_(?=[A-Za-z0-9+/_]{16})"
    rb"(?:(?<=gh[pousr]_)|(?<=github_pat_)|(?<=_live_)|(?<=whsec_)|(?<=npm_)|(?<=hf_)|(?<=sbp_))",
    rb"A(?:[KS]IA[A-Z0-9]{16}|Iza[A-Za-z0-9_-]{30}|A[A-Za-z0-9_-]{30})",
    rb"S(?:K[0-9a-f]{32}|G\.[A-Za-z0-9_-]{16})",
    rb"J(?<=eyJ)[A-Za-z0-9_-]{8}",
    rb"9\.(?<=ya29\.)[A-Za-z0-9_-]{20}",
    rb"\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27}",
    rb"://[^\s/?#\"'`<>@:\\]*+:[^\s/?#\"'`<>\\]{3,}@",
    rb"-----BEGIN",
)

_BLANKS = rb"(?:[ \t]|%20)*+"
# A run of eight or more in which a digit stands; of a long run only the begin is looked at.
_VALUE = rb"(?=\S{8})(?:\S{0,255}?[0-9]|\S{256})"
_ASSIGNED = (
    rb"\\*+[\"'`]?+\]?+[*_]{0,2}+" + _BLANKS + rb"(?:=>|:=|[:=]|%3[ad]|\xef\xbc[\x9a\x9d])[*_]{0,2}+"
    + _BLANKS + _VALUE
)  # fmt: skip
_NAMES = (
    rb"k(?=e[ny])(?:(?<=accountk)|(?<=sharedaccessk)|(?:(?<=tok)en|(?<=api[_-]k)ey|(?<=apik)ey)"
    + _ASSIGNED
    + rb")",
    rb"passw(?:or)?d" + _ASSIGNED,
    rb"secret(?:[_-]?(?:access[_-]?)?key(?:[_-]?base)?)?" + _ASSIGNED,
    rb"bearer(?:[ \t]|%20|\+)++" + _VALUE,
    rb"%3a%2f%2f",
)
_HEADER, _BASIC = b"authorization", rb"basic(?:[ \t]|%20|\+)++[a-z0-9+/]{8}"


_MOST_KNOWN = 50_000
_without_sign: set[str] = set()
"""Lines that were looked at and hold no sign: whoever types changes one line of many."""


@lru_cache(maxsize=128)
def may_hold_secret(text: str) -> bool:
    """Whether :func:`agentbrief.redact.secrets` may find anything in ``text``.

    False is sure. The same text object is looked at once, whatever the number of agents; of a text that was
    changed the lines that are new, for no sign goes over the end of a line.
    """
    lines = text.split("\n")
    if _without_sign.issuperset(lines):
        return False
    new = [line for line in lines if line not in _without_sign]
    raw = "\n".join(new).encode("utf-8", "surrogatepass")
    if _holds_sign(raw):
        return True
    if len(_without_sign) > _MOST_KNOWN:
        _without_sign.clear()
    if re.search(_BASIC, raw.lower()) is None:
        _without_sign.update(new)
        return False
    # The header may stand on another line: such a line is looked at each time.
    _without_sign.update(line for line in new if "basic" not in line.lower())
    return _HEADER in text.encode("utf-8", "surrogatepass").lower()


def _holds_sign(raw: bytes) -> bool:
    if raw.translate(None, _CONTROLS) or re.search(_WRITTEN_OUT, raw):
        return True
    if not raw.isascii() and any(re.search(pattern, raw) for pattern in _TAKEN_OUT):
        return True
    if any(re.search(pattern, raw) for pattern in _SHAPES):
        return True
    lowered = raw.lower()
    return any(re.search(pattern, lowered) for pattern in _NAMES)
