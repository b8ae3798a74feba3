"""What does ``sessions.json`` say about the sessions of an agent?

A store is read as values: every field and unknown key stays as the file has it, entries that are no objects
are listed too, and a file that is no store is a problem, never an empty store (openclaw.md 2.1, 2.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from agentbrief import jsonio
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.store.fields import FIELDS, OLD_NAMES, USUAL_TYPES, fits
from agentbrief.sessions.store.keys import canonical_key

StoreProblem = Literal["store-not-json", "store-not-object", "store-empty"]


@dataclass(frozen=True, slots=True)
class StoreIssue:
    """A fault of an entry that does not keep the store from being read.

    ``code`` is ``store-odd-entry`` (``names``: fields of a wrong type, empty when the entry itself is no
    object) or ``store-key-case`` (``names``: all spellings of the key).
    """

    code: Literal["store-odd-entry", "store-key-case"]
    key: str
    names: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class StoreEntry:
    """One session of a store.

    ``key`` is the key as the file spells it, or the lower-case key where the file has several spellings.
    ``stored`` is what the file holds under each of them, ``value`` the newest of these, ``fields`` its known
    fields of the right type, old names read as today's.
    """

    key: str
    value: JsonValue = field(hash=False)
    stored: Mapping[str, JsonValue] = field(hash=False)
    fields: Mapping[str, JsonValue] = field(hash=False)

    def text(self, name: str) -> str | None:
        """The text in field ``name``; None where there is none."""
        found = self.fields.get(name)
        return found if isinstance(found, str) else None

    def number(self, name: str) -> int | float | None:
        """The number in field ``name``; None where there is none."""
        found = self.fields.get(name)
        return found if isinstance(found, (int, float)) and not isinstance(found, bool) else None

    def count(self, name: str) -> int:
        """The number in field ``name`` as a whole number; 0 where there is none."""
        return int(self.number(name) or 0)

    def flag(self, name: str) -> bool | None:
        """True or false in field ``name``; None where there is neither."""
        found = self.fields.get(name)
        return found if isinstance(found, bool) else None

    @property
    def session_id(self) -> str | None:
        """The identifier of the session, not blank."""
        found = self.fields.get("sessionId")
        return found if isinstance(found, str) and found and not found.isspace() else None

    @property
    def updated_at_ms(self) -> int | float | None:
        """When the session was last active, in ms; None = age unknown."""
        return self.number("updatedAt")

    def touched_ms(self, now_ms: int) -> int | float:
        """What ``updatedAt`` becomes when the session is active at ``now_ms``: it never goes back."""
        return max(self.updated_at_ms or 0, now_ms)

    @property
    def session_file(self) -> str | None:
        """The path of the transcript as the entry spells it."""
        return self.text("sessionFile")

    @property
    def total_tokens(self) -> int | float | None:
        """Tokens of the context, None if unknown: no number ≥ 0, or marked as not fresh."""
        found = self.number("totalTokens")
        if found is None or found < 0 or self.flag("totalTokensFresh") is False:
            return None
        return found


@dataclass(frozen=True, slots=True)
class Store:
    """The sessions of one file, in file order.

    ``problem`` is set when the file is no store: then nothing is known of its entries, and it must not be
    written over. A file that does not exist (``exists`` false) is an empty store.
    """

    entries: tuple[StoreEntry, ...] = ()
    problem: StoreProblem | None = None
    issues: tuple[StoreIssue, ...] = ()
    exists: bool = True

    def get(self, key: str) -> StoreEntry | None:
        """The session that ``key`` names, in any spelling."""
        wanted = canonical_key(key)
        return next((entry for entry in self.entries if canonical_key(entry.key) == wanted), None)

    def with_session(self, session_id: str) -> tuple[StoreEntry, ...]:
        """The entries that have this session id, in file order."""
        return tuple(entry for entry in self.entries if entry.session_id == session_id)


MISSING_STORE = Store(exists=False)
"""What is known where there is no file."""


def read_store(data: bytes) -> Store:
    """The store that the bytes of a file hold. Source: openclaw.md 2.1."""
    if not data.strip():
        return Store(problem="store-empty")
    try:
        value = jsonio.loads(data)
    except ValueError:
        return Store(problem="store-not-json")
    return store_of(value)


def store_of(value: JsonValue) -> Store:
    """The store that a JSON value holds."""
    if not isinstance(value, dict):
        return Store(problem="store-not-object")
    spellings: dict[str, list[str]] = {}
    for key in value:
        spellings.setdefault(canonical_key(key), []).append(key)
    entries: list[StoreEntry] = []
    issues: list[StoreIssue] = []
    for canonical, keys in spellings.items():
        newest = max(keys, key=lambda key: _updated_at(value[key])) if len(keys) > 1 else keys[0]
        stored = {key: value[key] for key in keys}
        entry, odd = _entry(canonical if len(keys) > 1 else newest, value[newest], stored)
        entries.append(entry)
        if len(keys) > 1:
            issues.append(StoreIssue("store-key-case", entry.key, tuple(keys)))
        if odd is not None:
            issues.append(StoreIssue("store-odd-entry", entry.key, odd))
    return Store(tuple(entries), issues=tuple(issues))


def entry_of(key: str, value: JsonValue) -> StoreEntry:
    """One entry as a value, its key as it is spelled."""
    return _entry(key, value, {key: value})[0]


def _entry(
    key: str, value: JsonValue, stored: Mapping[str, JsonValue]
) -> tuple[StoreEntry, tuple[str, ...] | None]:
    if not isinstance(value, dict):
        return StoreEntry(key, value, stored, {}), ()
    fields: dict[str, JsonValue] = {}
    odd: list[str] = []
    for name, found in value.items():
        usual = USUAL_TYPES.get(name)
        if usual is None:
            continue
        if type(found) is usual or fits(FIELDS[name].kind, found):
            fields[name] = found
        elif found is not None:
            odd.append(name)
    for old, name in OLD_NAMES.items():
        if old in fields and name not in fields:
            fields[name] = fields[old]
    if "sessionId" not in fields and "sessionId" not in odd:
        odd.append("sessionId")
    return StoreEntry(key, value, stored, fields), tuple(odd) or None


def _updated_at(value: JsonValue) -> float:
    found = value.get("updatedAt") if isinstance(value, dict) else None
    return float(found) if isinstance(found, (int, float)) and not isinstance(found, bool) else 0.0
