"""Which secrets of an instruction file are worth telling, and what of each may be shown?

Masking hides too much rather than too little; a finding must be right. So of what masking hides, examples are
left out here, and a value that only its surroundings give away counts if it looks random.
"""

from __future__ import annotations

import base64
import binascii
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from agentbrief.redact import Secret, secrets
from agentbrief.redact.plain import plain
from agentbrief.text.span import Span

MOST_TOLD = 1000
"""How many secrets of one text are told."""

VARIABLES = {
    "private-key": "PRIVATE_KEY",
    "anthropic-key": "ANTHROPIC_API_KEY",
    "openrouter-key": "OPENROUTER_API_KEY",
    "openai-key": "OPENAI_API_KEY",
    "github-token": "GITHUB_TOKEN",
    "gitlab-token": "GITLAB_TOKEN",
    "slack-token": "SLACK_TOKEN",
    "google-api-key": "GOOGLE_API_KEY",
    "google-oauth-token": "GOOGLE_OAUTH_TOKEN",
    "stripe-key": "STRIPE_API_KEY",
    "npm-token": "NPM_TOKEN",
    "pypi-token": "PYPI_TOKEN",
    "huggingface-token": "HF_TOKEN",
    "supabase-token": "SUPABASE_ACCESS_TOKEN",
    "sendgrid-key": "SENDGRID_API_KEY",
    "twilio-key": "TWILIO_API_KEY",
    "jwt": "JWT",
    "aws-access-key-id": "AWS_ACCESS_KEY_ID",
    "aws-secret-key": "AWS_SECRET_ACCESS_KEY",
    "telegram-bot-token": "TELEGRAM_BOT_TOKEN",
    "discord-token": "DISCORD_TOKEN",
    "azure-storage-key": "AZURE_STORAGE_KEY",
    "bearer-token": "ACCESS_TOKEN",
    "basic-auth": "BASIC_AUTH",
    "url-password": "PASSWORD",
    "password-value": "PASSWORD",
    "api-key-value": "API_KEY",
    "token-value": "TOKEN",
    "secret-value": "SECRET",
}
"""The environment variable that may stand for a secret of each kind."""

_NEVER_SHOWN = frozenset({"private-key", "basic-auth", "url-password", "password-value"})
_BY_SURROUNDINGS = frozenset(
    {
        "bearer-token",
        "basic-auth",
        "url-password",
        "password-value",
        "api-key-value",
        "token-value",
        "secret-value",
    }
)
_AWS_SECRET_SIZE = 40

_EXAMPLE = re.compile(
    r"example|placeholder|redacted|replace|dummy|change[-_]?me|your[-_]|[-_]your"
    # The record of the token that pages about JWT show.
    r"|eyJzdWIiOiIxMjM0NTY3ODkw",
    re.IGNORECASE,
)
_BADGE = re.compile(r"\.(?:svg|png)\?(?:[\w-]+=[\w-]*&)*token=\Z", re.ASCII)
_LONGEST_QUERY = 80
_SPEAKING = re.compile(
    r"passw|secret|token|test|demo|fake|sample|admin|user|qwerty|abcd|1234|abc123|123abc|a1b2c3|1a2b3c",
    re.IGNORECASE,
)
_LETTERS = {letter: place for place, letter in enumerate("0123456789abcdefghijklmnopqrstuvwxyz")}
_NOWHERE = -2
_AROUND = frozenset({(9, 0), (0, 10), (15, 0)})
_SEPARATORS = re.compile(r"[-_./:+=,@]+")
_FEWEST_TURNS = 3
_FEWEST_CHARACTERS = 8


@dataclass(frozen=True, slots=True)
class ToldSecret:
    """A secret: its kind, its range in code points, and what of it may be shown."""

    kind: str
    span: Span
    shown: str


@lru_cache(maxsize=128)
def secrets_told(text: str) -> tuple[ToldSecret, ...]:
    """The first :data:`MOST_TOLD` secrets of ``text`` that are worth telling, by place.

    The same text object is searched once, whatever the number of agents.
    """
    found: list[ToldSecret] = []
    for secret in secrets(text):
        value = plain(text[secret.span.start : secret.span.end]).text
        if _is_told(secret.kind, value) and not _is_of_a_badge(text, secret):
            found.append(ToldSecret(secret.kind, secret.span, shown(secret.kind, value)))
            if len(found) == MOST_TOLD:
                break
    return tuple(found)


def shown(kind: str, value: str) -> str:
    """What of a secret may stand in a message: its first 6 and last 4 characters, but never more than a third
    of it, and nothing of a password or a private key.
    """
    size = len(value)
    if kind in _NEVER_SHOWN or size < 18:
        return "***"
    head, tail = (6, 4) if size >= 30 else (4, 2)
    return f"{value[:head]}…{value[-tail:]}"


def _is_told(kind: str, value: str) -> bool:
    if kind == "private-key":
        return True
    if _EXAMPLE.search(value) is not None or _counts_up(value):
        return False
    if kind in _BY_SURROUNDINGS:
        return looks_random(_password_of(value) if kind == "basic-auth" else value)
    return kind != "aws-secret-key" or len(value) == _AWS_SECRET_SIZE or looks_random(value)


def _is_of_a_badge(text: str, secret: Secret) -> bool:
    """Whether it is the parameter of a picture's address, which everyone may load."""
    before = text[max(secret.span.start - _LONGEST_QUERY, 0) : secret.span.start]
    return secret.kind == "token-value" and _BADGE.search(before) is not None


def looks_random(value: str) -> bool:
    """Whether ``value`` is no word, name, path, version or date.

    In a stretch of it without a separator, which holds eight different characters, letters, digits and signs
    take turns three times, but not at every character, as in ``9f8a3c2b1e4d``.
    """
    if _SPEAKING.search(value) is not None:
        return False
    return any(_is_mixed_up(stretch) for stretch in _SEPARATORS.split(value))


def _is_mixed_up(stretch: str) -> bool:
    if len(set(stretch)) < _FEWEST_CHARACTERS:
        return False
    classes = [0 if char.isalpha() else 1 if char.isdigit() else 2 for char in stretch]
    turns = sum(one != other for one, other in pairwise(classes))
    return _FEWEST_TURNS <= turns < len(stretch) - 1


def _counts_up(value: str) -> bool:
    """Whether three of four steps from a character to the next lead to the same one or the one that follows
    it, as in ``0123456789abcdef0123``.
    """
    places = [_LETTERS.get(char, _NOWHERE) for char in value.lower()]
    steps = [other - one in (0, 1) or (one, other) in _AROUND for one, other in pairwise(places)]
    return 4 * sum(steps) >= 3 * len(steps)


def _password_of(value: str) -> str:
    """What stands behind the colon of a user and a password in Base64; ``value`` itself where none does."""
    try:
        decoded = base64.b64decode(value, validate=True).decode("utf-8", "replace")
    except binascii.Error:
        return value
    return decoded.partition(":")[2] or value
