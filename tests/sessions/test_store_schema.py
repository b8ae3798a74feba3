"""The schema of a store says what the reader says, and refuses nothing that the reader keeps."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agentbrief.sessions.store.entries import read_store
from agentbrief.sessions.store.fields import FIELDS, OLD_NAMES, fits
from agentbrief.sessions.store.schema import store_schema
from tests.house.sources import ROOT

VALUES: tuple[Any, ...] = ("word", "direct", 7, 1.5, True, {"a": 1}, ["a"], None)
TYPES: dict[str, Any] = {
    "string": str,
    "number": (int, float),
    "boolean": bool,
    "object": dict,
    "array": list,
}


def entry() -> dict[str, Any]:
    schema: Any = store_schema()
    return schema["definitions"]["entry"]  # type: ignore[no-any-return]


def allows(rule: dict[str, Any], value: Any) -> bool:
    """The few words of JSON schema that are used here."""
    assert set(rule) <= {"type", "anyOf", "enum", "description", "deprecationMessage"}
    if "anyOf" in rule:
        return any(allows(each, value) for each in rule["anyOf"])
    if "enum" in rule:
        return value in rule["enum"]
    named = rule.get("type", list(TYPES))
    names = named if isinstance(named, list) else [named]
    if "type" not in rule:
        return True
    is_flag = isinstance(value, bool)
    return any(isinstance(value, TYPES[name]) and (not is_flag or name == "boolean") for name in names)


@pytest.mark.parametrize("name", FIELDS)
def test_a_field_has_the_type_of_the_table(name: str) -> None:
    rule = entry()["properties"][name]
    for value in VALUES:
        assert allows(rule, value) == fits(FIELDS[name].kind, value), value


def test_unknown_fields_and_words_are_no_fault() -> None:
    assert entry()["additionalProperties"] is True
    assert allows(entry()["properties"]["queueMode"], "a mode of tomorrow")


def test_known_words_are_offered() -> None:
    offered = entry()["properties"]["queueMode"]["anyOf"][0]["enum"]
    assert offered == list(FIELDS["queueMode"].choices)


def test_old_names_lead_to_those_of_today() -> None:
    said = {name: entry()["properties"][name]["deprecationMessage"] for name in OLD_NAMES}
    assert said == {name: f"Today: {today}." for name, today in OLD_NAMES.items()}


def test_a_store_needs_what_the_reader_needs() -> None:
    whole = {name: 1 if name == "updatedAt" else "a" for name in entry()["required"]}
    assert [each.session_id for each in read_store(json.dumps({"k": whole}).encode()).entries] == ["a"]


def test_the_extension_has_it() -> None:
    package = json.loads((ROOT / "vscode-extension" / "package.json").read_text(encoding="utf-8"))
    [found] = package["contributes"]["jsonValidation"]
    written = (ROOT / "vscode-extension" / found["url"]).read_text(encoding="utf-8")
    assert json.loads(written) == store_schema()
