"""What does a command's argument name?

One object, all keys optional, each checked here; a wrong value is never said again.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from agentbrief.messages import say
from agentbrief.tasks.setup import start_folder
from agentbrief_server.loose import as_list, as_text
from agentbrief_server.state import Snapshot
from agentbrief_server.uris import path_of

_MOST = 1 << 40


@dataclass(frozen=True, slots=True)
class Arguments:
    """The object that came with a command."""

    values: Mapping[str, Any]
    locale: str

    def text(self, key: str) -> str | None:
        """The string at ``key``; None when it is absent.

        Raises:
            JsonRpcException: it is no string, too long, or holds control characters.
        """
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, str) or len(value) > 4096 or any(char < " " for char in value):
            raise self.wrong(key)
        return value

    def flag(self, key: str, default: bool) -> bool:
        """The boolean at ``key``.

        Raises:
            JsonRpcException: it is none.
        """
        value = self.values.get(key, default)
        if not isinstance(value, bool):
            raise self.wrong(key)
        return value

    def whole(self, key: str) -> int | None:
        """The whole number at ``key``, not negative; None when it is absent.

        Raises:
            JsonRpcException: it is none.
        """
        value = self.values.get(key)
        if value is None:
            return None
        if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _MOST:
            raise self.wrong(key)
        return value

    def strings(self, key: str) -> tuple[str, ...]:
        """The list of strings at ``key``; empty when it is absent.

        Raises:
            JsonRpcException: it is none.
        """
        value = self.values.get(key)
        if value is None:
            return ()
        items = as_list(value)
        texts = [text for item in items if (text := as_text(item)) is not None and len(text) <= 4096]
        if not isinstance(value, list) or len(texts) != len(items):
            raise self.wrong(key)
        return tuple(texts)

    def path(self, key: str = "uri") -> str | None:
        """The path of the file that the URI at ``key`` names; None when it is absent.

        Raises:
            JsonRpcException: it names no file that may be looked at.
        """
        uri = self.text(key)
        if uri is None or uri == "":
            return None
        path = path_of(uri)
        if path is None:
            raise self.wrong(key)
        return path

    def wrong(self, key: str) -> JsonRpcException:
        """The error reply for a wrong argument."""
        sentence = say(self.locale, "argument-wrong", name=key)
        return JsonRpcException(sentence, code=lsp.ErrorCodes.InvalidParams.value)

    def missing(self, message: str, **arguments: str | int) -> JsonRpcException:
        """The error reply for a command that has nothing to work on."""
        return self.failed(say(self.locale, message, **arguments))

    def failed(self, sentence: str) -> JsonRpcException:
        """The error reply with ``sentence``, which is one of ours."""
        return JsonRpcException(sentence, code=lsp.LSPErrorCodes.RequestFailed.value)

    def start(self, snapshot: Snapshot) -> str:
        """Where the agent is taken to start: the argument ``folder``, the folder of the file, else the first
        workspace folder.

        Raises:
            JsonRpcException: no folder is open and none is given.
        """
        folder, path = self.path("folder"), self.path()
        if folder is None and path is not None:
            return snapshot.names.start_of(path) if snapshot.names.has(path) else os.path.dirname(path)
        if folder is None:
            if not snapshot.folders:
                raise self.missing("no-folder")
            folder = snapshot.folders[0]
        return start_folder(snapshot.setup(folder), folder) if folder in snapshot.folders else folder
