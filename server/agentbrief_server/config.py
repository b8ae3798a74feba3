"""Which settings hold here? Layers, scopes and trust.

The user's layer comes with ``initializationOptions``; the workspace's by ``workspace/configuration`` for each
folder, or with ``workspace/didChangeConfiguration``. What is of machine scope counts only in the first,
unless the client keeps the scopes apart itself (``initializationOptions.client.scopes``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agentbrief.tasks.settings import Settings, SettingWarning, parse
from agentbrief_server.client import options_of
from agentbrief_server.loose import as_object

SECTION = "agentbrief"
_NOT_SETTINGS = frozenset({"client", "trusted"})


class Configuration:
    """The layers that are known, and the settings that they give for each workspace folder."""

    def __init__(self) -> None:
        self.trusted = False
        self.client_keeps_scopes = False
        self._user: dict[str, Any] = {}
        self._workspace: dict[str | None, dict[str, Any]] = {}
        self._known: dict[str | None, Settings] = {}
        self._told: set[SettingWarning] = set()

    def take_options(self, options: object, *, keeps_scopes: bool) -> None:
        """Take the user's layer and the trust from ``initializationOptions``. Absent trust is none."""
        given = options_of(options)
        self.trusted = given.get("trusted") is True
        self.client_keeps_scopes = keeps_scopes
        self._user = {key: value for key, value in given.items() if key not in _NOT_SETTINGS}
        self._known.clear()

    def take_workspace(self, folder: str | None, section: object) -> None:
        """Take what the client says of ``folder`` (None: of all)."""
        self._workspace[folder] = dict(as_object(section))
        self._known.clear()

    def take_pushed(self, settings: object) -> None:
        """Take the whole tree, or the section alone, that came with a change of configuration."""
        given = as_object(settings)
        if given:
            self.take_workspace(None, given.get(SECTION, given))

    def set_trusted(self, trusted: bool) -> None:
        """Take the client's word that the workspace became trusted, or is no more."""
        self.trusted = trusted
        self._known.clear()

    def settings(self, folder: str | None) -> Settings:
        """The settings in force for a workspace folder."""
        if (found := self._known.get(folder)) is None:
            found, _ = self._parse(folder)
            self._known[folder] = found
        return found

    def new_warnings(self, folder: str | None) -> tuple[SettingWarning, ...]:
        """The warnings about the settings of ``folder`` that were not given before."""
        _, warnings = self._parse(folder)
        fresh = tuple(each for each in warnings if each not in self._told)
        self._told.update(fresh)
        return fresh

    def _parse(self, folder: str | None) -> tuple[Settings, tuple[SettingWarning, ...]]:
        given = {**self._workspace.get(None, {}), **self._workspace.get(folder, {})}
        if self.client_keeps_scopes:
            return parse(_merged(self._user, given), trusted=self.trusted)
        return parse(self._user, given, trusted=self.trusted)


def _merged(below: Mapping[str, Any], above: Mapping[str, Any]) -> dict[str, Any]:
    found = dict(below)
    for key, value in above.items():
        old = found.get(key)
        inner = as_object(value)
        found[key] = _merged(as_object(old), inner) if inner and as_object(old) else value
    return found
