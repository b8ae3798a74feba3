"""Which value is a secret because of what stands before it: a key's name, a header, a scheme?

A value behind a name such as ``password`` counts only if it holds a digit and another class of characters and
is no placeholder; else prose such as "token: estimated" would be masked. Source: reliability.md 12.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator

from agentbrief.redact.shapes import Hit, begins, has_digit, is_filled_in

_ASCII_LOWER = {code: code + 32 for code in range(ord("A"), ord("Z") + 1)}

# Between the name and the value: what closes the name, the separator, what opens the value. In JSON inside
# JSON a quote has backslashes before it; in a URL the separator is percent-encoded.
_CLOSE = r"\\*+[\"'`]?+\]?+[*_]{0,2}+"
_SEPARATOR = r"(?:[ \t]|%20)*+(?:=>|:=|=(?![=~>])|:(?![:=])|%3[AaDd]|：|＝)[*_]{0,2}+(?:[ \t]|%20)*+"
_OPEN = r"(?:[bBfFrRuU]{1,2}(?=[\"']))?+\\*+(?P<quote>[\"'`])?+"
# Chinese, Japanese and Korean prose has no blanks: a value ends where such letters begin.
_EAST_ASIAN = (
    r"\u1100-\u11ff\u2e80-\ua4cf\uac00-\ud7ff\uf900-\ufaff\ufe30-\ufe4f\uff00-\uffef\U00020000-\U0003ffff"
)
_VALUE = (
    rf"(?P<value>(?(quote)(?:[^\s\"'`\\…%{_EAST_ASIAN}]|%(?!0[AaDd]|2[02]))"
    rf"|(?:[^\s\"'`\\…%,;(){{}}\[\]<>&|{_EAST_ASIAN}]|%(?!0[AaDd]|2[0267BbCc]|3[BbCcEe]))){{8,}}+)"
)
_NAME = (
    r"(?:(?P<password>passw(?:or)?d)|(?P<aws>(?<=aws_)secret_key|secret[_-]?access[_-]?key)"
    r"|(?P<secret>secret(?:[_-]?key(?:[_-]?base)?)?)|(?P<token>token)|(?P<api>api[_-]?key))"
)
# Only the name is read whatever its case: to compile the classes of the value so would take long.
_ASSIGNED = re.compile(f"(?i:{_NAME})" + _CLOSE + _SEPARATOR + _OPEN + _VALUE)
_NAMES = ("passw", "secret", "token", "apikey", "api_key", "api-key")
_KINDS = {
    "password": "password-value",
    "aws": "aws-secret-key",
    "secret": "secret-value",
    "token": "token-value",
    "api": "api-key-value",
}

_STORAGE = re.compile(
    r"(?:accountkey|sharedaccesskey)"
    + _CLOSE
    + _SEPARATOR
    + _OPEN
    + r"(?P<value>[a-z0-9+/]{40,}+(?:=|%3d){0,2}+)",
    re.IGNORECASE,
)
_BLANK = r"(?:[ \t]++|%20|\+)++"
_BEARER = re.compile(rf"bearer{_BLANK}(?P<value>(?:[a-z0-9._~+/=-]|%2[bf]|%3d){{8,}}+)", re.IGNORECASE)
_BASIC = re.compile(rf"basic{_BLANK}(?P<value>[a-z0-9+/]{{8,}}+(?:=|%3d){{0,2}}+)", re.IGNORECASE)
_HEADER = "authorization"
_HEADER_BEFORE = 32
_LONE_BEARER = 16

_USER_INFO = re.compile(r"://[^\s/?#\"'`<>@:\\]*+:(?P<value>[^\s/?#\"'`<>\\]{3,})@")
_ENCODED_USER_INFO = re.compile(
    r"%3a%2f%2f(?:(?!%3a|%40|%2f)[^\s/?#\"'`<>@:\\&])*+%3a"
    r"(?P<value>(?:(?!%40|%2f)[^\s/?#\"'`<>@:\\&]){3,}+)%40",
    re.IGNORECASE,
)

_PLACEHOLDER = re.compile(
    r"\A(?:\$[A-Za-z_{(]|%[A-Za-z_({]|[<{]|(?:your|my)[-_])"
    r"|\$\{|\{\{|<[^<>]*>|\*{3}|x{4}|\.{3}|…|change[-_]?me|placeholder|redacted",
    re.IGNORECASE,
)
_REFERENCE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+", re.ASCII)
_NUMBER_TYPE = re.compile(r"(?:Big)?(?:u?int|float)\d+\w*", re.IGNORECASE | re.ASCII)
_NUMBER = re.compile(
    r"0[xob][0-9a-f_]+|[0-9][0-9_.]*(?:ms|s|m|h|d|k|b|[kmgt]i?b|px|em|%)?", re.IGNORECASE | re.ASCII
)
_ADDRESS = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_FILE = re.compile(r"(?:~|\.{1,2})?(?:/[a-z0-9._-]+)+/?|(?:[\w.-]+/)+[\w-]+\.[a-z]{1,5}", re.ASCII)
_PORT = re.compile(r"[0-9]{1,5}[)\],;]")
_SYMBOLS = frozenset("!@#$^&*?%")
_LONGEST_SEARCHED = 1024
_DUMMY_PASSWORDS = frozenset({"pass", "passwd", "password", "pwd", "secret", "token", "user", "username"})


def named(text: str) -> Iterator[Hit]:
    """The values that their surroundings give away, kind by kind."""
    lowered = _lowered(text)
    if "bearer" in lowered or "basic" in lowered:
        yield from _headers(text, lowered)
    if not (
        ":" in lowered or "=" in lowered or "%3a" in lowered or "\uff1a" in lowered or "\uff1d" in lowered
    ):
        # Neither an address nor a separator stands here.
        return
    yield from _addresses(text, lowered)
    for name in ("accountkey", "sharedaccesskey"):
        for match in _matches(text, lowered, name, _STORAGE):
            yield Hit("azure-storage-key", *match.span("value"))
    for name in _NAMES:
        yield from _assigned(text, lowered, name)


def _assigned(text: str, lowered: str, name: str) -> Iterator[Hit]:
    position = lowered.find(name)
    while position >= 0:
        following = position + len(name)
        if (match := _ASSIGNED.match(text, position)) is not None:
            start, end = match.span("value")
            following = end
            end -= len(match["value"]) - len(match["value"].rstrip(".:"))
            if _is_secret(text[start:end], match["quote"], text[following : following + 1]):
                kind = next(kind for group, kind in _KINDS.items() if match[group])
                yield Hit(kind, start, end)
            elif following - start <= _LONGEST_SEARCHED:
                # An address is no secret, but one of its parameters may be.
                following = start
        position = lowered.find(name, following)


def _lowered(text: str) -> str:
    lowered = text.lower()
    # A few letters become two: offsets would no longer be those of the text.
    return lowered if len(lowered) == len(text) else text.translate(_ASCII_LOWER)


def _matches(text: str, lowered: str, anchor: str, pattern: re.Pattern[str]) -> Iterator[re.Match[str]]:
    position = lowered.find(anchor)
    while position >= 0:
        following = position + len(anchor)
        if (match := pattern.match(text, position)) is not None:
            following = match.end()
            yield match
        position = lowered.find(anchor, following)


def _headers(text: str, lowered: str) -> Iterator[Hit]:
    for match in _matches(text, lowered, "bearer", _BEARER):
        value = match["value"]
        long_enough = len(value) >= _LONE_BEARER or _in_header(lowered, match.start())
        if begins(text, match.start()) and long_enough and _is_mixed(value) and not _is_placeholder(value):
            yield Hit("bearer-token", *match.span("value"))
    for match in _matches(text, lowered, "basic", _BASIC):
        if _in_header(lowered, match.start()) and _is_user_and_password(match["value"]):
            yield Hit("basic-auth", *match.span("value"))


def _in_header(lowered: str, position: int) -> bool:
    return _HEADER in lowered[max(position - _HEADER_BEFORE, 0) : position]


def _is_user_and_password(value: str) -> bool:
    if has_digit(value) or not value.isalnum():
        return not is_filled_in(value)
    try:
        return b":" in base64.b64decode(value, validate=True)
    except binascii.Error:
        return False


def _addresses(text: str, lowered: str) -> Iterator[Hit]:
    for anchor, pattern in (("://", _USER_INFO), ("%3a%2f%2f", _ENCODED_USER_INFO)):
        for match in _matches(text, lowered, anchor, pattern):
            value = match["value"]
            dummy = _is_placeholder(value) or value.lower() in _DUMMY_PASSWORDS
            if not dummy and not _PORT.match(value):
                yield Hit("url-password", *match.span("value"))


def _is_secret(value: str, quote: str | None, following: str) -> bool:
    if not _is_mixed(value) or _is_placeholder(value):
        return False
    if _ADDRESS.match(value) or _FILE.fullmatch(value):
        return False
    is_code = quote is None and (
        following in ("(", "[")
        or any(shape.fullmatch(value) for shape in (_REFERENCE, _NUMBER_TYPE, _NUMBER))
    )
    return not is_code


def _is_mixed(value: str) -> bool:
    """Whether ``value`` holds a digit and a letter or a symbol that numbers and dates do not have."""
    return has_digit(value) and any(char.isalpha() or char in _SYMBOLS for char in value)


def _is_placeholder(value: str) -> bool:
    return _PLACEHOLDER.search(value) is not None or len(set(value)) <= 2
