"""Dialogs, notifications and quick picks show plain text: no sentence that comes into one has backticks."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterable
from functools import cache

import pytest

from agentbrief.messages import LOCALES
from agentbrief.messages.catalogue import sentences
from tests.house.sources import ROOT
from tests.messages.said_where import messages_said
from tests.messages.test_catalogues import texts

SHOWN = {"surface": ("say", "choose"), "arguments": ("missing", "failed"), "self": ("missing", "failed")}
"""What is handed to the client as a notification, a question with choices, or a refusal."""

OF_REPLIES = ("message", "question", "notRead", "refused")
"""What of a reply VS Code shows in a dialog or a notification."""

PLAIN_KINDS = ("action.", "command.", "fix.", "page.", "progress.")
"""Titles of buttons, commands, quick fixes and tabs, and what is told while one waits."""


FAULTS = ("doctor.", "store-", "openclaw-setting-invalid.", "flush-never-runs", "history-sent-broken.")
"""What the check-up of stores says on its page, with names of the user's that are escaped."""


def in_a_dialog(node: ast.AST) -> Iterable[ast.expr]:
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id=owner), attr=name), args=given):
            return given if name in SHOWN.get(owner, ()) else ()
        case ast.Call(func=ast.Name(id="JsonRpcException"), args=given):
            return given
        case ast.Dict(keys=keys, values=values):
            named = (each.value if isinstance(each, ast.Constant) else None for each in keys)
            return [value for name, value in zip(named, values, strict=True) if name in OF_REPLIES]
        case _:
            return ()


def escaped(node: ast.AST) -> Iterable[ast.expr]:
    match node:
        case ast.Call(func=ast.Name(id="escape_markdown" | "_quiet"), args=given):
            return given
        case _:
            return ()


@cache
def shown() -> dict[str, str]:
    found = messages_said("agentbrief_server.", in_a_dialog)
    return found | {key: "its kind" for key in sentences("en") if key.startswith(PLAIN_KINDS)}


def with_backticks(found: Iterable[str], locale: str) -> set[str]:
    known = sentences(locale)
    return {key for key in found if any("`" in text for text in texts(known[key]))}


def test_the_search_finds_what_is_asked_and_said() -> None:
    some = {
        "cleanup.question", "cleanup.did", "compaction.question", "compaction.preview.automatic",
        "argument-wrong", "checkpoint.restore.title", "checkpoint.ask-which", "trash.restored",
        "trash.back.files", "preview.gone", "disk.what.locked", "session.why.not-utf8", "fix.ask",
    }  # fmt: skip
    assert some - shown().keys() == set()
    assert "cleanup.say-yes" not in shown(), "only a terminal says it"


@pytest.mark.parametrize("locale", LOCALES)
def test_no_dialog_has_backticks(locale: str) -> None:
    assert with_backticks(shown(), locale) == set()


@pytest.mark.parametrize("locale", LOCALES)
def test_no_page_shows_backticks_that_it_has_escaped(locale: str) -> None:
    said = messages_said("agentbrief", escaped).keys()
    faults = {
        key for key in sentences("en") if key.startswith(FAULTS) and not key.startswith("doctor.remedy.")
    }
    assert with_backticks(said | faults, locale) == set()


def test_what_the_extension_says_itself_is_plain() -> None:
    """Its sentences are titles, labels, notifications and questions."""
    for path in (ROOT / "vscode-extension" / "l10n").glob("*.json"):
        for english, text in json.loads(path.read_text(encoding="utf-8")).items():
            assert "`" not in english + text
