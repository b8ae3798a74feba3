"""Where are the secrets of a text?"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from agentbrief.redact.named import named
from agentbrief.redact.plain import Plain, plain
from agentbrief.redact.private_key import private_keys
from agentbrief.redact.shapes import SHAPES, Hit, shaped
from agentbrief.text.span import Span

KINDS = tuple(
    dict.fromkeys(
        (
            "private-key",
            *(shape.kind for shape in SHAPES),
            "aws-access-key-id",
            "aws-secret-key",
            "telegram-bot-token",
            "discord-token",
            "azure-storage-key",
            "bearer-token",
            "basic-auth",
            "url-password",
            "password-value",
            "api-key-value",
            "token-value",
            "secret-value",
        )
    )
)
"""The kinds that are told apart. Of two hits in one place the kind that comes first here counts."""

_SHORTEST = 8
_RANK = {kind: rank for rank, kind in enumerate(KINDS)}


@dataclass(frozen=True, slots=True)
class Secret:
    """A secret: one of :data:`KINDS`, and its range in code points of the text that was given."""

    kind: str
    span: Span


def secrets(text: str) -> tuple[Secret, ...]:
    """The secrets of ``text``, by place and without overlap.

    Terminal sequences and zero-width characters inside a secret do not hide it; they belong to its range.
    """
    if len(text) < _SHORTEST:
        return ()
    seen = plain(text)
    hits = sorted(_hits(seen), key=lambda hit: (hit.start, hit.end))
    return tuple(Secret(hit.kind, seen.origin(Span(hit.start, hit.end))) for hit in _merged(hits))


def _hits(seen: Plain) -> Iterator[Hit]:
    yield from private_keys(seen.text)
    yield from shaped(seen.text, frozenset(seen.seams))
    yield from named(seen.text)


def _merged(hits: list[Hit]) -> Iterator[Hit]:
    waiting: Hit | None = None
    for hit in hits:
        if waiting is not None and hit.start < waiting.end:
            kind = min(waiting.kind, hit.kind, key=_RANK.__getitem__)
            waiting = Hit(kind, waiting.start, max(waiting.end, hit.end))
            continue
        if waiting is not None:
            yield waiting
        waiting = hit
    if waiting is not None:
        yield waiting
