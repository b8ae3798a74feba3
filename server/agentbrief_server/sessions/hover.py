"""What does an identifier under the cursor name: a session, or an entry of one?

In an open ``sessions.json`` and on our own pages about sessions. Answered from what the last list found; only
a short transcript is looked into for an entry.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from typing import Any

from lsprotocol import types as lsp

from agentbrief.disk.refusal import Refused
from agentbrief.disk.stream import Stream, streamed
from agentbrief.messages import say
from agentbrief.redact import escape_markdown, mask
from agentbrief.report.session_words import (
    age_text,
    agent_title,
    name_of,
    size_of,
    state_text,
    tokens_text,
)
from agentbrief.sessions.jsonl.tail import index_of
from agentbrief.sessions.readers import TRANSCRIPTS, index_shape
from agentbrief.sessions.session_items import SessionItem, named
from agentbrief.sessions.sniff import port_sessions
from agentbrief.tasks.sessions.setup import readable_roots
from agentbrief.tasks.store.place import is_store_path
from agentbrief.text.line_index import LineIndex
from agentbrief.text.span import Span
from agentbrief_server.documents import line_index
from agentbrief_server.sessions.place import listed, now_ms, sessions_setup
from agentbrief_server.state import Snapshot
from agentbrief_server.store.hover import entry_hover
from agentbrief_server.to_lsp import range_of
from agentbrief_server.uris import path_of

MOST_LOOKED_INTO_BYTES = 2 * 1024 * 1024
"""The largest transcript that is looked into for an entry, on the loop."""

_ID = re.compile(r"[A-Za-z0-9][A-Za-z0-9._:-]{0,255}")
_ENTRY_KEYS = ("firstKeptEntryId", "entryId", "leafId", "parentId", "targetId", "fromId")
_SESSION_KEY = re.compile(r'"sessionId"\s*:\s*"([^"\\]{1,128})"')


def hover(snapshot: Snapshot, params: lsp.HoverParams) -> dict[str, Any] | None:
    """The hover on an identifier; None where there is none, or in any other document."""
    text = _text(snapshot, params.text_document.uri)
    if text is None:
        return None
    if (entry := entry_hover(snapshot, params)) is not None:
        return entry
    index, encoding = line_index(text), snapshot.client.encoding
    offset = index.offset(params.position.line, params.position.character, encoding)
    span = _word(text, index, offset)
    said = _said(snapshot, params.text_document.uri, text, span) if span is not None else None
    if said is None or span is None:
        return None
    return {
        "contents": {"kind": "markdown", "value": said},
        "range": range_of(index, span, encoding),
    }


def _text(snapshot: Snapshot, uri: str) -> str | None:
    if uri in snapshot.sessions.pages:
        return snapshot.sessions.pages[uri]
    path = path_of(uri)
    if path is None or not is_store_path(path):
        return None
    document = snapshot.documents.get(path)
    return document.text if document is not None else None


def _word(text: str, index: LineIndex, offset: int) -> Span | None:
    """The identifier at ``offset``."""
    line = index.line_of(offset)
    start, end = index.line_start(line), index.line_end(line)
    for found in _ID.finditer(text, start, end):
        if found.start() <= offset <= found.end():
            return Span(found.start(), found.end())
    return None


def _said(snapshot: Snapshot, uri: str, text: str, span: Span) -> str | None:
    word = text[span.start : span.end].rstrip(".:-")
    for items in _lists(snapshot, uri):
        item = named(word, items)
        if item is not None and word != "latest":
            return _session(snapshot, item)
    before = text[max(span.start - 64, 0) : span.start]
    if any(f'"{key}"' in before.rsplit(",", 1)[-1] for key in _ENTRY_KEYS):
        return _entry(snapshot, uri, text, span, word)
    return None


def _lists(snapshot: Snapshot, uri: str) -> Iterator[tuple[SessionItem, ...]]:
    """The lists that are known; where none is, the one of all sessions is made."""
    known = tuple(snapshot.sessions.lists.values())
    for found in known:
        yield found.items
    if path_of(uri) is not None and None not in snapshot.sessions.lists:
        yield listed(snapshot, None).items


def _session(snapshot: Snapshot, item: SessionItem) -> str:
    locale = snapshot.client.locale
    head = say(
        locale,
        "hover.session",
        title=escape_markdown(mask(name_of(item))),
        agent=escape_markdown(agent_title(item)),
        age=age_text(item.updated_ms, now_ms(), locale),
        size=size_of(item),
    )
    tokens = tokens_text(item.used_tokens, item.is_reported, item.window, locale)
    parts = [head, say(locale, "hover.session.tokens", tokens=tokens)]
    if state := state_text(item, locale):
        parts.append(escape_markdown(mask(state)))
    if item.format == port_sessions.FORMAT:
        parts.append(say(locale, "hover.session.words"))
    return "\n\n".join(parts)


def _entry(snapshot: Snapshot, uri: str, text: str, span: Span, word: str) -> str | None:
    """What the entry ``word`` of the session nearest before ``span`` is."""
    nearest = [found for found in _SESSION_KEY.finditer(text) if found.start() < span.start]
    after = _SESSION_KEY.search(text, span.end)
    for found in (*reversed(nearest[-3:]), *((after,) if after else ())):
        for items in _lists(snapshot, uri):
            item = named(found[1], items)
            place = _place_of(snapshot, item, word) if item is not None else None
            if item is not None and place is not None:
                return say(
                    snapshot.client.locale,
                    "hover.entry",
                    id=escape_markdown(mask(word)),
                    kind=escape_markdown(place[0]),
                    line=place[1],
                    name=escape_markdown(mask(os.path.basename(item.path))),
                )
    return None


def _place_of(snapshot: Snapshot, item: SessionItem, identifier: str) -> tuple[str, int] | None:
    """The type and the line of an entry of ``item``."""
    if item.format not in TRANSCRIPTS or item.size > MOST_LOOKED_INTO_BYTES:
        return None
    places = _places(snapshot, item)
    return places.get(identifier)


def _places(snapshot: Snapshot, item: SessionItem) -> dict[str, tuple[str, int]]:
    setup = sessions_setup(snapshot, None)
    try:
        with streamed(setup.fs, item.path, readable_roots(setup)) as stream:
            if not isinstance(stream, Stream):
                return {}
            index = index_of(stream, index_shape(item.format))
    except Refused:
        return {}
    index.feed(b"\n")
    return {
        identifier: (index.type_of(line), line) for line, identifier in enumerate(index.ids, 1) if identifier
    }
