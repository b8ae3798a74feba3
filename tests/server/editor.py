"""A real language client around a real server process, with the abilities of a known editor.

It fails on what no editor's user should see: a popup that no command asked for, an error notification, text
that is no frame.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar, cast

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.protocol import default_converter
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities
from pytest_lsp.client import register_lsp_features

ROOT = Path(__file__).parents[2]
LIMIT_S = 60.0

Value = TypeVar("Value")


def converter() -> Any:
    """Tell a code action with a command from a bare command, which lsprotocol 2025.0.0 does not."""
    made = default_converter()

    def hook(value: dict[str, Any], _: object) -> Any:
        kind = lsp.Command if isinstance(value.get("command"), str) else lsp.CodeAction
        return made.structure(value, kind)

    made.register_structure_hook(lsp.Command | lsp.CodeAction, hook)
    return made


class Editor:
    """One session of an editor with the server."""

    def __init__(self, client: LanguageClient, workspace: Path, home: Path) -> None:
        self.client = client
        self.workspace = workspace
        self.home = home
        self.edits: list[Any] = []
        self.shown: list[Any] = []
        self.asked: list[Any] = []
        self.answers: list[str | None] = []
        self.status: dict[str, Any] = {}
        self.rows_changed: list[Any] = []
        self.profiles: list[Any] = []
        self.registered: dict[str, Any] = {}
        self.started: lsp.InitializeResult | None = None
        self.may_say: bool = False

    async def ask(self, method: str, params: Any) -> Any:
        """A request; a hang becomes a TimeoutError."""
        return await asyncio.wait_for(self.client.protocol.send_request_async(method, params), LIMIT_S)

    async def run(self, command: str, **arguments: Any) -> Any:
        """A command of the server with its one argument; its reply as plain values."""
        params = lsp.ExecuteCommandParams(command=f"agentbrief.{command}", arguments=[arguments])
        return plain(await asyncio.wait_for(self.client.workspace_execute_command_async(params), LIMIT_S))

    async def until(self, found: Callable[[], Value], seconds: float = LIMIT_S) -> Value:
        """Wait until ``found`` gives something."""
        deadline = asyncio.get_running_loop().time() + seconds
        while not (value := found()):
            if asyncio.get_running_loop().time() > deadline:
                raise TimeoutError(f"not within {seconds} s; diagnostics: {self.client.diagnostics}")
            await asyncio.sleep(0.01)
        return value

    def uri(self, name: str) -> str:
        return (self.workspace / name).as_uri()

    def open(self, name: str, text: str | None = None, version: int = 1) -> str:
        uri = self.uri(name)
        if text is None:
            text = (self.workspace / name).read_bytes().decode("utf-8")
        item = lsp.TextDocumentItem(uri=uri, language_id="markdown", version=version, text=text)
        self.client.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=item))
        return uri

    def change(self, name: str, text: str, version: int) -> None:
        identifier = lsp.VersionedTextDocumentIdentifier(uri=self.uri(name), version=version)
        change = lsp.TextDocumentContentChangeWholeDocument(text=text)
        self.client.text_document_did_change(
            lsp.DidChangeTextDocumentParams(text_document=identifier, content_changes=[change])
        )

    def codes(self, name: str) -> set[str]:
        """The codes of the diagnostics that were published for a file."""
        return {str(each.code) for each in self.client.diagnostics.get(self.uri(name), [])}

    async def hover(self, name: str, line: int, character: int = 0) -> str | None:
        params = lsp.HoverParams(lsp.TextDocumentIdentifier(self.uri(name)), lsp.Position(line, character))
        found = await self.client.text_document_hover_async(params)
        return found.contents.value if found is not None else None  # type: ignore[union-attr]

    async def actions(self, name: str, line: int, only: list[str] | None = None) -> list[Any]:
        uri = self.uri(name)
        place = lsp.Range(lsp.Position(line, 0), lsp.Position(line, 0))
        found = [each for each in self.client.diagnostics.get(uri, []) if each.range.start.line == line]
        params = lsp.CodeActionParams(
            lsp.TextDocumentIdentifier(uri), place, lsp.CodeActionContext(diagnostics=found, only=only)
        )
        return list(await self.client.text_document_code_action_async(params) or [])


def plain(value: Any) -> Any:
    """Attribute objects of pygls as dictionaries."""
    if hasattr(value, "_asdict"):
        return {key: plain(item) for key, item in value._asdict().items()}
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    return [plain(item) for item in value] if isinstance(value, list) else value


def capabilities_of(name: str) -> lsp.ClientCapabilities:
    """The abilities of an editor. pytest-lsp's newest VS Code is old: what it gained since is added."""
    if name == "none":
        return lsp.ClientCapabilities()
    found = client_capabilities({"vscode": "visual-studio-code", "neovim": "neovim", "emacs": "emacs"}[name])
    if name == "vscode":
        assert found.text_document is not None
        assert found.workspace is not None
        found.text_document.diagnostic = lsp.DiagnosticClientCapabilities(related_document_support=True)
        found.text_document.inlay_hint = lsp.InlayHintClientCapabilities(dynamic_registration=True)
        found.workspace.diagnostics = lsp.DiagnosticWorkspaceClientCapabilities(refresh_support=True)
        found.workspace.inlay_hint = lsp.InlayHintWorkspaceClientCapabilities(refresh_support=True)
        found.general = lsp.GeneralClientCapabilities(position_encodings=[lsp.PositionEncodingKind.Utf16])
    return found


async def start(
    workspace: Path,
    home: Path,
    editor: str = "none",
    options: dict[str, Any] | None = None,
    *,
    configuration: dict[str, Any] | None = None,
    encodings: list[str] | None = None,
    locale: str = "en",
    folders: list[Path] | None = None,
    may_write: tuple[str, ...] = (),
) -> Editor:
    """Start the server as that editor would and open the workspace."""
    home.mkdir(exist_ok=True)
    made: list[Editor] = []

    def factory() -> LanguageClient:
        client = LanguageClient(converter_factory=converter)
        register_lsp_features(client)
        return client

    paths = [str(ROOT / "server"), str(ROOT / "features"), str(ROOT / "tests" / "audit")]
    config = ClientServerConfig(
        server_command=[sys.executable, "-m", "agentbrief_server", "serve", "--stdio"],
        client_factory=factory,
        server_env={
            "HOME": str(home),
            "XDG_CACHE_HOME": str(home.parent / "cache"),
            "PATH": os.environ["PATH"],
            "PYTHONPATH": os.pathsep.join(paths),
            "LANG": "C.UTF-8",
            "AUDIT_FILE": str(home.parent / "audit.txt"),
            "AUDIT_MAY_WRITE": os.pathsep.join([str(home.parent / "cache"), *may_write]),
        },
    )
    client = cast("LanguageClient", await config.start())
    session = Editor(client, workspace, home)
    made.append(session)
    _listen(session)
    if configuration is not None:
        client.set_configuration(configuration, section="agentbrief")
    capabilities = capabilities_of(editor)
    if encodings is not None:
        capabilities.general = lsp.GeneralClientCapabilities(
            position_encodings=[lsp.PositionEncodingKind(each) for each in encodings]
        )
    opened = [workspace] if folders is None else folders
    params = lsp.InitializeParams(
        capabilities=capabilities,
        workspace_folders=[lsp.WorkspaceFolder(uri=each.as_uri(), name=each.name) for each in opened],
        initialization_options=options,
        locale=locale,
    )
    session.started = await asyncio.wait_for(client.initialize_session(params), LIMIT_S)
    return session


def _listen(editor: Editor) -> None:
    client = editor.client

    @client.feature(lsp.WORKSPACE_APPLY_EDIT)
    def apply_edit(params: Any) -> lsp.ApplyWorkspaceEditResult:
        editor.edits.append(params)
        return lsp.ApplyWorkspaceEditResult(applied=True)

    @client.feature(lsp.WINDOW_SHOW_MESSAGE_REQUEST)
    def ask(params: lsp.ShowMessageRequestParams) -> lsp.MessageActionItem | None:
        editor.asked.append(params)
        answer = editor.answers.pop(0) if editor.answers else None
        return lsp.MessageActionItem(title=answer) if answer is not None else None

    @client.feature("agentbrief/status")
    def status(params: Any) -> None:
        values = plain(params)
        editor.status[values.get("folder") or values.get("uri")] = values

    @client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
    def register(params: lsp.RegistrationParams) -> None:
        for each in params.registrations:
            editor.registered[each.method] = plain(each.register_options)

    @client.feature(lsp.CLIENT_UNREGISTER_CAPABILITY)
    def unregister(params: lsp.UnregistrationParams) -> None:
        for each in params.unregisterations:
            del editor.registered[each.method]

    @client.feature("agentbrief/didChangeProfiles")
    def profiles(params: Any) -> None:
        editor.profiles.append(plain(params))

    @client.feature("agentbrief/didChangeRows")
    def rows(params: Any) -> None:
        editor.rows_changed.append(plain(params))


async def finish(editor: Editor) -> None:
    """Polite, then firm. Nothing was popped up that no command asked for."""
    client = editor.client
    process = cast("asyncio.subprocess.Process", client._server)
    try:
        if process.returncode is None:
            await asyncio.wait_for(client.shutdown_session(), 5)
    except (TimeoutError, RuntimeError, JsonRpcException):
        pass
    finally:
        if process.returncode is None:
            process.kill()
        await asyncio.wait_for(process.wait(), 5)
        await client.stop()
    if not editor.may_say:
        assert client.messages == []
    audit = editor.home.parent / "audit.txt"
    assert not audit.exists() or audit.read_text() == "", audit.read_text()
    assert client.error is None
