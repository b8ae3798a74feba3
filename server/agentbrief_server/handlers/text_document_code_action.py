"""``textDocument/codeAction``: fixes of findings, and on line 1 every command, for editors without lenses and
palettes. On a session and on the pages about one: what can be done with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lsprotocol import types as lsp

from agentbrief.messages import say
from agentbrief.rules.finding import Finding, Fix
from agentbrief.rules.registry import rule
from agentbrief_server.catalogue import line_one_commands
from agentbrief_server.documents import line_index
from agentbrief_server.edits import edit_of_fix
from agentbrief_server.findings import findings_of
from agentbrief_server.seen import Seen, seen
from agentbrief_server.sessions.offers import session_at, session_offers
from agentbrief_server.state import Snapshot
from agentbrief_server.to_lsp import command, diagnostic, fix_title, shifted
from agentbrief_server.uris import uri_of

FIX_ALL = "source.fixAll.agentbrief"


async def handle(snapshot: Snapshot, params: lsp.CodeActionParams) -> list[dict[str, Any]]:
    """The actions for a range; ``context.only`` is honoured."""
    found = seen(snapshot, params.text_document.uri)
    only = tuple(params.context.only or ())
    offered = _of_session(snapshot, params) if found is None else _actions(snapshot, found, params)
    wanted = [action for action in offered if _is_asked(str(action["kind"]), only)]
    if snapshot.client.action_literals:
        return wanted
    return [action["command"] for action in wanted if "command" in action]


def _is_asked(kind: str, only: Iterable[str]) -> bool:
    asked = tuple(only)
    return not asked or any(kind == each or kind.startswith(each + ".") for each in asked)


def _actions(snapshot: Snapshot, found: Seen, params: lsp.CodeActionParams) -> Iterator[dict[str, Any]]:
    first, last = params.range.start.line, params.range.end.line
    safe: list[Fix] = []
    for finding in findings_of(snapshot, found.path):
        fix_of = rule(finding.code).fix
        if fix_of is None:
            continue
        fixes = tuple(fix_of(finding, found.placed.file.text))
        safe += [fix for fix in fixes if fix.safe]
        span = shifted(finding.span, found.hidden)
        # By lines: an editor may ask for the place of the cursor, anywhere on the line of the finding.
        if found.index.line_of(span.start) <= last and first <= found.index.line_of(span.end):
            yield from _fixes(snapshot, found, finding, fixes)
    if safe:
        title = say(snapshot.client.locale, "action.fix-all")
        edit = edit_of_fix(snapshot, found, *safe)
        if edit is not None:
            yield {"title": title, "kind": FIX_ALL, "edit": edit}
    if params.range.start.line == 0:
        for name, title in line_one_commands(snapshot.client.locale):
            kind = f"source.{name}"
            yield {
                "title": title,
                "kind": kind,
                "command": command(title, name, {"uri": params.text_document.uri}),
            }


def _of_session(snapshot: Snapshot, params: lsp.CodeActionParams) -> Iterator[dict[str, Any]]:
    """Fixes of what was found in the session that the document shows; on line 1 what can be done with it."""
    uri = params.text_document.uri
    yield from _of_transcript(snapshot, params)
    if params.range.start.line == 0:
        for title, name in session_offers(snapshot, uri):
            yield {"title": title, "kind": f"source.{name}", "command": command(title, name, {"uri": uri})}


def _of_transcript(snapshot: Snapshot, params: lsp.CodeActionParams) -> Iterator[dict[str, Any]]:
    path = session_at(snapshot, params.text_document.uri)
    if path is None or params.text_document.uri.startswith("agentbrief:"):
        return
    from agentbrief_server.sessions.findings import transcript_diagnostics

    locale, (first, last) = snapshot.client.locale, (params.range.start.line, params.range.end.line)
    for finding in snapshot.sessions.findings.get(path, ()):
        fix_of = rule(finding.code).fix
        if fix_of is None or not first <= max(finding.line - 1, 0) <= last:
            continue
        shown = transcript_diagnostics(snapshot, (finding,))
        for fix in fix_of(finding, ""):
            if fix.command:
                title = fix_title(fix, locale)
                arguments = _as_uris(dict(fix.command_arguments))
                action = {"title": title, "kind": fix.kind, "diagnostics": shown}
                yield {**action, "command": command(title, fix.command, arguments)}


def _fixes(
    snapshot: Snapshot, found: Seen, finding: Finding, fixes: Iterable[Fix]
) -> Iterator[dict[str, Any]]:
    client = snapshot.client
    shown = diagnostic(
        finding,
        found.index,
        found.hidden,
        client.locale,
        client.encoding,
        lambda path: found.index if path == found.path else line_index(""),
    )
    for fix in fixes:
        title = fix_title(fix, client.locale)
        action: dict[str, Any] = {"title": title, "kind": fix.kind, "diagnostics": [shown]}
        if fix.preferred:
            action["isPreferred"] = True
        if fix.command:
            action["command"] = command(title, fix.command, _as_uris(dict(fix.command_arguments)))
        elif (edit := edit_of_fix(snapshot, found, fix)) is not None:
            action["edit"] = edit
        elif fix.confirm or fix.deletes_file:
            # A client that cannot ask inside an edit: the server asks, and then has the edit made.
            arguments = {
                "uri": snapshot.documents[found.path].uri if found.path in snapshot.documents else ""
            }
            arguments |= {"code": finding.code, "fix": fix.id, "start": str(finding.span.start)}
            action["command"] = command(title, "agentbrief.fix.apply", arguments)
        else:
            continue
        yield action


def _as_uris(arguments: Mapping[str, str | int]) -> dict[str, str | int]:
    """The arguments of a fix's command with its paths as a client says them."""
    return {
        key: uri_of(value) if key in ("uri", "other") and isinstance(value, str) else value
        for key, value in arguments.items()
    }
