"""Which session does a command work on, and how does it say that it cannot?"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from agentbrief.disk.refusal import Refused
from agentbrief.disk.spelling import path_below, valid_id
from agentbrief.messages import say
from agentbrief.redact import mask
from agentbrief.report.refusal import refusal_text
from agentbrief.report.session_words import why_text
from agentbrief.sessions.session_items import SessionItem
from agentbrief.tasks.sessions.own import NotOwn
from agentbrief.tasks.sessions.read import NotASession, SessionFile
from agentbrief_server.commands.arguments import Arguments
from agentbrief_server.pages import address, page_at
from agentbrief_server.sessions.desk import NotTrusted, SessionDesk
from agentbrief_server.sessions.place import PAGE_SCHEME, file_at, is_own, item_named, listed, path_named
from agentbrief_server.state import Snapshot
from agentbrief_server.surface import Surface
from agentbrief_server.uris import path_of, path_within

Result = TypeVar("Result")

MOST_CHOICES = 20
MOST_TEXT_CHARS = 4 * 1024 * 1024


def desk_of(snapshot: Snapshot) -> SessionDesk:
    """What commands on sessions work with."""
    desk = snapshot.sessions.desk
    assert desk is not None
    return desk


def folder_of(snapshot: Snapshot, arguments: Arguments) -> str:
    """The workspace folder that the arguments name, else the one of their file, else the first.

    Raises:
        JsonRpcException: it is none of the workspace, or no folder is open.
    """
    named = arguments.text("folder")
    if named:
        folder = path_of(named) if named.startswith("file:") else named
        if folder not in snapshot.folders:
            raise arguments.wrong("folder")
        return folder
    uri = arguments.text("uri") or ""
    path = None if uri.startswith(f"{PAGE_SCHEME}:") else path_of(uri)
    folder = snapshot.folder_of(path) if path is not None else None
    if folder is None:
        folder = next(iter(snapshot.folders), None)
    if folder is None:
        raise arguments.missing("no-folder")
    return folder


def named_path(snapshot: Snapshot, arguments: Arguments) -> str | None:
    """The path of the session that ``uri`` names; None for no URI, and for that of an instruction file.

    Raises:
        JsonRpcException: it may not be looked at.
    """
    uri = arguments.text("uri")
    if not uri:
        return None
    path = path_named(snapshot, uri)
    if path is not None:
        return path
    other = None if uri.startswith(f"{PAGE_SCHEME}:") else path_of(uri)
    if other is not None and _is_of_workspace(snapshot, other):
        return None
    raise arguments.wrong("uri")


def named_id(arguments: Arguments, key: str = "id") -> str | None:
    """The identifier at ``key``; None when it is absent.

    Raises:
        JsonRpcException: it is none.
    """
    found = arguments.text(key)
    if found is not None and not valid_id(found):
        raise arguments.wrong(key)
    return found


async def item_of(snapshot: Snapshot, arguments: Arguments) -> SessionItem:
    """The session that ``uri`` or ``id`` names.

    Raises:
        JsonRpcException: there is none.
    """
    folder, path, session_id = (
        folder_of(snapshot, arguments),
        named_path(snapshot, arguments),
        named_id(arguments),
    )
    if path is not None:
        found = await in_worker(arguments, lambda: _item_at(snapshot, folder, path))
    elif session_id is not None:
        found = await in_worker(arguments, lambda: item_named(snapshot, folder, session_id))
    else:
        raise arguments.missing("session.none-named")
    if found is None:
        raise arguments.missing("session.unknown", id=session_id or os.path.basename(path or ""))
    return found


async def file_of(snapshot: Snapshot, surface: Surface, arguments: Arguments) -> SessionFile | None:
    """The session that ``uri`` or ``id`` names, else the one that the user chooses; None: none was chosen.

    Raises:
        JsonRpcException: there is none, or it may not be opened.
    """
    folder, path, session_id = (
        folder_of(snapshot, arguments),
        named_path(snapshot, arguments),
        named_id(arguments),
    )
    if path is None:
        if session_id is not None:
            item = await in_worker(arguments, lambda: item_named(snapshot, folder, session_id))
            if item is None:
                raise arguments.missing("session.unknown", id=session_id)
        else:
            item = await chosen_item(snapshot, surface, arguments, folder)
            if item is None:
                return None
        path = item.path
    if is_own(snapshot, path):
        require_trust(snapshot, arguments)
    found = await in_worker(arguments, lambda: file_at(snapshot, path))
    if isinstance(found, NotASession):
        raise not_done(arguments, found.path, found.why)
    return found


def is_interactive(arguments: Arguments) -> bool:
    """Whether the command was run by a person who will be asked: no session is named."""
    uri = arguments.text("uri") or ""
    return arguments.text("id") is None and not uri.endswith((".json", ".jsonl")) and ":/session/" not in uri


async def chosen_item(
    snapshot: Snapshot, surface: Surface, arguments: Arguments, folder: str
) -> SessionItem | None:
    """The session that the user chooses of the newest ones.

    Raises:
        JsonRpcException: there is none to choose.
    """
    found = await in_worker(arguments, lambda: listed(snapshot, folder))
    items = [item for item in found.items if item.problem is None][:MOST_CHOICES]
    if not snapshot.trusted:
        items = [item for item in items if not item.is_own]
    if not items:
        raise arguments.missing("session.none-named")
    titles: dict[str, SessionItem] = {}
    for item in items:
        title = mask(item.title or item.session_id)
        titles[title if title not in titles else f"{title} ({item.session_id[:8]})"] = item
    question = say(snapshot.client.locale, "session.ask-which")
    return titles.get(await surface.choose(question, list(titles)) or "")


def require_trust(snapshot: Snapshot, arguments: Arguments) -> None:
    """Nothing, if the workspace is trusted now.

    Raises:
        JsonRpcException: it is not.
    """
    try:
        desk_of(snapshot).require_trust()
    except NotTrusted as error:
        raise arguments.missing("session.needs-trust") from error


async def in_worker(arguments: Arguments, work: Callable[[], Result]) -> Result:
    """What ``work`` gives, done in a worker.

    Raises:
        JsonRpcException: the disk refuses, trust was withdrawn meanwhile, or the session is too long.
    """
    with told_to_client(arguments):
        return await asyncio.to_thread(work)


@contextmanager
def told_to_client(arguments: Arguments) -> Generator[None]:
    """What stops the work in it becomes the error reply.

    Raises:
        JsonRpcException: the disk refuses, trust was withdrawn meanwhile, or the session is too long.
    """
    try:
        yield
    except Refused as refusal:
        sentence = mask(refusal_text(arguments.locale, refusal))
        raise JsonRpcException(sentence, code=lsp.LSPErrorCodes.RequestFailed.value) from refusal
    except NotTrusted as error:
        raise arguments.missing("session.needs-trust") from error
    except ValueError as error:
        if str(error) == "bad-id":
            raise arguments.wrong("id") from error
        raise not_done(arguments, "", str(error)) from error


def not_done(arguments: Arguments, path: str, why: str) -> JsonRpcException:
    """The error reply for a session that cannot be worked on."""
    name = mask(os.path.basename(path)) or "–"
    return arguments.missing("session.not-one", path=name, reason=why_text(why, arguments.locale))


def done(arguments: Arguments, found: Result | NotOwn) -> Result:
    """``found``, if something was done.

    Raises:
        JsonRpcException: it was not.
    """
    if isinstance(found, NotOwn):
        raise not_done(arguments, found.path, found.why)
    return found


def target_of(snapshot: Snapshot, arguments: Arguments, folder: str, key: str = "output") -> str | None:
    """The path of a new file in the workspace that ``key`` names, by URI or from ``folder``.

    Raises:
        JsonRpcException: it lies elsewhere, or its spelling is refused.
    """
    named = arguments.text(key)
    if not named:
        return None
    if named.startswith("file:"):
        found = path_within(named, snapshot.folders)
        holder = snapshot.folder_of(found) if found is not None else None
        path = path_below(holder, os.path.relpath(found, holder)) if found and holder else None
    else:
        path = path_below(folder, named)
    if path is None or path in snapshot.folders:
        raise arguments.wrong(key)
    return path


def words_of(arguments: Arguments, key: str = "text") -> str:
    """The words of a message, which may have several lines.

    Raises:
        JsonRpcException: there are none, or too many.
    """
    found = arguments.values.get(key)
    if not isinstance(found, str) or len(found) > MOST_TEXT_CHARS:
        raise arguments.wrong(key)
    return found


async def show_session_page(
    snapshot: Snapshot, surface: Surface, arguments: Arguments, kind: str, **about: str
) -> dict[str, Any]:
    """Make a page about sessions and show it, unless ``show: false`` says otherwise.

    Raises:
        JsonRpcException: there is nothing to make it of.
    """
    title = say(snapshot.client.locale, f"page.{kind}")
    uri = address(kind, title, **about)
    page = await asyncio.to_thread(page_at, snapshot, uri)
    if page is None:
        raise arguments.missing("no-page")
    if not arguments.flag("show", True):
        return {"uri": uri, "title": title, "shown": False, "text": page.text}
    return await surface.show(snapshot, uri, page, title)


def _is_of_workspace(snapshot: Snapshot, path: str) -> bool:
    """Whether ``path`` is a workspace folder, or an open or instruction file in one, and no session."""
    if snapshot.folder_of(path) is None or path.endswith((".json", ".jsonl")):
        return False
    return snapshot.names.has(path) or path in snapshot.folders or path in snapshot.documents


def _item_at(snapshot: Snapshot, folder: str, path: str) -> SessionItem | None:
    return listed(snapshot, folder).at(path) or listed(snapshot, None).at(path)
