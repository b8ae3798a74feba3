"""How is a value object said in LSP? Offsets → columns. Plain dictionaries, built here and nowhere else."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from agentbrief.messages import say
from agentbrief.report.addresses import rule_page
from agentbrief.rules.finding import Finding, Fix
from agentbrief.text.line_index import Encoding, LineIndex
from agentbrief.text.span import Span
from agentbrief_server.uris import uri_of

Json = dict[str, Any]

_SEVERITIES = {"error": 1, "warning": 2, "information": 3, "hint": 4}
_TAGS = {"unnecessary": 1}


def position(index: LineIndex, offset: int, encoding: Encoding) -> Json:
    """The position of ``offset``."""
    line, column = index.position(offset, encoding)
    return {"line": line, "character": column}


def range_of(index: LineIndex, span: Span, encoding: Encoding, *, visible: bool = False) -> Json:
    """The range of ``span``; with ``visible`` an empty one is widened to a character that can be seen."""
    start, end = span.start, span.end
    if visible:
        start, end = _widened(index, start, end)
    return {"start": position(index, start, encoding), "end": position(index, end, encoding)}


def _widened(index: LineIndex, start: int, end: int) -> tuple[int, int]:
    """A range that covers a visible character: a squiggle under nothing is not drawn."""
    text = index.text
    if start < end and (text[start] not in "\r\n" or text[start:end].strip("\r\n")):
        return start, end
    line = index.line_of(start)
    if start < index.line_end(line):
        return start, start + 1
    if start > index.line_start(line):
        return start - 1, max(end, start)
    for other in range(line + 1, len(index)):
        if index.line_end(other) > index.line_start(other):
            return start, index.line_start(other) + 1
    return start, end


def shifted(span: Span, hidden: int) -> Span:
    """``span`` in the text as the editor has it, which lacks the first ``hidden`` characters of the file."""
    return Span(max(0, span.start - hidden), max(0, span.end - hidden)) if hidden else span


def diagnostic(
    finding: Finding,
    index: LineIndex,
    hidden: int,
    locale: str,
    encoding: Encoding,
    index_of: Callable[[str], LineIndex],
) -> Json:
    """A finding as a diagnostic. Its message stands alone; ``data`` holds what a fix needs."""
    found: Json = {
        "range": range_of(index, shifted(finding.span, hidden), encoding, visible=True),
        "severity": _SEVERITIES[finding.severity],
        "code": finding.code,
        "codeDescription": {"href": rule_page(finding.code)},
        "source": "agentbrief",
        "message": say(locale, finding.message, **dict(finding.arguments)),
        "data": {"profile": finding.profile_id, **dict(finding.data)},
    }
    if finding.tags:
        found["tags"] = [_TAGS[tag] for tag in finding.tags]
    if finding.related:
        found["relatedInformation"] = [
            {
                "location": {
                    "uri": uri_of(other.path),
                    "range": range_of(index_of(other.path), other.span, encoding),
                },
                "message": say(locale, other.message, **dict(other.arguments)),
            }
            for other in finding.related
        ]
    return found


def text_edit(index: LineIndex, span: Span, new_text: str, encoding: Encoding) -> Json:
    """A change of the text of ``span``."""
    return {"range": range_of(index, span, encoding), "newText": new_text}


def workspace_edit(
    changes: Mapping[str, Iterable[Json]],
    versions: Mapping[str, int | None],
    created: Iterable[str],
    *,
    document_changes: bool,
) -> Json:
    """Changes of files by path, with versions where the client takes them.

    ``created`` are made first if they are missing.
    """
    if not document_changes:
        return {"changes": {uri_of(path): list(edits) for path, edits in changes.items()}}
    steps: list[Json] = [
        {"kind": "create", "uri": uri_of(path), "options": {"ignoreIfExists": True}} for path in created
    ]
    steps += [
        {"textDocument": {"uri": uri_of(path), "version": versions.get(path)}, "edits": list(edits)}
        for path, edits in changes.items()
    ]
    return {"documentChanges": steps}


def needs_confirmation(edit: Json, label: str) -> Json:
    """``edit`` marked so that the client asks before it applies it."""
    annotated: list[Json] = []
    for step in edit["documentChanges"]:
        if "edits" in step:
            step = {**step, "edits": [{**each, "annotationId": "ask"} for each in step["edits"]]}
        else:
            step = {**step, "annotationId": "ask"}
        annotated.append(step)
    annotation = {"label": label, "needsConfirmation": True}
    return {"documentChanges": annotated, "changeAnnotations": {"ask": annotation}}


def command(title: str, name: str, arguments: Mapping[str, Any]) -> Json:
    """A command with its one argument, an object."""
    return {"title": title, "command": name, "arguments": [dict(arguments)]}


def fix_title(fix: Fix, locale: str) -> str:
    """The title of a fix."""
    return say(locale, fix.title, **dict(fix.title_arguments))
