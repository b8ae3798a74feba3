"""Which methods does the server answer, in which way, and what does it say of them?"""

from __future__ import annotations

from typing import Any

from lsprotocol import types as lsp

AT_ONCE: dict[str, str] = {
    lsp.TEXT_DOCUMENT_HOVER: "text_document_hover",
    lsp.TEXT_DOCUMENT_CODE_LENS: "text_document_code_lens",
    lsp.TEXT_DOCUMENT_INLAY_HINT: "text_document_inlay_hint",
    lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL: "text_document_document_symbol",
    lsp.TEXT_DOCUMENT_FOLDING_RANGE: "text_document_folding_range",
    lsp.TEXT_DOCUMENT_DOCUMENT_LINK: "text_document_document_link",
    lsp.TEXT_DOCUMENT_CODE_ACTION: "text_document_code_action",
}
"""Answers that wait for nothing, by method: a task of its own would cost more than they do."""

IN_A_WORKER: dict[str, str] = {
    lsp.WORKSPACE_TEXT_DOCUMENT_CONTENT: "workspace_text_document_content",
    "agentbrief/document": "agentbrief_document",
    "agentbrief/rows": "agentbrief_rows",
}
DOCUMENT_METHODS: tuple[str, ...] = (
    lsp.TEXT_DOCUMENT_DID_OPEN,
    lsp.TEXT_DOCUMENT_DID_CHANGE,
    lsp.TEXT_DOCUMENT_DID_CLOSE,
    *AT_ONCE,
)
"""What is registered for documents that a client does not send by itself."""

PULLED: dict[str, str] = {
    lsp.TEXT_DOCUMENT_DIAGNOSTIC: "text_document_diagnostic",
    lsp.WORKSPACE_DIAGNOSTIC: "workspace_diagnostic",
}
"""Only for a client that pulls diagnostics; answered at once."""

OPTIONS: dict[str, Any] = {
    lsp.TEXT_DOCUMENT_CODE_ACTION: lsp.CodeActionOptions(
        code_action_kinds=["quickfix", "refactor", "refactor.extract", "source", "source.fixAll.agentbrief"]
    ),
    lsp.TEXT_DOCUMENT_DIAGNOSTIC: lsp.DiagnosticOptions(
        inter_file_dependencies=True, workspace_diagnostics=True, identifier="agentbrief"
    ),
}
