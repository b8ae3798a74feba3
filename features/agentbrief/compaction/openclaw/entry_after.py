"""What does the entry of a session hold after its transcript was compacted, or its notes were written?

Source: openclaw.md 8.10, 9. Counters that no longer describe the transcript are taken out, not set to 0.
"""

from __future__ import annotations

from agentbrief.jsonio import JsonValue
from agentbrief.sessions.store.entries import StoreEntry

_COUNTERS = ("inputTokens", "outputTokens", "totalTokens", "totalTokensFresh", "cacheRead", "cacheWrite")


def after_compaction(entry: StoreEntry, tokens_after: int | None, now_ms: int) -> dict[str, JsonValue]:
    """The entry after a compaction that left ``tokens_after`` tokens; None or 0 = not known."""
    found = _value(entry)
    found["compactionCount"] = entry.count("compactionCount") + 1
    found["updatedAt"] = entry.touched_ms(now_ms)
    if tokens_after:
        found = _without(found, ("inputTokens", "outputTokens", "cacheRead", "cacheWrite"))
        found["totalTokens"] = tokens_after
        found["totalTokensFresh"] = True
    return found


def after_lines_were_cut(entry: StoreEntry, now_ms: int) -> dict[str, JsonValue]:
    """The entry after the transcript was cut to its last lines: the counters say nothing any more."""
    found = _without(_value(entry), _COUNTERS)
    found["updatedAt"] = entry.touched_ms(now_ms)
    return found


def after_flush(entry: StoreEntry, now_ms: int) -> dict[str, JsonValue]:
    """The entry after its notes were written: no second time before the next compaction."""
    found = _value(entry)
    found["memoryFlushAt"] = now_ms
    found["memoryFlushCompactionCount"] = entry.count("compactionCount")
    return found


def _value(entry: StoreEntry) -> dict[str, JsonValue]:
    return dict(entry.value) if isinstance(entry.value, dict) else {}


def _without(value: dict[str, JsonValue], names: tuple[str, ...]) -> dict[str, JsonValue]:
    return {name: found for name, found in value.items() if name not in names}
