"""What does an open store say of the entry under the cursor, where do its files lie, which entries has it?"""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Any

from lsprotocol import types as lsp

from agentbrief.disk.refusal import Refused
from agentbrief.messages import say
from agentbrief.redact import escape_markdown, mask
from agentbrief.report.session_words import age_text
from agentbrief.report.store_status_text import session_lines
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.sessions.store.spans import EntrySpan
from agentbrief.tasks.store.status import session_facts
from agentbrief.text.line_index import LineIndex
from agentbrief.text.span import Span
from agentbrief_server.documents import line_index
from agentbrief_server.host_zone import HostZone
from agentbrief_server.sessions.place import now_ms
from agentbrief_server.state import Snapshot
from agentbrief_server.store.commands import stores_setup
from agentbrief_server.store.documents import store_seen
from agentbrief_server.store.judging import StoreSeen
from agentbrief_server.to_lsp import range_of
from agentbrief_server.uris import uri_of

_KEY = int(lsp.SymbolKind.Key)


def entry_hover(snapshot: Snapshot, params: lsp.HoverParams) -> dict[str, Any] | None:
    """The hover on the key of an entry: how the session stands, its counters and numbers in full."""
    found = store_seen(snapshot, params.text_document.uri)
    if found is None or found.spans is None:
        return None
    index, encoding = line_index(found.text), snapshot.client.encoding
    offset = index.offset(params.position.line, params.position.character, encoding)
    place = found.spans.at(offset)
    if place is None or offset > place.key.end:
        return None
    said = _said(snapshot, found, place.name)
    if said is None:
        return None
    return {
        "contents": {"kind": "markdown", "value": said},
        "range": range_of(index, place.key, encoding),
    }


def store_links(snapshot: Snapshot, uri: str) -> list[dict[str, Any]]:
    """The transcripts that an open store names, where they are there."""
    found = store_seen(snapshot, uri)
    if found is None or found.plan is None or found.spans is None:
        return []
    index, folder = line_index(found.text), found.plan.look.folder
    answered: list[dict[str, Any]] = []
    for entry in folder.store.entries:
        names = folder.files_of(entry)
        if not names:
            continue
        path = os.path.join(folder.folder, names[0])
        for stored in entry.stored:
            span = _named_in(found, stored)
            if span is not None:
                place = range_of(index, span, snapshot.client.encoding)
                answered.append({"range": place, "target": uri_of(path)})
    return answered


def store_symbols(snapshot: Snapshot, uri: str) -> list[dict[str, Any]]:
    """The entries of an open store, each with what it is called, its age and its counter."""
    found = store_seen(snapshot, uri)
    if found is None or found.plan is None or found.spans is None:
        return []
    index = line_index(found.text)
    entries = {key: entry for entry in found.plan.look.folder.store.entries for key in entry.stored}
    return [
        _symbol(snapshot, index, place, entries.get(place.name)) for place in found.spans.entries.values()
    ]


def _symbol(
    snapshot: Snapshot, index: LineIndex, place: EntrySpan, entry: StoreEntry | None
) -> dict[str, Any]:
    encoding = snapshot.client.encoding
    return {
        "name": mask(place.name) or "–",
        "detail": " · ".join(_details(entry, snapshot.client.locale)) if entry is not None else "",
        "kind": _KEY,
        "range": range_of(index, place.whole, encoding),
        "selectionRange": range_of(index, place.key, encoding),
        "children": [],
    }


def _details(entry: StoreEntry, locale: str) -> Iterator[str]:
    if named := entry.text("label") or entry.text("displayName"):
        yield mask(named)
    if entry.updated_at_ms is not None:
        yield age_text(int(entry.updated_at_ms), now_ms(), locale)
    if entry.total_tokens is not None:
        yield say(locale, "store.symbol.tokens", tokens=int(entry.total_tokens))


def _said(snapshot: Snapshot, found: StoreSeen, key: str) -> str | None:
    if found.plan is None:
        return None
    look, setup = found.plan.look, stores_setup(snapshot)
    entry = next((each for each in look.folder.store.entries if key in each.stored), None)
    if entry is None:
        return None
    try:
        facts = session_facts(setup.fs, look, entry, setup.settings, setup.now_ms, HostZone(), found.plan)
    except Refused:
        return None
    locale = snapshot.client.locale
    parts = [f"**{_quiet(facts.title or facts.key)}**"]
    parts += [f"{_quiet(name)}: {_quiet(words)}" for name, words in session_lines(facts, locale)]
    return "\n\n".join(parts)


def _named_in(found: StoreSeen, key: str) -> Span | None:
    """Where the entry names its transcript: the path, else the identifier; without the quotes."""
    assert found.spans is not None
    fields = found.spans.fields(key)
    for name in ("sessionFile", "sessionId"):
        place = fields.get(name)
        if place is not None and found.text[place.value.start] == '"':
            return Span(place.value.start + 1, place.value.end - 1)
    return None


def _quiet(text: str) -> str:
    return escape_markdown(mask(text))
