"""What an editor shows of the sample workspace: the real server over stdio, driven by a real language client.

usage: python sample/show.py [FILE]     a file of sample/workspace; default packages/api/CLAUDE.md
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from agentbrief.text.visible import visible

HERE = Path(__file__).parent
SEVERITIES = {1: "error", 2: "warning", 3: "information", 4: "hint"}


class Editor(LanguageClient):
    """A client that keeps what the server publishes."""

    def __init__(self) -> None:
        super().__init__("sample", "1")
        self.published: dict[str, list[lsp.Diagnostic]] = {}
        self.changed = asyncio.Event()

        @self.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.published[params.uri] = list(params.diagnostics)
            self.changed.set()


async def main(name: str) -> None:
    with tempfile.TemporaryDirectory() as made:
        workspace = Path(made).resolve() / "orchard"
        shutil.copytree(HERE / "workspace", workspace)
        (workspace / ".git").mkdir()
        await show(workspace, workspace / name)
        print("\n$ agentbrief brief packages/api", flush=True)
        command = [sys.executable, "-m", "agentbrief_server", "brief", "packages/api"]
        subprocess.run(command, cwd=workspace, check=True)


async def show(workspace: Path, path: Path) -> None:
    editor = Editor()
    await editor.start_io(sys.executable, "-m", "agentbrief_server", "serve")
    folders = [lsp.WorkspaceFolder(uri=workspace.as_uri(), name=workspace.name)]
    started = await editor.initialize_async(
        lsp.InitializeParams(capabilities=lsp.ClientCapabilities(), workspace_folders=folders, locale="en")
    )
    assert started.server_info is not None
    print(f"{started.server_info.name} {started.server_info.version} answered over stdio")
    editor.initialized(lsp.InitializedParams())
    text = path.read_text(encoding="utf-8")
    document = lsp.TextDocumentItem(uri=path.as_uri(), language_id="markdown", version=1, text=text)
    editor.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=document))
    await settled(editor)

    heading("Findings")
    for uri in sorted(editor.published):
        shown = Path(uri.removeprefix("file://"))
        for found in editor.published[uri]:
            print_finding(shown.relative_to(workspace), shown, found)

    identifier = lsp.TextDocumentIdentifier(uri=path.as_uri())
    heading(f"Code lens of {path.relative_to(workspace)}")
    lenses = await editor.text_document_code_lens_async(lsp.CodeLensParams(text_document=identifier))
    print(" │ ".join(lens.command.title for lens in lenses or [] if lens.command))

    heading("Hover on line 1")
    place = lsp.HoverParams(text_document=identifier, position=lsp.Position(0, 2))
    hover = await editor.text_document_hover_async(place)
    assert hover is not None and isinstance(hover.contents, lsp.MarkupContent)
    print(hover.contents.value)

    heading("Instruction files in effect")
    arguments: list[Any] = [{"uri": path.as_uri(), "show": False}]
    page: Any = await editor.workspace_execute_command_async(
        lsp.ExecuteCommandParams(command="agentbrief.brief.show", arguments=arguments)
    )
    print(page["text"] if isinstance(page, dict) else page.text)
    await editor.shutdown_async(None)
    editor.exit(None)
    await editor.stop()


async def settled(editor: Editor, quiet: float = 1.0) -> None:
    """Wait until the server has said nothing new for a moment."""
    while True:
        editor.changed.clear()
        try:
            await asyncio.wait_for(editor.changed.wait(), quiet)
        except TimeoutError:
            return


def print_finding(name: Path, path: Path, found: lsp.Diagnostic) -> None:
    start, end = found.range.start, found.range.end
    severity = SEVERITIES[int(found.severity or 3)]
    print(f"{name}:{start.line + 1}:{start.character + 1}: {severity}[{found.code}] {found.message}")
    if found.tags or not path.exists():
        return
    # The server counts columns in UTF-16 units: so does this client.
    units = path.read_text(encoding="utf-8").split("\n")[start.line].encode("utf-16-le")
    last = 2 * end.character if end.line == start.line else len(units)
    pieces = units[: 2 * start.character], units[2 * start.character : last], units[last:]
    # What cannot be seen is shown by a stand-in, as on the command line.
    before, marked, after = (visible(piece.decode("utf-16-le", "replace")) for piece in pieces)
    first = max(0, len(before) - 60)
    print(f"    | {(before + marked + after)[first : first + 100]}")
    print(f"    | {' ' * (len(before) - first)}{'^' * max(1, min(len(marked), 100 - len(before) + first))}")


def heading(text: str) -> None:
    print(f"\n── {text} " + "─" * max(0, 80 - len(text)))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "packages/api/CLAUDE.md"))
