"""How does a session that was found become an item of the list?"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from agentbrief.disk.stream import Stream, streamed
from agentbrief.disk.values import Stamp
from agentbrief.profiles.windows import window_of
from agentbrief.sessions.context_used import RUNNING_MS
from agentbrief.sessions.formats.claw_store import Listed
from agentbrief.sessions.listing import HEAD_BYTES, TAIL_BYTES, ListedSession
from agentbrief.sessions.readers import AGENT_OF, sketcher
from agentbrief.sessions.reading import last_messages, told
from agentbrief.sessions.session_items import ItemState, SessionItem
from agentbrief.sessions.sketch import Lines
from agentbrief.sessions.sniff import claw_code, codex, port_sessions
from agentbrief.sessions.store.entries import StoreEntry
from agentbrief.sessions.titles import one_line
from agentbrief.tasks.sessions.agent import AgentStore
from agentbrief.tasks.sessions.cuts import start_of, whole_words
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.sessions.titles import sources_of

SMALL_BYTES = HEAD_BYTES + TAIL_BYTES
"""A transcript up to this size is read whole for its list: then its turns are counted."""

_MOST_TAIL_BYTES = 1 << 20
_NO_STAMP = Stamp(0, 0, 0, 0)


def port_item(row: Listed) -> SessionItem:
    """A session of the workspace's own."""
    return replace(_own_item(row, port_sessions.FORMAT), state="unreadable" if row.unreadable else "idle")


def claw_item(row: Listed, now_ms: int) -> SessionItem:
    """A session of claw-code; one of another workspace is only read."""
    found = _own_item(row, claw_code.FORMAT)
    state: ItemState = "unreadable" if row.unreadable else _state(row.mtime_ms, now_ms)
    return replace(
        found, state=state, is_foreign=row.is_foreign, writable=found.writable and not row.is_foreign
    )


def transcript_item(
    setup: SessionsSetup,
    store: AgentStore,
    listed: ListedSession,
    entry: StoreEntry | None,
    before: SessionItem | None,
) -> SessionItem:
    """A transcript of an agent. ``entry`` is what a store says of it, ``before`` an earlier item."""
    sketch = listed.sketch
    stated = sketch.window_tokens or (entry.count("contextTokens") if entry else 0) or None
    window = window_of(store.profile.windows, sketch.model, stated=stated, env=setup.env)
    label = (entry.text("label") or entry.text("displayName")) if entry else None
    used = sketch.used_tokens
    if used is None and entry is not None and entry.total_tokens is not None:
        used = int(entry.total_tokens)
    is_known = before is not None and before.stamp == listed.stamp
    state: ItemState = "archived" if listed.is_archived else _state(listed.mtime_ms, setup.now_ms)
    data = store.profile.sessions
    return SessionItem(
        listed.session_id,
        listed.path,
        listed.format,
        store.profile.id,
        whole_words(one_line(label) if label else listed.title, (label, *sources_of(sketch))),
        listed.stamp,
        listed.mtime_ms,
        "unreadable" if listed.problem else state,
        listed.problem,
        turns=before.turns if is_known and before else _turns(setup, store, listed),
        used_tokens=used,
        is_reported=used is not None,
        window=setup.settings.number("contextWindow") or window.tokens,
        cwd=sketch.cwd,
        branch=sketch.branch,
        model=sketch.model,
        writable=data is not None and data.access == "write" and not listed.problem,
        parent_id=sketch.parent_id,
        key=entry.key if entry else None,
        first=start_of(sketch.prompt or ""),
        last=before.last if is_known and before else None,
    )


def with_last(setup: SessionsSetup, store: AgentStore, item: SessionItem) -> SessionItem:
    """``item`` with the start of its last message; a file whose end shows none has an empty one."""
    if item.last is not None or item.problem is not None:
        return item
    with streamed(setup.fs, item.path, store.readable) as stream:
        if not isinstance(stream, Stream):
            return replace(item, last="")
        size = stream.stamp.size
        for tail_bytes in (TAIL_BYTES, _MOST_TAIL_BYTES):
            tail = b"".join(stream.chunks(max(size - tail_bytes, 0)))
            # The first line of a tail is thrown away; that of the file itself is whole.
            head = b"\n" if size <= tail_bytes else b""
            words = [each.text for each in last_messages(item.format, head + tail, item.path) if each.text]
            if words or size <= tail_bytes:
                break
    return replace(item, last=start_of(words[-1]) if words else "")


def found_by(
    setup: SessionsSetup, items: Iterable[SessionItem], stores: Iterable[AgentStore], words: str
) -> tuple[SessionItem, ...]:
    """Those ``items`` whose title, first or last message, branch or identifier holds ``words``.

    The end of a transcript is read only where the rest does not hold them.
    """
    wanted = words.casefold()
    by_agent = {store.profile.id: store for store in stores}
    found: list[SessionItem] = []
    for item in items:
        store = by_agent.get(item.agent)
        if not item.mentions(wanted) and store is not None:
            item = with_last(setup, store, item)
        if item.mentions(wanted):
            found.append(item)
    return tuple(found)


def _own_item(row: Listed, form: str) -> SessionItem:
    return SessionItem(
        row.id,
        row.path,
        form,
        AGENT_OF[form],
        whole_words(row.title, (row.first,)),
        row.stamp or _NO_STAMP,
        row.shown_ms,
        problem=row.unreadable,
        messages=None if row.unreadable else row.messages,
        turns=None if row.unreadable else row.turns,
        used_tokens=None if row.unreadable else row.tokens,
        cwd=row.workspace_root,
        is_own=True,
        writable=row.unreadable is None,
        first=start_of(row.first),
        last=start_of(row.last),
        rotated=row.rotated,
    )


def _state(mtime_ms: int, now_ms: int) -> ItemState:
    return "running" if 0 <= now_ms - mtime_ms < RUNNING_MS else "idle"


def _turns(setup: SessionsSetup, store: AgentStore, listed: ListedSession) -> int | None:
    """How often a person typed something, told for a small file only."""
    if listed.problem or listed.size > SMALL_BYTES:
        return None
    with streamed(setup.fs, listed.path, store.readable) as stream:
        if not isinstance(stream, Stream):
            return None
        data = b"".join(stream.chunks())
    if listed.format == codex.FORMAT:
        # The same words stand in several logs of a rollout.
        found = told(codex.FORMAT, lambda: (data,), listed.path).messages()
        return sum(message.role == "user" for message in found)
    return sum(1 for _ in sketcher(listed.format).prompts_in(Lines(data)))
