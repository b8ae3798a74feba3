"""What does a JSON schema say of ``sessions.json``? Made of the table of fields.

It helps to read and to complete, and it is as forgiving as the reader: unknown fields and unknown words are
no fault.
"""

from __future__ import annotations

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.store.fields import FIELDS, OLD_NAMES, Kind, StoreField

_TYPES: dict[Kind, JsonValue] = {
    "text": "string",
    "number": "number",
    "flag": "boolean",
    "text or number": ["string", "number"],
    "object": "object",
    "list": "array",
}


def store_schema() -> dict[str, JsonValue]:
    """The schema, of draft 7."""
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "OpenClaw session store",
        "description": "Session key → entry. Written by the Gateway: change it only while that is stopped.",
        "type": "object",
        "additionalProperties": {"$ref": "#/definitions/entry"},
        "definitions": {
            "entry": {
                "type": "object",
                "required": ["sessionId", "updatedAt"],
                "properties": {name: _property(field) for name, field in FIELDS.items()},
                "additionalProperties": True,
            }
        },
    }


def _property(field: StoreField) -> dict[str, JsonValue]:
    found: dict[str, JsonValue] = {"description": f"Group: {field.group}."}
    if field.choices:
        # Known words are offered; another one is no fault.
        found["anyOf"] = [{"enum": list(field.choices)}, {"type": "string"}]
    elif field.kind in _TYPES:
        found["type"] = _TYPES[field.kind]
    if field.name in OLD_NAMES:
        found["deprecationMessage"] = f"Today: {OLD_NAMES[field.name]}."
    return found
