"""How does a program of the user write a summary?

The only program that is ever started, and only one that the user's own settings name: never one of a
workspace. It gets the conversation on its standard input, secrets masked, and prints the summary.
"""

from __future__ import annotations

import os
import signal
import subprocess
from collections.abc import Callable, Sequence
from contextlib import suppress

from agentbrief.compaction.providers.provider import Cancelled, CancelToken, Deadline
from agentbrief.compaction.providers.serialised import serialised
from agentbrief.sessions.model import Message

COMMAND = "command"

_LOOK_SECONDS = 0.05
_MAX_ANSWER_BYTES = 1 << 20


class CommandFailed(Exception):
    """The program gave no answer: ``why`` as one word, without any of its text."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Command:
    """The program ``arguments``, run in ``folder``, which is no workspace.

    ``redact`` masks what must not leave; None sends the text as it is, which only the user's own setting may
    ask for.
    """

    id = COMMAND

    def __init__(self, arguments: Sequence[str], folder: str, redact: Callable[[str], str] | None) -> None:
        if not arguments:
            raise ValueError("no program")
        self._arguments = tuple(arguments)
        self._folder = folder
        self._redact = redact

    def summarize(
        self,
        messages: Sequence[Message],
        previous_summary: str | None,
        instructions: Sequence[str],
        deadline: Deadline,
        cancel: CancelToken,
    ) -> str:
        """See :meth:`CompactionProvider.summarize`.

        Raises:
            CommandFailed: it could not be started, took too long, failed, or printed too much or no UTF-8.
        """
        text = serialised(messages, previous_summary, instructions)
        if self._redact is not None:
            text = self._redact(text)
        try:
            process = subprocess.Popen(
                self._arguments,
                cwd=self._folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            raise CommandFailed("not-started") from error
        try:
            answer = _answer(process, text.encode("utf-8", "replace"), deadline, cancel)
        except BaseException:
            _end(process)
            raise
        if process.returncode != 0:
            raise CommandFailed("exit-code")
        if len(answer) > _MAX_ANSWER_BYTES:
            raise CommandFailed("too-long")
        try:
            return answer.decode("utf-8")
        except UnicodeDecodeError as error:
            raise CommandFailed("not-utf8") from error


def _answer(process: subprocess.Popen[bytes], text: bytes, deadline: Deadline, cancel: CancelToken) -> bytes:
    given: bytes | None = text
    while True:
        if cancel.is_cancelled:
            raise Cancelled
        if deadline.has_passed:
            raise CommandFailed("deadline")
        try:
            return process.communicate(given, timeout=min(_LOOK_SECONDS, deadline.left_ms / 1000))[0]
        except subprocess.TimeoutExpired:
            given = None


def _end(process: subprocess.Popen[bytes]) -> None:
    """End the program and what it started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    with suppress(subprocess.TimeoutExpired):
        process.communicate(timeout=1)
