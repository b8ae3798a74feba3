"""What may stand on a screen or in an export instead of what is secret or private?"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache

from agentbrief.redact.escapes import clean
from agentbrief.redact.plain import plain
from agentbrief.redact.secrets import Secret, secrets

_SHORTEST_SHOWN = 18
_HEAD, _TAIL = 6, 4
_SEPARATOR = r"(?:\\{0,4}/|\\{1,4}|%2[Ff]|%5[Cc])"
_NOBODY = frozenset({"root", "user", "admin", "administrator", "home", "runner"})


def mask(text: str) -> str:
    """``text`` as it may be shown: cleaned, and of each secret only the first 6 and the last 4 characters
    left, ``***`` for those shorter than 18. Masking twice changes nothing.
    """
    return _replaced(text, lambda secret, value: masked(value))


def mark(text: str) -> str:
    """``text`` as it may be exported: cleaned, and a marker such as ``[redacted:github-token]`` for each
    secret. Marking twice changes nothing.
    """
    return _replaced(text, lambda secret, value: f"[redacted:{secret.kind}]")


def masked(value: str) -> str:
    """What may be shown of a text that is a secret as a whole."""
    if len(value) < _SHORTEST_SHOWN:
        return "***"
    return f"{value[:_HEAD]}…{value[-_TAIL:]}"


def shorten_home(text: str, home: str, user: str = "") -> str:
    """``text`` with the path ``home`` as ``~`` and the word ``user`` as ``user``, to be shared.

    The path is found with either separator, and as JSON and URLs write it. Names that many machines have in
    common, such as root, stay; an empty name is none.
    """
    found = _home(home)
    if found is not None and found[0] in text:
        text = found[1].sub("~", text)
    if user and user in text and user.lower() not in _NOBODY:
        text = re.sub(rf"(?<![^\W_]){re.escape(user)}(?![^\W_])", "user", text)
    return text


@lru_cache(maxsize=8)
def _home(home: str) -> tuple[str, re.Pattern[str]] | None:
    """A name that stands wherever the path ``home`` does, and the pattern of the path; None for no path."""
    parts = [part for part in re.split(r"[/\\]+", home) if part]
    if not parts:
        return None
    first = r"(?<![\w.-])" if home[0] not in "/\\" else r"(?<![\w.~-])" + _SEPARATOR
    path = first + _SEPARATOR.join(_part(part) for part in parts)
    sure = "" if len(parts) == 1 and _is_drive(parts[0]) else parts[-1]
    return sure, re.compile(path + r"(?![\w-]|\.\w)")


def _is_drive(part: str) -> bool:
    return len(part) == 2 and part[1] == ":"


def _part(part: str) -> str:
    if _is_drive(part):
        return rf"[{part[0].lower()}{part[0].upper()}](?::|%3[Aa])"
    return re.escape(part)


def _replaced(text: str, shown: Callable[[Secret, str], str]) -> str:
    found = secrets(text)
    if not found:
        return clean(text)
    pieces: list[str] = []
    position = 0
    for secret in found:
        pieces.append(clean(text[position : secret.span.start]))
        pieces.append(shown(secret, plain(text[secret.span.start : secret.span.end]).text))
        position = secret.span.end
    pieces.append(clean(text[position:]))
    return "".join(pieces)
