"""Who serves which method? Wiring only."""

from __future__ import annotations

import os
from collections.abc import Callable, Coroutine, Sequence
from functools import cache
from importlib import import_module
from typing import Any

from lsprotocol import types as lsp

from agentbrief_server.background import Walks
from agentbrief_server.beginning import Beginning
from agentbrief_server.brief_server import BriefServer
from agentbrief_server.catalogue import COMMANDS, CommandEntry
from agentbrief_server.handlers import (
    agentbrief_did_change_trust,
    initialize,
    initialized,
    text_document_did_change,
    text_document_did_close,
    text_document_did_open,
    workspace_did_change_configuration,
    workspace_did_change_watched_files,
    workspace_did_change_workspace_folders,
)
from agentbrief_server.loose import as_object
from agentbrief_server.methods import AT_ONCE, IN_A_WORKER, OPTIONS, PULLED
from agentbrief_server.profile_telling import ProfileTelling
from agentbrief_server.publish import Publisher
from agentbrief_server.refresh import Refresh
from agentbrief_server.sessions.desk import SessionDesk
from agentbrief_server.sessions.findings import TranscriptFindings
from agentbrief_server.sessions.judging import ListJudge
from agentbrief_server.sessions.live import Live
from agentbrief_server.snapshots import current_snapshot
from agentbrief_server.state import Snapshot, State
from agentbrief_server.status import StatusLine
from agentbrief_server.store.documents import StoreDocuments
from agentbrief_server.surface import Surface
from agentbrief_server.watch import Watch

HANDLERS = "agentbrief_server.handlers"
SOON = (*(f"{HANDLERS}.{name}" for name in AT_ONCE.values()), "agentbrief_server.commands.arguments")
"""Modules that are imported once the first diagnostics are out, before somebody asks for their answers."""


class App:
    """The server with all that belongs to it."""

    def __init__(self) -> None:
        self.server = BriefServer()
        self.state = State()
        self.server.take_snapshot = self.state.snapshot
        self.refresh = Refresh(self.server, self.state)
        self.status = StatusLine(self.state, self.server.protocol.notify)
        self.beginning = Beginning(SOON)
        self.publisher = Publisher(
            self.state, self.server.protocol.notify, self.refresh.diagnostics, self.beginning.judged
        )
        self.server.taken = self.publisher.judge_due
        self.walks = Walks(self.server, self.state, self._projects_changed)
        notify = self.server.protocol.notify
        self.stores = StoreDocuments(self.state, notify, self.refresh.diagnostics)
        self.watch = Watch(
            self.state,
            self.server.call_soon,
            self.disk_changed,
            self.came_or_went,
            self.stores.again,
            self.settings_changed,
        )
        self.profiles = ProfileTelling(self.state, self.server)
        self.surface = Surface(
            self.server,
            lambda: self.state.storage,
            self.read_again,
            self.select_agents,
            self.state.snapshot,
        )
        self.server.ending.before(self.watch.stop)
        transcripts = TranscriptFindings(
            self.state, notify, self.refresh.diagnostics, self.refresh.session_rows
        )
        self.list_judge = judge = ListJudge(transcripts.take)
        self.desk = SessionDesk(self.state, transcripts, self._sessions_changed, judge.soon, self.server)
        self.live = Live(self.state, self.desk, notify, self.status.soon, self.refresh.session_rows)
        self.server.ending.before(self.live.stop)
        _register(self)

    def disk_changed(self) -> None:
        """Something changed on disk: folders that lost their walk are walked, and all is judged again."""
        self.beginning.after(self._walk_new_folders)
        self._judge_again(outdated=False)
        self.refresh.briefs()
        self.beginning.after(self.desk.files_changed)

    def settings_changed(self) -> None:
        """Settings, profiles, folders or trust changed: walk what is new, and judge everything again."""
        self.state.changed()
        self.profiles.look()
        for folder in set(self.state.projects) - set(self.state.folders):
            self.walks.end(folder)
            del self.state.projects[folder]
        for folder in self.state.folders:
            self.walks.outdated(folder)
        self.beginning.after(self._walk_new_folders)
        self._judge_again(outdated=True)
        self.refresh.all()
        self.live.settings_changed()
        self.list_judge.forget()
        self.beginning.after(self.live.start)
        self.beginning.after(self.desk.files_changed)

    def came_or_went(self, path: str) -> None:
        """An instruction file or an ignore file came or went: where agents may start is found anew."""
        if (folder := self.state.snapshot().folder_of(path)) is not None:
            self.state.projects.pop(folder, None)
            self.walks.outdated(folder)

    def read_again(self) -> None:
        """Forget what is known of the disk, and look again."""
        self.state.disk.forget()
        self.state.projects.clear()
        self.settings_changed()

    def select_agents(self, names: Sequence[str]) -> None:
        """Let these agents lead until the server ends."""
        self.state.chosen_agents = tuple(names)
        self.settings_changed()

    def document_changed(self, path: str | None, uri: str) -> None:
        """An open document has another text; ``path`` of one of our files."""
        if path is None:
            self.stores.changed(uri)
            return
        self.publisher.document(path)
        self.status.soon()

    def _sessions_changed(self) -> None:
        """A command changed sessions: the next look lists them anew."""
        self.live.look_again()
        self.stores.again()
        self.refresh.session_rows()

    def follow(self) -> None:
        """Watch the folders that matter now, once the first diagnostics are out."""
        self.beginning.after(self._follow)

    def _follow(self) -> None:
        self.watch.follow(self.state.snapshot())
        if self.profiles.outdated:
            # What changed before it was watched.
            self.settings_changed()

    def _walk_new_folders(self) -> None:
        for folder in self.state.folders:
            if folder not in self.state.projects:
                self.walks.start(folder)

    def _projects_changed(self) -> None:
        self._follow()
        self.publisher.workspace()
        self.status.soon()
        self.refresh.rows()

    def _judge_again(self, *, outdated: bool) -> None:
        self.follow()
        snapshot = self.state.snapshot()
        for path in snapshot.documents:
            if snapshot.names.has(path):
                self.publisher.document(path)
            else:
                self.publisher.no_longer_ours(path)
        self.publisher.workspace(outdated=outdated)
        self.stores.again()
        self.status.soon()


def create() -> BriefServer:
    """The language server, ready to be served."""
    return App().server


def _register(app: App) -> None:
    server, state = app.server, app.state

    def feature(method: str) -> Callable[[Any], Any]:
        return server.feature(method, OPTIONS.get(method))

    def at_once(method: str, name: str) -> None:
        def answer(params: Any) -> Any:
            return _value_of(_handler(name)(_snapshot(), params))

        feature(method)(answer)

    def in_a_worker(method: str, name: str) -> None:
        async def answer(params: Any) -> Any:
            return await _handler(name)(_snapshot(), params)

        feature(method)(answer)

    for method, name in AT_ONCE.items():
        at_once(method, name)
    for method, name in IN_A_WORKER.items():
        in_a_worker(method, name)

    @server.feature(lsp.INITIALIZE)
    def on_initialize(params: lsp.InitializeParams) -> None:
        initialize.handle(state, params, server.workspace, server.storage_folder(params), os.environ)
        if state.client.pulls_diagnostics:
            for method, name in PULLED.items():
                at_once(method, name)

    @server.feature(lsp.INITIALIZED)
    async def on_initialized(params: lsp.InitializedParams) -> None:
        await initialized.handle(state, server)
        app.settings_changed()

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def did_open(params: lsp.DidOpenTextDocumentParams) -> None:
        path = text_document_did_open.handle(state, params)
        app.document_changed(path, params.text_document.uri)
        app.follow()
        if path is None:
            app.beginning.after(app.live.start)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def did_change(params: lsp.DidChangeTextDocumentParams) -> None:
        app.document_changed(text_document_did_change.handle(state, params), params.text_document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def did_close(params: lsp.DidCloseTextDocumentParams) -> None:
        if (path := text_document_did_close.handle(state, params)) is not None:
            app.publisher.closed(path)
        else:
            app.stores.closed(params.text_document.uri)

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def did_change_watched_files(params: lsp.DidChangeWatchedFilesParams) -> None:
        if workspace_did_change_watched_files.handle(state, params, app.came_or_went):
            app.watch.event()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def did_change_workspace_folders(params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        workspace_did_change_workspace_folders.handle(state, params)
        app.settings_changed()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)
    async def did_change_configuration(params: lsp.DidChangeConfigurationParams) -> None:
        await workspace_did_change_configuration.handle(state, params, server)
        app.settings_changed()

    @server.feature("agentbrief/didChangeTrust")
    def did_change_trust(params: Any) -> None:
        agentbrief_did_change_trust.handle(state, params)
        app.settings_changed()

    for entry in COMMANDS:
        _register_command(app, entry)


def _register_command(app: App, entry: CommandEntry) -> None:
    async def run(*given: Any) -> Any:
        from agentbrief_server.commands.arguments import Arguments

        snapshot = _snapshot()
        values = as_object(given[0] if given else None)
        arguments = Arguments(values, snapshot.client.locale)
        if len(given) > 1 or (given and not isinstance(given[0], dict)):
            raise arguments.wrong("arguments")
        module = import_module(f"agentbrief_server.commands.{entry.module}")
        return await module.run(snapshot, app.surface, arguments)

    app.server.command(entry.name)(run)


@cache
def _handler(name: str) -> Callable[[Snapshot, Any], Coroutine[Any, Any, Any]]:
    """The function of a handler's module, which is imported when it is first asked."""
    handle: Callable[[Snapshot, Any], Coroutine[Any, Any, Any]] = import_module(f"{HANDLERS}.{name}").handle
    return handle


def _value_of(answer: Coroutine[Any, Any, Any]) -> Any:
    """What a coroutine comes to that waits for nothing."""
    try:
        answer.send(None)
    except StopIteration as ended:
        return ended.value
    answer.close()
    raise RuntimeError("an answer that is given at once waited for something")


def _snapshot() -> Snapshot:
    found = current_snapshot()
    assert isinstance(found, Snapshot)
    return found
