"""Where does a command say what it found, and in which language?

What masks secrets is imported when something is said: the language server says nothing here.
"""

from __future__ import annotations

import os
import sys
from argparse import Namespace
from collections.abc import Iterable
from dataclasses import dataclass
from io import TextIOWrapper

from agentbrief.jsonio import JsonValue, dumps_pretty
from agentbrief.messages import locale_of, say


class CommandError(Exception):
    """A command that cannot go on: the exit code, and a sentence that names place and remedy."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


@dataclass(frozen=True, slots=True)
class Console:
    """The two streams of a command, its language, and whether its output is for a person at a terminal."""

    locale: str
    colour: bool
    quiet: bool
    width: int | None

    def line(self, text: str) -> None:
        """Print one line for a person; control sequences and secrets never pass."""
        from agentbrief.redact import mask

        sys.stdout.write(mask(text) + "\n")

    def lines(self, texts: Iterable[str]) -> None:
        """Print several lines."""
        for text in texts:
            self.line(text)

    def page(self, text: str) -> None:
        """Print a whole text, secrets masked."""
        from agentbrief.redact import mask

        sys.stdout.write(mask(text))

    def json(self, value: JsonValue) -> None:
        """Print one JSON value, secrets in its strings masked. A lone surrogate is written as its escape."""
        text = dumps_pretty(_masked(value))
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            text = dumps_pretty(value, ascii_only=True)
        sys.stdout.write(text + "\n")

    def note(self, text: str) -> None:
        """Say something beside the output."""
        if not self.quiet:
            from agentbrief.redact import clean, mask

            sys.stderr.write(mask(clean(text)) + "\n")

    def say(self, message: str, /, **arguments: str | int) -> str:
        """A message in the console's language."""
        return say(self.locale, message, **arguments)


def _masked(value: JsonValue) -> JsonValue:
    from agentbrief.redact import mask, secrets

    if isinstance(value, str):
        return mask(value) if secrets(value) else value
    if isinstance(value, dict):
        return {key: _masked(item) for key, item in value.items()}
    return [_masked(item) for item in value] if isinstance(value, list) else value


def console_of(arguments: Namespace) -> Console:
    """The console for the options given and the terminal that is there."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    environment = os.environ
    tags = ("AGENTBRIEF_LOCALE", "LC_ALL", "LC_MESSAGES", "LANG")
    tag = arguments.locale or next((environment[name] for name in tags if environment.get(name)), None)
    colour = sys.stdout.isatty() and not environment.get("NO_COLOR") and environment.get("TERM") != "dumb"
    return Console(locale_of(tag), colour, arguments.quiet, arguments.width)
