r"""What may leave of a text, and how does it stand in a Markdown document where it cannot act?

Every text of a session passes here on its way out: into a fence that it cannot close, or into one line in
which no character has a meaning. Source: reliability.md 12.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from agentbrief.redact import clean, escape_markdown, fenced, mark, secrets, shorten_home
from agentbrief.text.whitespace import WHITE_SPACE, trim

LONGEST_LINE_CHARS = 120
"""The longest name or title that is told; the rest is an ellipsis."""

_PICTURE = re.compile(r"data:image/[A-Za-z0-9.+-]{1,40};base64,([A-Za-z0-9+/=_-]*)")
_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?Z")
_BLANKS = re.compile(f"[{WHITE_SPACE}]+")
_HALF_PAIR = re.compile("[\ud800-\udfff]")
_LINKED = re.compile(r"[:~@&!]|(?<=[Ww]{3})\.")
_IN_HTML = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;"}
_SMALLEST_PICTURE_CHARS = 64


@dataclass(frozen=True, slots=True)
class Guard:
    """How texts leave: secrets as marks (``redacts``), ``home`` and ``user`` shortened where they are given.

    Terminal codes go in any case.
    """

    redacts: bool = True
    home: str = ""
    user: str = ""

    def text(self, text: str) -> str:
        """``text`` as it may leave, line ends and Markdown as they are."""
        text = without_pictures(text)
        if not text.isascii():
            text = _HALF_PAIR.sub("\ufffd", text)
        text = mark(text) if self.redacts else clean(text)
        return shorten_home(text, self.home, self.user) if self.home or self.user else text

    def block(self, text: str) -> str:
        """``text`` in a fence, which ends with a line end."""
        return fenced(self.text(text))

    def line(self, text: str) -> str:
        """``text`` as one line of Markdown in which nothing is a link, a tag or a heading."""
        return _LINKED.sub(lambda found: "\\" + found[0], escape_markdown(self._short(text)))

    def time(self, text: str) -> str:
        """A time as :meth:`line` has it; one that is spelled as usual holds nothing else."""
        return text.replace(":", "\\:") if _TIME.fullmatch(text) else self.line(text)

    def html(self, text: str) -> str:
        """``text`` as one line between HTML tags."""
        return "".join(_IN_HTML.get(char, char) for char in self._short(text))

    def secrets_of(self, text: str) -> tuple[str, ...]:
        """The kinds of the secrets in ``text`` that become marks, one entry a secret."""
        return tuple(secret.kind for secret in secrets(without_pictures(text))) if self.redacts else ()

    def shortens(self, text: str) -> bool:
        """Whether a path or a name in ``text`` is shortened."""
        return bool(self.home or self.user) and shorten_home(text, self.home, self.user) != text

    def _short(self, text: str) -> str:
        one = trim(_BLANKS.sub(" ", self.text(text)))
        return one if len(one) <= LONGEST_LINE_CHARS else one[: LONGEST_LINE_CHARS - 1] + "…"


def without_pictures(text: str) -> str:
    """``text`` with each picture that is carried in it replaced by its size: ``[image 34 KB]``."""
    if "data:image/" not in text:
        return text
    return _PICTURE.sub(_picture, text)


def size_of(data: str, what: str = "image") -> str:
    """What stands for ``data`` in base64: what it is, and its size."""
    size_bytes = len(data.rstrip("=")) * 3 // 4
    size = f"{size_bytes} B" if size_bytes < 1024 else f"{(size_bytes + 512) // 1024} KB"
    return f"[{what} {size}]"


def _picture(found: re.Match[str]) -> str:
    return size_of(found[1]) if len(found[1]) >= _SMALLEST_PICTURE_CHARS else found[0]


GUARDED = Guard()
"""Secrets are masked, and no name is known to shorten."""


def marks_in(text: str) -> int:
    """How many marks of secrets stand in ``text``."""
    return text.count("[redacted:")
