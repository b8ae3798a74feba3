"""What can the client do? Asked once, at initialize; each feature looks here before it calls the client."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from lsprotocol import types as lsp
from pygls.capabilities import get_capability

from agentbrief.messages import locale_of
from agentbrief.text.line_index import Encoding
from agentbrief_server.loose import as_object


@dataclass(frozen=True, slots=True)
class Client:
    """The client's abilities. The last group: ``initializationOptions.client``; absent = no.

    ``registers`` are methods for which further documents can be registered.
    """

    locale: str = "en"
    encoding: Encoding = "utf-16"
    name: str = ""
    configuration: bool = False
    pulls_diagnostics: bool = False
    related_documents: bool = False
    diagnostic_refresh: bool = False
    code_lens_refresh: bool = False
    inlay_hint_refresh: bool = False
    show_document: bool = False
    apply_edit: bool = False
    document_changes: bool = False
    creates_files: bool = False
    deletes_files: bool = False
    confirms_changes: bool = False
    work_done_progress: bool = False
    registers_watchers: bool = False
    registers: frozenset[str] = frozenset()
    relative_patterns: bool = False
    action_literals: bool = False
    resolves_actions: bool = False
    text_document_content: bool = False
    documents: bool = False
    rows: bool = False
    status: bool = False
    summarize: bool = False
    pictures: bool = False
    scopes: bool = False
    storage: str | None = None


def client_of(params: lsp.InitializeParams, encoding: Encoding, locale: str | None) -> Client:
    """The abilities that ``params`` announce.

    ``locale`` is the one of the environment, the client's own wins.
    """
    capabilities = params.capabilities

    def has(path: str) -> bool:
        return bool(get_capability(capabilities, path, False))

    operations = get_capability(capabilities, "workspace.workspace_edit.resource_operations", None) or ()
    resolves = (
        get_capability(capabilities, "text_document.code_action.resolve_support.properties", None) or ()
    )
    own = own_abilities(params.initialization_options)
    storage = own.get("storage")
    return Client(
        locale=locale_of(params.locale or locale),
        encoding=encoding,
        name=params.client_info.name if params.client_info else "",
        configuration=has("workspace.configuration"),
        pulls_diagnostics=get_capability(capabilities, "text_document.diagnostic", None) is not None,
        related_documents=has("text_document.diagnostic.related_document_support"),
        diagnostic_refresh=has("workspace.diagnostics.refresh_support"),
        code_lens_refresh=has("workspace.code_lens.refresh_support"),
        inlay_hint_refresh=has("workspace.inlay_hint.refresh_support"),
        show_document=has("window.show_document.support"),
        apply_edit=has("workspace.apply_edit"),
        document_changes=has("workspace.workspace_edit.document_changes"),
        creates_files=lsp.ResourceOperationKind.Create in operations,
        deletes_files=lsp.ResourceOperationKind.Delete in operations,
        confirms_changes=get_capability(
            capabilities, "workspace.workspace_edit.change_annotation_support", None
        )
        is not None,
        work_done_progress=has("window.work_done_progress"),
        registers_watchers=has("workspace.did_change_watched_files.dynamic_registration"),
        registers=_registers(has),
        relative_patterns=has("workspace.did_change_watched_files.relative_pattern_support"),
        action_literals=get_capability(
            capabilities, "text_document.code_action.code_action_literal_support", None
        )
        is not None,
        resolves_actions="edit" in resolves,
        text_document_content=get_capability(capabilities, "workspace.text_document_content", None)
        is not None,
        documents=own.get("documents") is True,
        rows=own.get("rows") is True,
        status=own.get("status") is True,
        summarize=own.get("summarize") is True,
        pictures=own.get("pictures") == "svg",
        scopes=own.get("scopes") is True,
        storage=storage if isinstance(storage, str) else None,
    )


_REGISTERED_BY = {
    lsp.TEXT_DOCUMENT_DID_OPEN: "synchronization",
    lsp.TEXT_DOCUMENT_DID_CHANGE: "synchronization",
    lsp.TEXT_DOCUMENT_DID_CLOSE: "synchronization",
    lsp.TEXT_DOCUMENT_HOVER: "hover",
    lsp.TEXT_DOCUMENT_CODE_LENS: "code_lens",
    lsp.TEXT_DOCUMENT_INLAY_HINT: "inlay_hint",
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: "document_symbol",
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: "folding_range",
    lsp.TEXT_DOCUMENT_DOCUMENT_LINK: "document_link",
    lsp.TEXT_DOCUMENT_CODE_ACTION: "code_action",
}


def _registers(has: Callable[[str], bool]) -> frozenset[str]:
    """The methods for which documents can be registered; none where their texts cannot be."""
    if not has("text_document.synchronization.dynamic_registration"):
        return frozenset()
    return frozenset(
        method for method, key in _REGISTERED_BY.items() if has(f"text_document.{key}.dynamic_registration")
    )


def options_of(value: object) -> dict[str, Any]:
    """``initializationOptions`` as an object; the section ``agentbrief`` in it where it is wrapped in one."""
    given = as_object(value)
    if "agentbrief" not in given:
        return dict(given)
    beside = {key: item for key, item in given.items() if key in ("client", "trusted")}
    return {**beside, **as_object(given["agentbrief"])}


def own_abilities(value: object) -> Mapping[str, Any]:
    """What ``initializationOptions.client`` says."""
    return as_object(options_of(value).get("client"))
