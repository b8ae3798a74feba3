"""How does a fix become an edit that this client can carry out?"""

from __future__ import annotations

from typing import Any

from agentbrief.disk.values import FileText
from agentbrief.rules.finding import Fix
from agentbrief.text.span import Span
from agentbrief_server.documents import line_index
from agentbrief_server.seen import Seen
from agentbrief_server.state import Snapshot
from agentbrief_server.to_lsp import fix_title, needs_confirmation, shifted, text_edit, workspace_edit
from agentbrief_server.uris import uri_of


def edit_of_fix(snapshot: Snapshot, found: Seen, *fixes: Fix) -> dict[str, Any] | None:
    """The edits of ``fixes`` as one.

    None where the client cannot carry them out, or cannot ask the user before a change that should be asked
    about.
    """
    client = snapshot.client
    asks = any(fix.confirm or fix.deletes_file for fix in fixes)
    if asks and not (client.confirms_changes and client.document_changes):
        return None
    edit = plain_edit(snapshot, found, *fixes)
    return needs_confirmation(edit, fix_title(fixes[0], client.locale)) if asks and edit is not None else edit


def plain_edit(snapshot: Snapshot, found: Seen, *fixes: Fix) -> dict[str, Any] | None:
    """The edits of ``fixes`` without a question; None where the client cannot make or remove files.

    What is moved into a file that exists goes behind what it holds: nothing is overwritten.
    """
    client = snapshot.client
    deleted = [fix.deletes_file for fix in fixes if fix.deletes_file]
    changes: dict[str, list[dict[str, Any]]] = {}
    created: list[str] = []
    for edit in (edit for fix in fixes for edit in fix.edits):
        if edit.path == found.path:
            if edit.span.end <= found.hidden and edit.span:
                continue  # the editor's text lacks these characters: there is nothing in it to change
            index, span = found.index, shifted(edit.span, found.hidden)
        else:
            text = _text(snapshot, edit.path)
            if text is None:
                created.append(edit.path)
                text = ""
            index, span = line_index(text), Span(len(text), len(text))
        changes.setdefault(edit.path, []).append(text_edit(index, span, edit.new_text, client.encoding))
    if (created and not client.creates_files) or (deleted and not client.deletes_files):
        return None
    if not changes and not deleted:
        return None
    if not client.document_changes and not created and not deleted:
        return workspace_edit(changes, {}, (), document_changes=False)
    versions = {path: document.version for path, document in snapshot.documents.items()}
    whole = workspace_edit(changes, versions, created, document_changes=True)
    whole["documentChanges"] += [{"kind": "delete", "uri": uri_of(path)} for path in deleted]
    return whole


def _text(snapshot: Snapshot, path: str) -> str | None:
    """The text at ``path``; None when there is no such file."""
    setup = snapshot.setup(snapshot.folder_of(path))
    read = setup.files.read(path, setup.files.roots(setup.folders))
    return read.text[read.hidden :] if isinstance(read, FileText) else None
