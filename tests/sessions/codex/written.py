"""Records of Codex as it writes them, and files of them."""

from __future__ import annotations

import json
from typing import Any

SESSION = "11111111-1111-4111-8111-111111111111"
PATH = f"/home/u/.codex/sessions/2026/05/01/rollout-2026-05-01T10-00-00-{SESSION}.jsonl"
Record = dict[str, Any]


def wrapped(kind: str, payload: Record, second: int = 0) -> Record:
    return {
        "timestamp": f"2026-05-01T10:{second // 60:02d}:{second % 60:02d}.000Z",
        "type": kind,
        "payload": payload,
    }


def meta(second: int = 0, **more: Any) -> Record:
    given = {"id": SESSION, "cwd": "/w/app", "cli_version": "0.137.0", "source": "cli", **more}
    return wrapped("session_meta", given, second)


def item(kind: str, second: int = 0, **more: Any) -> Record:
    return wrapped("response_item", {"type": kind, **more}, second)


def event(kind: str, second: int = 0, **more: Any) -> Record:
    return wrapped("event_msg", {"type": kind, **more}, second)


def message(role: str, text: str, second: int = 0) -> Record:
    part = "output_text" if role == "assistant" else "input_text"
    return item("message", second, role=role, content=[{"type": part, "text": text}])


def turn(second: int = 0, **more: Any) -> Record:
    return wrapped("turn_context", {"cwd": "/w/app", "model": "gpt-5-codex", **more}, second)


def function_call(call_id: str, second: int = 0) -> Record:
    return item("function_call", second, name="shell", arguments='{"command":["ls"]}', call_id=call_id)


def output(call_id: str, text: Any = "a.py", second: int = 0) -> Record:
    return item("function_call_output", second, call_id=call_id, output=text)


def tokens(total: int | None, last: int, second: int = 0, cached: int = 0, answer: int = 0) -> Record:
    """A count: the running total (None: not stated), and what the last call took."""
    numbers = {"cached_input_tokens": cached, "output_tokens": answer, "reasoning_output_tokens": 0}
    info: Record = {
        "last_token_usage": {"input_tokens": last - answer, **numbers, "total_tokens": last},
        "model_context_window": 272_000,
    }
    if total is not None:
        info["total_token_usage"] = {"input_tokens": total, **numbers, "total_tokens": total}
    return event("token_count", second, info=info, rate_limits=None)


def compacted(text: str, history: list[Record] | None = None, second: int = 0) -> Record:
    payload: Record = {"message": text}
    if history is not None:
        payload["replacement_history"] = [each["payload"] for each in history]
    return wrapped("compacted", payload, second)


def file_of(*lines: Record | str, end: str = "\n") -> bytes:
    texts = [line if isinstance(line, str) else json.dumps(line, separators=(",", ":")) for line in lines]
    return ("\n".join(texts) + end).encode("utf-8", "surrogatepass")
