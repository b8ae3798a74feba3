"""Which sessions does a store list, in which order, and with what values?

The rows and the envelope of ``sessions --json`` (openclaw.md 2.4). Counters are the agent's own estimates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.agent_config import object_at, text_at, value_at, whole_number
from agentbrief.sessions.store.entries import Store, StoreEntry
from agentbrief.sessions.store.fields import names_in
from agentbrief.sessions.store.keys import SessionKind, agent_and_rest, session_kind

MINUTE_MS = 60 * 1000

_SHOWN = (
    "systemSent",
    "abortedLastRun",
    *names_in("toggles"),
    "modelProvider",
    "providerOverride",
    "modelOverride",
    "inputTokens",
    "outputTokens",
)


@dataclass(frozen=True, slots=True)
class ListedStore:
    """A store and whose it is. ``path`` is shown as it is given."""

    agent_id: str
    path: str
    store: Store


@dataclass(frozen=True, slots=True)
class ModelDefaults:
    """What holds where an entry says nothing: the model, its window (tokens), the windows of known models."""

    model: str
    context_tokens: int
    windows: Mapping[str, int] = field(default_factory=dict[str, int], hash=False)

    def window(self, entry: StoreEntry, model: str) -> int:
        """The window of the entry, of its model, or the default, in tokens."""
        return int(entry.number("contextTokens") or self.windows.get(model) or self.context_tokens)


def model_defaults(config: Mapping[str, JsonValue], model: str, window_tokens: int) -> ModelDefaults:
    """The defaults of a configuration; ``model`` and ``window_tokens`` where it names none.

    The model is named without its provider, as entries name it.
    """
    named = text_at(config, "agents", "defaults", "model")
    named = named or text_at(config, "agents", "defaults", "model", "primary")
    windows: dict[str, int] = {}
    for provider in object_at(config, "models", "providers").values():
        listed = provider.get("models") if isinstance(provider, dict) else None
        for entry in listed if isinstance(listed, list) else []:
            if not isinstance(entry, dict) or not isinstance(name := entry.get("id"), str):
                continue
            tokens = whole_number(entry.get("contextWindow"), 1)
            if tokens is not None:
                windows[name] = min(tokens, windows.get(name, tokens))
    most = whole_number(value_at(config, "agents", "defaults", "contextTokens"), 1)
    return ModelDefaults(named.rpartition("/")[2] if named else model, most or window_tokens, windows)


@dataclass(frozen=True, slots=True)
class SessionRow:
    """One row. Times in ms; ``age_ms`` is negative for a time in the future; None = not known, as at 0."""

    key: str
    agent_id: str
    kind: SessionKind
    updated_at_ms: int | float | None
    age_ms: int | float | None
    session_id: str | None
    model: str
    context_tokens: int
    total_tokens: int | float | None
    total_tokens_fresh: bool
    entry: StoreEntry

    def record(self) -> dict[str, JsonValue]:
        """The row with OpenClaw's names."""
        found: dict[str, JsonValue] = {
            "key": self.key,
            "updatedAt": self.updated_at_ms,
            "ageMs": self.age_ms,
        }
        if (session_id := self.entry.text("sessionId")) is not None:
            found["sessionId"] = session_id
        found.update((name, self.entry.fields[name]) for name in _SHOWN if name in self.entry.fields)
        found["totalTokens"] = self.total_tokens
        found["totalTokensFresh"] = self.total_tokens_fresh
        found["model"] = self.model
        found["contextTokens"] = self.context_tokens
        found["agentId"] = self.agent_id
        found["kind"] = self.kind
        return found


def session_row(entry: StoreEntry, agent_id: str, now_ms: int, defaults: ModelDefaults) -> SessionRow:
    """The row of one entry; ``agent_id`` holds where the key names no agent."""
    updated = entry.updated_at_ms
    model = entry.text("model") or entry.text("modelOverride") or defaults.model
    named = agent_and_rest(entry.key)
    total = entry.number("totalTokens")
    return SessionRow(
        key=entry.key,
        agent_id=named[0] if named else agent_id,
        kind=session_kind(entry.key, entry.text("chatType")),
        updated_at_ms=updated,
        age_ms=now_ms - updated if updated else None,
        session_id=entry.session_id,
        model=model,
        context_tokens=defaults.window(entry, model),
        total_tokens=entry.total_tokens,
        total_tokens_fresh=total is not None and entry.flag("totalTokensFresh") is not False,
        entry=entry,
    )


def session_rows(
    stores: Iterable[ListedStore], now_ms: int, defaults: ModelDefaults, active_minutes: int | None = None
) -> tuple[SessionRow, ...]:
    """The rows of all ``stores``, newest first, unknown times last, file order within one time.

    ``active_minutes`` keeps the sessions that were active in that many minutes before ``now_ms``.

    Raises:
        ValueError: ``active_minutes`` is not above 0.
    """
    if active_minutes is not None and active_minutes <= 0:
        raise ValueError("active_minutes")
    rows = [
        session_row(entry, listed.agent_id, now_ms, defaults)
        for listed in stores
        for entry in listed.store.entries
    ]
    if active_minutes is not None:
        rows = [row for row in rows if row.age_ms is not None and row.age_ms <= active_minutes * MINUTE_MS]
    return tuple(sorted(rows, key=lambda row: -(row.updated_at_ms or 0)))


def listing_record(
    stores: tuple[ListedStore, ...],
    rows: tuple[SessionRow, ...],
    *,
    active_minutes: int | None = None,
    all_agents: bool = False,
    unconfigured: tuple[ListedStore, ...] = (),
) -> dict[str, JsonValue]:
    """The envelope around ``rows``: of one store, or of all agents.

    ``unconfigured`` are stores of agents that the configuration does not name; they have no rows.
    """
    found: dict[str, JsonValue]
    if all_agents:
        found = {"path": None, "stores": _places(stores), "allAgents": True}
        if unconfigured:
            found["unconfigured"] = _places(unconfigured)
    else:
        found = {"path": stores[0].path}
    found["count"] = len(rows)
    found["activeMinutes"] = active_minutes
    found["sessions"] = [row.record() for row in rows]
    return found


def _places(stores: tuple[ListedStore, ...]) -> list[JsonValue]:
    return [{"agentId": listed.agent_id, "path": listed.path} for listed in stores]
