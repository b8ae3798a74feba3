r"""Which secrets does the writer of a claw-code session file mask, and which does claw-code itself miss?

This is a rule of the file format, with a mark of its own; the room ``redact`` guards what is shown. Writing
twice changes nothing. claw-code's own rule looks past quotes and masks its own mark again at each save.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from agentbrief.text.whitespace import WHITE_SPACE

MARK = "[redacted]"
CUT_MARK = "… [truncated for session JSONL]"

MARKERS = (
    "ANTHROPIC_API_KEY=",
    "ANTHROPIC_AUTH_TOKEN=",
    "OPENAI_API_KEY=",
    "DASHSCOPE_API_KEY=",
    "XAI_API_KEY=",
    "Authorization: Bearer ",
    "authorization: Bearer ",
    "Bearer sk-",
    "sk-ant-",
)
"""What a secret stands behind, in the order of looking."""

_QUOTES = ('\\"', "\\'", '"', "'")
_END_OF_QUOTED = {quote: re.compile(re.escape(quote) + r"|\n") for quote in _QUOTES}
_END_OF_PLAIN = re.compile(f"[{WHITE_SPACE}'\",}}\\]]")


@dataclass(frozen=True, slots=True)
class Redacted:
    """A text with its secrets masked, how many there were, and how many of those stood in quotes."""

    text: str
    secrets: int = 0
    quoted: int = 0


def redacted(text: str) -> Redacted:
    """``text`` with the secret behind each marker masked; the marker and its quotes stay.

    Source: claw.md 5.4; ultraworkers/claw-code rust/crates/runtime/src/session.rs@08106b0c, made idempotent
    and aware of quotes.
    """
    secrets = quoted = 0
    for marker in MARKERS:
        if marker not in text:
            continue
        pieces: list[str] = []
        position = 0
        while (found := text.find(marker, position)) >= 0:
            start = found + len(marker)
            quote, begin, end = _secret(text, start)
            if begin < end:
                pieces += [text[position:begin], MARK]
                position = end
                secrets += 1
                quoted += bool(quote)
            else:
                pieces.append(text[position:start])
                position = start
        text = "".join(pieces) + text[position:]
    return Redacted(text, secrets, quoted)


def _secret(text: str, start: int) -> tuple[str, int, int]:
    """The opening quote and the place of the secret that begins at ``start``; an empty place leaves it."""
    for quote in ("", *_QUOTES):
        if text.startswith(quote + MARK, start):
            return "", start, start
    for quote in _QUOTES:
        if text.startswith(quote, start):
            begin = start + len(quote)
            return quote, begin, _first(_END_OF_QUOTED[quote], text, begin)
    return "", start, _first(_END_OF_PLAIN, text, start)


def _first(pattern: re.Pattern[str], text: str, position: int) -> int:
    found = pattern.search(text, position)
    return found.start() if found else len(text)


def redacted_by_claw_code(text: str) -> str:
    """``text`` as claw-code's own writer masks it: up to a quote, also where nothing stands, and again each
    time.

    Source: ultraworkers/claw-code rust/crates/runtime/src/session.rs@08106b0c.
    """
    for marker in MARKERS:
        pieces: list[str] = []
        position = 0
        while (found := text.find(marker, position)) >= 0:
            start = found + len(marker)
            pieces += [text[position:start], MARK]
            position = _first(_END_OF_PLAIN, text, start)
        if pieces:
            text = "".join(pieces) + text[position:]
    return text


def kept_by_claw_code(text: str, max_chars: int) -> str:
    """``text`` as a field of a line that claw-code writes: masked, then cut so that text and mark fit.

    ``max_chars`` is the longest field in code points (profile data).
    """
    masked = redacted_by_claw_code(text)
    if len(masked) <= max_chars:
        return masked
    return masked[: max(max_chars - len(CUT_MARK), 0)] + CUT_MARK


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a writer puts texts into a line: ``content`` for what was said, ``identifier`` for ids and
    signatures.

    ``keeps_unknown``: keys that the format does not know are written back.
    """

    content: Callable[[str], str]
    identifier: Callable[[str], str]
    keeps_unknown: bool = True


def _as_it_is(text: str) -> str:
    return text


def _masked(text: str) -> str:
    return redacted(text).text


AS_IT_IS = Spelling(_as_it_is, _as_it_is)
"""The JSON form: nothing is masked."""

MASKED = Spelling(_masked, _as_it_is)
"""The lines that are written here."""


def claw_code_spelling(max_chars: int) -> Spelling:
    """How claw-code itself writes a line, with fields of at most ``max_chars`` code points."""

    def kept(text: str) -> str:
        return kept_by_claw_code(text, max_chars)

    return Spelling(kept, kept, keeps_unknown=False)


@dataclass(frozen=True, slots=True)
class Loss:
    """What claw-code's writer would do to one text: cut ``chars`` code points, or leave ``chars`` secrets."""

    kind: Literal["claw-code-will-cut", "claw-code-will-leak"]
    amount: int


def losses(text: str, max_chars: int) -> tuple[Loss, ...]:
    """What claw-code's writer would cut off ``text`` (code points), and how many secrets it would let
    through.
    """
    found: list[Loss] = []
    masked = redacted_by_claw_code(text)
    if len(masked) > max_chars:
        found.append(Loss("claw-code-will-cut", len(masked) - max(max_chars - len(CUT_MARK), 0)))
    if leaked := redacted(text).quoted:
        found.append(Loss("claw-code-will-leak", leaked))
    return tuple(found)
