"""What stands in a lock file of OpenClaw?

``<file name>.lock`` beside the file: JSON, indent 2, ``{pid, createdAt, starttime}``; ``starttime`` in clock
ticks, on Linux only. Source: openclaw/openclaw src/agents/session-write-lock.ts (openclaw.md 3.4).
"""

from __future__ import annotations

from datetime import UTC, datetime

from agentbrief.disk.sidecar import LockFormat, Owner
from agentbrief.jsonio import JsonValue, dumps_pretty, loads

_NS_PER_MS = 1_000_000


def _write(pid: int, start: int | None, now_ns: int) -> bytes:
    moment = datetime.fromtimestamp(now_ns // 1_000_000_000, UTC)
    milliseconds = now_ns // _NS_PER_MS % 1000
    created = f"{moment:%Y-%m-%dT%H:%M:%S}.{milliseconds:03d}Z"
    payload: dict[str, JsonValue] = {"pid": pid, "createdAt": created}
    if start is not None:
        payload["starttime"] = start
    return dumps_pretty(payload).encode("utf-8")


def _read(data: bytes) -> Owner | None:
    try:
        payload = loads(data)
    except ValueError:
        return None
    if not isinstance(payload, dict):
        return None
    pid = _whole(payload.get("pid"))
    if pid is None or pid <= 0:
        return None
    host = payload.get("hostname", payload.get("host"))
    return Owner(pid, _whole(payload.get("starttime")), host if isinstance(host, str) else "")


def _whole(value: JsonValue) -> int | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return int(value) if value == value and abs(value) < 1e18 and int(value) == value else None


OPENCLAW_LOCK = LockFormat(".lock", ".reclaim", _write, _read)
"""Lock files of OpenClaw's legacy stores and transcripts."""
