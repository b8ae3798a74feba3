"""Who hears of the user's own profiles?

A profile that is left out has a diagnostic in its own file. The client is told of the names of instruction
files that it does not know, so that it sends those documents too.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

from lsprotocol import types as lsp

from agentbrief.messages import say
from agentbrief.tasks.setup import agent_of, all_agents
from agentbrief_server.custom_profiles import read_profiles
from agentbrief_server.log import LOG
from agentbrief_server.methods import DOCUMENT_METHODS, OPTIONS
from agentbrief_server.uris import uri_of

if TYPE_CHECKING:
    from agentbrief.instructions.names import InstructionNames
    from agentbrief.tasks.settings import Settings
    from agentbrief_server.brief_server import BriefServer
    from agentbrief_server.state import State

CHANGED = "agentbrief/didChangeProfiles"
"""Notification: ``profiles`` (``id``, ``title``) whose instruction rules are known, ``patterns`` and plain
``names`` of the instruction files that only the user's own profiles name.
"""

_DOCUMENTS = "agentbrief-documents"
_RULE_FILES = "*.{md,txt,mdc}"


class ProfileTelling:
    """Who was told what of the user's own profiles."""

    def __init__(self, state: State, server: BriefServer) -> None:
        self._state = state
        self._server = server
        self._faults: dict[str, str] = {}
        self._told: dict[str, Any] | None = None
        self._registered: list[tuple[str, str]] = []
        self._looked_at: object = None
        self._unknown: set[str] = set()

    @property
    def outdated(self) -> bool:
        """Whether a file of a profile changed since the last look."""
        return self._looked_at is not self._own()

    def look(self) -> None:
        """Tell what is new since the last look. On the event loop."""
        given = self._state.configuration.settings(None)
        self._looked_at = self._own()
        self._tell_unknown()
        if not given.strings("customProfiles") and self._told is None and not self._faults:
            return
        self._tell_faults(given)
        self._tell_client()

    def _tell_unknown(self) -> None:
        """Log each agent of the settings that there is no profile of, once."""
        settings = self._state.settings(None)
        unknown = {name for name in settings.strings("agents") if agent_of(settings, name) is None}
        for name in sorted(unknown - self._unknown):
            known = ", ".join(each.id for each in all_agents(settings))
            LOG.warning("%s", say("en", "agent-without-rules", name=name, known=known))
        self._unknown = unknown

    def _own(self) -> object:
        """What the files of the user's own profiles hold: the same object as long as none changed."""
        given = self._state.configuration.settings(None)
        return read_profiles(given) if given.strings("customProfiles") else None

    def _tell_faults(self, given: Settings) -> None:
        from agentbrief.redact.shown import shorten_home

        home, before, self._faults = os.path.expanduser("~"), self._faults, {}
        for fault in read_profiles(given)[1] if given.strings("customProfiles") else ():
            path, why = (shorten_home(text, home) for text in (fault.path, fault.why))
            self._faults[fault.path] = sentence = say(
                self._state.client.locale, fault.message, path=path, why=why
            )
            if before.get(fault.path) != sentence:
                LOG.warning("%s", say("en", fault.message, path=path, why=why))
                self._publish(fault.path, [_diagnostic(sentence, fault.line)])
        for path in before.keys() - self._faults.keys():
            self._publish(path, [])

    def _publish(self, path: str, diagnostics: list[dict[str, Any]]) -> None:
        if os.path.isabs(path):
            params = {"uri": uri_of(path), "diagnostics": diagnostics}
            self._server.protocol.notify(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, params)

    def _tell_client(self) -> None:
        from agentbrief.instructions.names import shipped_names

        names, shipped = self._state.names, shipped_names()
        listed = sorted(names.listed - shipped.listed)
        patterns = _patterns(names, shipped)
        told: dict[str, Any] = {
            "profiles": [
                {"id": each.id, "title": each.title} for each in all_agents(self._state.settings(None))
            ],
            "patterns": patterns,
            "names": [name for name in listed if "/" not in name],
        }
        if told == self._told:
            return
        before: list[str] = self._told["patterns"] if self._told is not None else []
        self._told = told
        if self._state.client.documents:
            self._server.protocol.notify(CHANGED, told)
        if patterns != before:
            self._server.call_soon(self._register, patterns)

    def _register(self, patterns: list[str]) -> None:
        """Ask the client for the documents of these patterns, in place of those it was asked for before."""
        if self._registered:
            gone = [{"id": identifier, "method": method} for identifier, method in self._registered]
            self._ask(lsp.CLIENT_UNREGISTER_CAPABILITY, {"unregisterations": gone})
        self._registered = []
        if not patterns:
            return
        selector = [{"scheme": "file", "pattern": pattern} for pattern in patterns]
        self._registered = [
            (f"{_DOCUMENTS}:{method}", method)
            for method in DOCUMENT_METHODS
            if method in self._state.client.registers
        ]
        wanted = [
            {
                "id": identifier,
                "method": method,
                "registerOptions": {"documentSelector": selector, **_options(method)},
            }
            for identifier, method in self._registered
        ]
        if wanted:
            self._ask(lsp.CLIENT_REGISTER_CAPABILITY, {"registrations": wanted})

    def _ask(self, method: str, params: dict[str, Any]) -> None:
        self._server.protocol.send_request(method, params)


def _diagnostic(sentence: str, line: int) -> dict[str, Any]:
    """A fault of a profile as a diagnostic of its file, on ``line`` (0: the first)."""
    return {
        "range": {"start": {"line": line, "character": 0}, "end": {"line": line + 1, "character": 0}},
        "severity": lsp.DiagnosticSeverity.Error.value,
        "source": "agentbrief",
        "message": sentence,
    }


def _options(method: str) -> dict[str, Any]:
    """What is registered for a method beside its documents."""
    if method == lsp.TEXT_DOCUMENT_DID_CHANGE:
        return {"syncKind": lsp.TextDocumentSyncKind.Full.value}
    if method == lsp.TEXT_DOCUMENT_CODE_ACTION:
        return {"codeActionKinds": OPTIONS[method].code_action_kinds}
    return {}


def _patterns(names: InstructionNames, shipped: InstructionNames) -> list[str]:
    """Globs of the instruction files that ``shipped`` lacks; sorted."""
    listed = {f"**/{name}" for name in names.listed - shipped.listed}
    folders = {f"**/{name}/{_RULE_FILES}" for name in names.rule_folders - shipped.rule_folders}
    return sorted(listed | folders)
