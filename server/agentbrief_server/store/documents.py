"""Which open documents are stores or their configuration, and when are they judged anew?

A document of the client that is judged in a worker, with what lies beside it on disk: after each edit, and
when the folder of the store is another one. Nothing about stores is imported before one is open.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from agentbrief_server.documents import line_index
from agentbrief_server.log import LOG
from agentbrief_server.publish import PUBLISH
from agentbrief_server.state import Snapshot, State
from agentbrief_server.uris import path_of, uri_of

if TYPE_CHECKING:
    from agentbrief_server.store.judging import StoreSeen

NAMES = ("/sessions.json", "/openclaw.json")
GATHER_S = 0.15
"""The shortest time between two looks at the same document."""


def is_store_document(uri_or_path: str) -> bool:
    """Whether a document has the name of a store, or of OpenClaw's configuration."""
    return uri_or_path.endswith(NAMES)


def store_seen(snapshot: Snapshot, uri: str) -> StoreSeen | None:
    """What was found in the open document ``uri``, if its text is still the one that was judged."""
    if not is_store_document(uri):
        return None
    path = path_of(uri)
    found = snapshot.sessions.stores.get(path or "")
    document = snapshot.documents.get(path or "")
    return found if found is not None and document is not None and document.text == found.text else None


class StoreDocuments:
    """The open ones. On the loop."""

    def __init__(self, state: State, notify: Callable[[str, Any], None], refresh: Callable[[], None]) -> None:
        self._state = state
        self._notify = notify
        self._refresh = refresh
        self._running: dict[str, asyncio.Task[None]] = {}
        self._again: set[str] = set()

    def changed(self, uri: str) -> None:
        """A document was opened or edited."""
        path = path_of(uri) if is_store_document(uri) else None
        if path is not None:
            self._look(path)

    def closed(self, uri: str) -> None:
        """A document was closed: it has no findings any more."""
        path = path_of(uri) if is_store_document(uri) else None
        if path is not None and self._state.sessions.stores.pop(path, None) is not None:
            self._tell(path, [])

    def again(self) -> None:
        """The disk, a setting or trust may be another one: look at all that are open."""
        for path in self._state.snapshot().documents:
            if is_store_document(path):
                self._look(path)

    def _look(self, path: str) -> None:
        if path in self._running:
            self._again.add(path)
            return
        task = asyncio.get_running_loop().create_task(self._judge(path))
        self._running[path] = task
        task.add_done_callback(lambda _: self._running.pop(path, None))

    async def _judge(self, path: str) -> None:
        """Judge until the text that was judged is the one that is open."""
        while True:
            self._again.discard(path)
            snapshot = self._state.snapshot()
            document = snapshot.documents.get(path)
            if document is None:
                return
            try:
                found = await asyncio.to_thread(_judged, snapshot, path)
            except Exception:
                LOG.exception("judging a store failed")
                return
            now = self._state.snapshot().documents.get(path)
            if now is not None and now.text == document.text:
                self._take(path, found)
                if path not in self._again:
                    return
            elif now is None:
                return
            await asyncio.sleep(GATHER_S)

    def _take(self, path: str, found: StoreSeen | None) -> None:
        seen = self._state.sessions.stores
        before = seen.get(path)
        if found is not None:
            seen[path] = found
        else:
            seen.pop(path, None)
        snapshot = self._state.snapshot()
        told = store_diagnostics(snapshot, found)
        if (
            before is None
            or before.text != (found and found.text)
            or store_diagnostics(snapshot, before) != told
        ):
            self._tell(path, told)

    def _tell(self, path: str, told: list[dict[str, Any]]) -> None:
        snapshot = self._state.snapshot()
        if snapshot.client.pulls_diagnostics:
            self._refresh()
            return
        document = snapshot.documents.get(path)
        params: dict[str, Any] = {"uri": document.uri if document else uri_of(path), "diagnostics": told}
        if document is not None:
            params["version"] = document.version
        self._notify(PUBLISH, params)


def store_diagnostics(snapshot: Snapshot, found: StoreSeen | None) -> list[dict[str, Any]]:
    """What was found in a store or a configuration as diagnostics."""
    if found is None or not found.findings:
        return []
    from agentbrief.redact import mask
    from agentbrief_server.to_lsp import diagnostic

    client, index, nothing = snapshot.client, line_index(found.text), line_index("")
    told = [
        diagnostic(each, index, 0, client.locale, client.encoding, lambda path: nothing)
        for each in found.findings
    ]
    for each in told:
        each["message"] = mask(each["message"])
    return told


def store_report(snapshot: Snapshot, path: str, before: str | None) -> dict[str, Any]:
    """The findings in a store for a client that pulls. ``before`` names what it was told last."""
    told = store_diagnostics(snapshot, snapshot.sessions.stores.get(path))
    result = hashlib.sha256(repr(told).encode("utf-8", "backslashreplace")).hexdigest()[:16]
    if before == result:
        return {"kind": "unchanged", "resultId": result}
    return {"kind": "full", "resultId": result, "items": told}


def _judged(snapshot: Snapshot, path: str) -> StoreSeen | None:
    from agentbrief_server.store.judging import judge_document

    return judge_document(snapshot, path)
