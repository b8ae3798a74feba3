"""Is a reply meant to stay unsaid?

An agent that has nothing to say answers with a token; OpenClaw then delivers nothing (openclaw.md 13). The
token counts in its exact case, at the start of a reply or at its end.
"""

from __future__ import annotations

import re
from functools import lru_cache

from agentbrief.text import utf16

NO_REPLY = "NO_REPLY"
HEARTBEAT_OK = "HEARTBEAT_OK"

_PREFIX = re.compile(r"[A-Za-z_]*")
_EDGE = "\"'`*~\u201c\u201d\u2018\u2019\u300c\u300d()[]<>.,!?:; \t\r\n"


def is_silent(text: str, token: str = NO_REPLY) -> bool:
    """Whether ``text`` begins with ``token`` as a word of its own, so that nothing of it is delivered."""
    found = utf16.trim_start(text)
    return found.startswith(token) and not _is_word(found[len(token) : len(token) + 1])


def delivered(text: str, token: str = NO_REPLY) -> str:
    """What of ``text`` is delivered: nothing of a silent reply, and no token at the end."""
    if is_silent(text, token):
        return ""
    return utf16.trim(_at_end(token).sub("", text))


def held_back(text: str, token: str = NO_REPLY) -> bool:
    """Whether ``text``, the start of a reply that is still being written, may yet turn out to be silent."""
    found = utf16.trim_start(text)
    begun = "_" in found and _PREFIX.fullmatch(found) is not None
    return (begun and token.upper().startswith(found.upper())) or is_silent(text, token)


def nearly_silent(text: str, token: str = NO_REPLY) -> bool:
    """Whether ``text`` is delivered although its writer seems to have meant the token.

    True for the token in another case, in quotes, emphasis or a fence, and glued to a word at the start or
    at the end; false for a sentence that speaks of the token.
    """
    if is_silent(text, token) or _at_end(token).search(text):
        return False
    bare = text.strip(_EDGE).lower()
    wanted = token.lower()
    if bare.startswith(wanted):
        return True
    return bare.endswith(wanted) and _is_word(bare[: -len(wanted)][-1:])


def _is_word(char: str) -> bool:
    return char == "_" or char.isalnum()


@lru_cache(maxsize=8)
def _at_end(token: str) -> re.Pattern[str]:
    blank = f"[{utf16.JS_WHITE_SPACE}]"
    return re.compile(rf"(?:\A|{blank}+|\*+){re.escape(token)}{blank}*\Z")
