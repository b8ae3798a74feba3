"""What does a key, a token or a certificate look like that can be told by its own letters?

Each shape is looked for at its anchor, a literal, so that prose costs little. A pattern either fails within a
bounded number of characters or reads a run that no other anchor reads again: the time grows with the length
of the text, whatever stands in it.

Source: reliability.md 12.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator
from dataclasses import dataclass
from functools import lru_cache

from agentbrief.redact.anchors import Anchors

ALPHANUMERIC = frozenset("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")

_ESCAPE_BEFORE = re.compile(r"(?:%[0-9A-Fa-f]{2}|\\[nrtbf]|\\u[0-9A-Fa-f]{4})\Z")
_LONGEST_ESCAPE = 6
_FILLED_IN = re.compile(r"x{6}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Hit:
    """A secret in one text: its kind, and its range in code points."""

    kind: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Shape:
    """``pattern`` is tried where one of ``anchors`` stands, and compiled when it first is.

    Groups: ``head`` is what comes before the part that differs from key to key. ``digit`` asks for a digit in
    that part, ``word`` for the begin of a word before it and ``whole`` for the end of one behind it too:
    short anchors also stand inside other words. ``skip`` is the run that is not tried again after a failure.
    """

    kind: str
    anchors: tuple[str, ...]
    pattern: str
    digit: bool = False
    word: bool = False
    whole: bool = False
    skip: str = ""


def _shape(
    kind: str,
    anchors: str,
    pattern: str,
    *,
    digit: bool = False,
    word: bool = False,
    whole: bool = False,
    skip: str = "",
) -> Shape:
    return Shape(kind, tuple(anchors.split()), pattern, digit, word or whole, whole, skip)


_compiled = lru_cache(maxsize=None)(re.compile)


SHAPES = (
    _shape("anthropic-key", "sk-ant-", r"(?P<head>sk-ant-)[A-Za-z0-9_-]{16,}", digit=True),
    _shape("openrouter-key", "sk-or-", r"(?P<head>sk-or-)[A-Za-z0-9_-]{20,}", digit=True),
    _shape(
        "openai-key",
        "sk-",
        r"(?P<head>sk-(?:(?:proj|svcacct|admin|service|None)-(?=[A-Za-z0-9_-]{20})|(?=[A-Za-z0-9]{20})))"
        r"[A-Za-z0-9_-]+",
        digit=True,
        word=True,
    ),
    _shape("github-token", "ghp_ gho_ ghu_ ghs_ ghr_", r"(?P<head>gh[pousr]_)[A-Za-z0-9]{30,}"),
    _shape("github-token", "github_pat_", r"(?P<head>github_pat_)[A-Za-z0-9_]{30,}", digit=True),
    _shape("gitlab-token", "glpat-", r"(?P<head>glpat-)[A-Za-z0-9_-]{16,}(?:\.[A-Za-z0-9_-]+)*", digit=True),
    _shape("slack-token", "xox", r"(?P<head>xox[abeoprs]-)[A-Za-z0-9-]{10,}", digit=True),
    _shape("slack-token", "xapp-", r"(?P<head>xapp-)[A-Za-z0-9-]{10,}", digit=True),
    _shape("google-api-key", "AIza", r"(?P<head>AIza)[A-Za-z0-9_-]{30,}", word=True),
    _shape("google-oauth-token", "ya29.", r"(?P<head>ya29\.)[A-Za-z0-9_-]{20,}", digit=True),
    _shape("stripe-key", "sk_live_ rk_live_", r"(?P<head>[sr]k_live_)[A-Za-z0-9]{16,}"),
    _shape("stripe-key", "whsec_", r"(?P<head>whsec_)[A-Za-z0-9+/]{16,}=*", digit=True),
    _shape("npm-token", "npm_", r"(?P<head>npm_)[A-Za-z0-9]{30,}"),
    _shape("pypi-token", "pypi-AgE", r"(?P<head>pypi-AgE)[A-Za-z0-9_-]{16,}"),
    _shape("huggingface-token", "hf_", r"(?P<head>hf_)[A-Za-z0-9]{30,}"),
    _shape("supabase-token", "sbp_", r"(?P<head>sbp_)[0-9a-f]{32,}"),
    _shape("sendgrid-key", "SG.", r"(?P<head>SG\.)[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}"),
    _shape("twilio-key", "SK", r"(?P<head>SK)[0-9a-f]{32}", whole=True),
    _shape(
        "jwt",
        "eyJ",
        r"(?P<head>eyJ)[A-Za-z0-9_-]{8,}+\.[A-Za-z0-9_-]{8,}+(?:\.[A-Za-z0-9_-]*+){1,3}+",
        skip=r"[A-Za-z0-9_-]+",
    ),
)

_ACCESS_KEY = _shape("aws-access-key-id", "AKIA ASIA", r"(?P<head>A[KS]IA)[A-Z0-9]{16}", whole=True)
_BESIDE = 160
_SECRET_KEY = re.compile(r"(?<![A-Za-z0-9/+=])[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])")

_TELEGRAM_ANCHORS = (":AA", "%3AAA", "%3aAA")
_TELEGRAM = re.compile(r"(?::|%3[Aa])AA[A-Za-z0-9_-]{30,}")
_TELEGRAM_ID = re.compile(r"[0-9]{6,12}\Z")
_DISCORD_TAIL = re.compile(r"\.(?=[A-Za-z0-9_-]{6,7}\.([A-Za-z0-9_-]{27,}+))")
_DISCORD_HEAD = re.compile(r"[A-Za-z0-9_-]+\Z")

_ANCHORS = Anchors(
    [anchor for shape in (*SHAPES, _ACCESS_KEY) for anchor in shape.anchors] + [*_TELEGRAM_ANCHORS]
)


def shaped(text: str, seams: Container[int] = ()) -> Iterator[Hit]:
    """The hits of all shapes, shape by shape. ``seams``: see :func:`begins`."""
    if possible := _ANCHORS.possible_in(text):
        for shape in SHAPES:
            if not possible.isdisjoint(shape.anchors):
                yield from _at_anchors(text, shape, seams)
        for key in _at_anchors(text, _ACCESS_KEY, seams):
            yield key
            yield from _secret_key_beside(text, key.end)
        yield from _telegram(text)
    yield from _discord(text, seams)


def begins(text: str, position: int, seams: Container[int] = ()) -> bool:
    r"""Whether a word may begin at ``position``: no letter or digit stands before it, but for the last of an
    escape as in URLs and JSON (``%3D``, ``\n``, ``\u0022``).

    ``seams`` are offsets where something was taken out of the text; a word may begin and end there.
    """
    if position == 0 or text[position - 1] not in ALPHANUMERIC or position in seams:
        return True
    return _ESCAPE_BEFORE.search(text[max(position - _LONGEST_ESCAPE, 0) : position]) is not None


def is_filled_in(value: str) -> bool:
    """Whether ``value`` only shows where a key would stand: ``xxxxxx``, or no more than two characters."""
    return _FILLED_IN.search(value) is not None or len(set(value)) <= 2


def has_digit(value: str) -> bool:
    """Whether one of 0 to 9 is in ``value``."""
    return any("0" <= char <= "9" for char in value)


def _at_anchors(text: str, shape: Shape, seams: Container[int]) -> Iterator[Hit]:
    for anchor in shape.anchors:
        position = text.find(anchor)
        while position >= 0:
            following = position + len(anchor)
            if not shape.word or begins(text, position, seams):
                if (match := _compiled(shape.pattern).match(text, position)) is not None:
                    following = match.end()
                    body = text[match.end("head") : following]
                    ended = (
                        not shape.whole
                        or following in seams
                        or text[following : following + 1] not in ALPHANUMERIC
                    )
                    if ended and not is_filled_in(body) and (has_digit(body) or not shape.digit):
                        yield Hit(shape.kind, position, following)
                elif shape.skip and (run := _compiled(shape.skip).match(text, position)):
                    following = run.end()
            position = text.find(anchor, following)


def _secret_key_beside(text: str, position: int) -> Iterator[Hit]:
    """The secret that stands within a few words behind the identifier of an AWS key."""
    for match in _SECRET_KEY.finditer(text, position, position + _BESIDE + 41):
        key = match[0]
        # A commit has no upper-case letter.
        if any(char.isupper() for char in key) and any(char.islower() for char in key) and has_digit(key):
            yield Hit("aws-secret-key", *match.span())
            return


def _telegram(text: str) -> Iterator[Hit]:
    for anchor in _TELEGRAM_ANCHORS:
        position = text.find(anchor)
        while position >= 0:
            following = position + len(anchor)
            if (match := _TELEGRAM.match(text, position)) is not None:
                following = match.end()
                number = _TELEGRAM_ID.search(text[max(position - 12, 0) : position])
                if number is not None and not is_filled_in(match[0][len(anchor) :]):
                    start = position - len(number[0])
                    # "%20" before it lends two digits.
                    yield Hit("telegram-bot-token", start + 2 * text.endswith("%", 0, start), following)
            position = text.find(anchor, following)


def _discord(text: str, seams: Container[int]) -> Iterator[Hit]:
    for match in _DISCORD_TAIL.finditer(text):
        position = match.start()
        head = _DISCORD_HEAD.search(text[max(position - 28, 0) : position])
        tail = match[1]
        if head is None or not has_digit(tail) or is_filled_in(tail) or not any(map(str.isupper, tail)):
            continue
        for start in range(position - len(head[0]), position - 23):
            if text[start] in "MNO" and begins(text, start, seams) and has_digit(text[start:position]):
                yield Hit("discord-token", start, match.end(1))
                break
