"""How does the editor write a summary? The provider ``editor``.

The client is asked (``agentbrief/summarize``) from the worker that compacts; a client that takes too long, or
whose answer is not wanted any more, is told so. Whatever it answers but words is its failure, and the next
provider is asked.
"""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, Future
from typing import Any

from agentbrief.compaction.providers.provider import Cancelled, CancelToken, Deadline
from agentbrief.compaction.providers.serialised import serialised
from agentbrief.sessions.model import Message
from agentbrief_server.brief_server import BriefServer

EDITOR = "editor"
METHOD = "agentbrief/summarize"

_LOOK_S = 0.05
_MAX_ANSWER_CHARS = 1 << 20

_TASK = (
    "The text is a conversation of a user with a coding agent. Do not continue it. Unless something else is"
    " asked for below, write a summary from which another model can go on with the work: what was asked for,"
    " what was decided, what is done and what is open; files, names and commands exactly as they stand."
    " Answer with the text alone."
)

Params = dict[str, Any]
Ask = Callable[[Params], "Future[Any]"]
"""Sends the request, from any thread. A future that is cancelled takes the request back."""


class EditorFailed(Exception):
    """The client gave no summary: ``why`` as one word, without any of its text."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


class Editor:
    """The client's language model. ``redact`` masks what must not leave; None sends the text as it is,

    which only the user's own setting may ask for. ``max_tokens`` is said to the client, who keeps to it.
    """

    id = EDITOR

    def __init__(self, ask: Ask, redact: Callable[[str], str] | None, max_tokens: int) -> None:
        self._ask = ask
        self._redact = redact
        self._max_tokens = max_tokens

    def summarize(
        self,
        messages: Sequence[Message],
        previous_summary: str | None,
        instructions: Sequence[str],
        deadline: Deadline,
        cancel: CancelToken,
    ) -> str:
        """See :meth:`CompactionProvider.summarize`. Empty when the client declines.

        Raises:
            EditorFailed: it took too long, refused, or answered with something else than words.
        """
        cancel.require()
        params = {
            "text": self._masked(serialised(messages)),
            "previousSummary": self._masked(previous_summary) if previous_summary else None,
            "instructions": self._masked("\n\n".join((_TASK, *instructions))),
            "maxTokens": self._max_tokens,
            "deadlineMs": deadline.left_ms,
        }
        asked = self._ask(params)
        try:
            return _words(_answer(asked, deadline, cancel))
        except BaseException:
            asked.cancel()
            raise

    def _masked(self, text: str) -> str:
        # what cannot be UTF-8 cannot be sent
        sent = text.encode("utf-8", "replace").decode("utf-8")
        return sent if self._redact is None else self._redact(sent)


def asking(server: BriefServer) -> Ask:
    """What sends the request to the client of ``server``."""

    async def asked(params: Params) -> Any:
        msg_id = str(uuid.uuid4())
        try:
            return await asyncio.wrap_future(server.protocol.send_request(METHOD, params, msg_id=msg_id))
        except asyncio.CancelledError:
            server.protocol.notify("$/cancelRequest", {"id": msg_id})
            raise

    def ask(params: Params) -> Future[Any]:
        if server.loop is None:
            raise EditorFailed("nobody-there")
        return asyncio.run_coroutine_threadsafe(asked(params), server.loop)

    return ask


def _answer(asked: Future[Any], deadline: Deadline, cancel: CancelToken) -> object:
    while True:
        if cancel.is_cancelled:
            raise Cancelled
        if deadline.has_passed:
            raise EditorFailed("deadline")
        try:
            return asked.result(timeout=min(_LOOK_S, deadline.left_ms / 1000))
        except TimeoutError:
            continue
        except CancelledError as error:
            raise EditorFailed("ended") from error
        except Exception as error:
            # the client's words are its own: they are neither logged nor shown
            raise EditorFailed("refused") from error


def _words(answer: object) -> str:
    """The summary in ``answer``; empty where the client says that it gives none."""
    if not isinstance(answer, dict) or "text" not in answer:
        raise EditorFailed("nonsense")
    text: object = answer["text"]  # pyright: ignore[reportUnknownVariableType]
    if text is None:
        return ""
    if not isinstance(text, str) or len(text) > _MAX_ANSWER_CHARS:
        raise EditorFailed("nonsense")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise EditorFailed("nonsense") from error
    return text
