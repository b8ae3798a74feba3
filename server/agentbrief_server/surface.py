"""How is something shown to the user of this client? Each way only where the client has it."""

from __future__ import annotations

import asyncio
import hashlib
import os
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from agentbrief.messages import say
from agentbrief_server.brief_server import BriefServer
from agentbrief_server.log import LOG
from agentbrief_server.loose import as_object, as_text
from agentbrief_server.state import Snapshot
from agentbrief_server.uris import uri_of

if TYPE_CHECKING:
    from agentbrief_server.pages import Page

Json = dict[str, Any]


class Surface:
    """What a command may ask of the client."""

    def __init__(
        self,
        server: BriefServer,
        storage: Callable[[], str | None],
        refresh: Callable[[], None],
        select_agents: Callable[[Sequence[str]], None],
        now: Callable[[], Snapshot],
    ) -> None:
        self._server = server
        self._storage = storage
        self.refresh = refresh
        self.select_agents = select_agents
        self.now = now
        """What is true now: while the user was asked something else may have become so."""

    async def show(self, snapshot: Snapshot, uri: str, page: Page, title: str) -> Json:
        """Show a generated page and say how: as the client's virtual document, else as a file of the cache
        folder.
        """
        if snapshot.client.documents or snapshot.client.text_document_content:
            shown = await self.show_document(snapshot, uri)
            return {"uri": uri, "title": title, "shown": shown}
        path = await asyncio.to_thread(self._write, title, uri, page)
        if path is None:
            return {"uri": uri, "title": title, "shown": False, "text": page.text}
        shown = await self.show_document(snapshot, uri_of(path))
        if not shown:
            self.say(say(snapshot.client.locale, "surface.written", title=title, path=path))
        return {"uri": uri_of(path), "title": title, "shown": shown, "path": path}

    async def show_document(self, snapshot: Snapshot, uri: str, selection: Json | None = None) -> bool:
        """Ask the client to show a document; False where it cannot or will not."""
        if not snapshot.client.show_document:
            return False
        params: Json = {"uri": uri, "takeFocus": True}
        if selection is not None:
            params["selection"] = selection
        answer = await self.ask("window/showDocument", params)
        return _said(answer, "success") is True

    async def apply(self, label: str, edit: Json) -> bool:
        """Ask the client to make an edit; whether it did."""
        answer = await self.ask("workspace/applyEdit", {"label": label, "edit": edit})
        return _said(answer, "applied") is True

    async def choose(self, question: str, choices: Sequence[str]) -> str | None:
        """Ask the user; the title of what was chosen, None when the question was left."""
        actions = [{"title": choice} for choice in choices]
        kind = int(lsp.MessageType.Info)
        answer = await self.ask(
            "window/showMessageRequest", {"type": kind, "message": question, "actions": actions}
        )
        return as_text(_said(answer, "title"))

    def say(self, sentence: str) -> None:
        """Say one sentence as the answer to a command that the user ran."""
        self._server.protocol.notify(
            "window/showMessage", {"type": int(lsp.MessageType.Info), "message": sentence}
        )

    async def ask(self, method: str, params: Json) -> Any:
        """The client's answer; None when it refuses. A handler that is cancelled meanwhile does no harm."""
        try:
            return await asyncio.shield(self._server.protocol.send_request_async(method, params))
        except Exception as error:
            LOG.warning("%s was refused: %s", method, type(error).__name__)
            return None

    def _write(self, title: str, uri: str, page: Page) -> str | None:
        """A read-only file of the cache folder with the page; the same page always has the same file."""
        folder = self._storage()
        if folder is None:
            return None
        pages = os.path.join(folder, "pages")
        words = "".join(char if char.isalnum() or char in "-_. " else "-" for char in title).strip() or "page"
        digest = hashlib.sha256(uri.encode()).hexdigest()[:8]
        path = os.path.join(pages, f"{words[:60]}-{digest}.md")
        try:
            os.makedirs(pages, mode=0o700, exist_ok=True)
            temporary = f"{path}.{os.getpid()}"
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o400)
            with os.fdopen(
                descriptor, "w", encoding="utf-8", errors="backslashreplace", newline="\n"
            ) as file:
                file.write(page.text)
            os.replace(temporary, path)
        except OSError:
            LOG.warning("a page could not be written to the cache folder")
            return None
        return path


def _said(answer: object, key: str) -> object:
    """What an answer of the client says at ``key``, whether it is an object of LSP or a plain one."""
    return as_object(answer).get(key, getattr(answer, key, None))
