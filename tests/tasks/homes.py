"""A workspace and a home with sessions of every agent, as they write them."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agentbrief.disk.seam import FS
from agentbrief.profiles.load import profile
from agentbrief.profiles.strategies.claude import claude_slug
from agentbrief.sessions.formats.claw_store import session_folders
from agentbrief.tasks.sessions.setup import SessionsSetup
from agentbrief.tasks.settings import Settings
from tests.sessions.claude_code.written import assistant, call, file_of, record, result, user

CLAUDE_ID = "11111111-1111-4111-8111-111111111111"
CODEX_ID = "22222222-2222-4222-8222-222222222222"
NOW_MS = 1_790_000_000_000
"""The clock of the tests; 2026-09-21."""

HOUR_S = 3600


@dataclass(frozen=True)
class Home:
    """The folder of the workspace, the home, and where each session lies."""

    workspace: Path
    home: Path

    @property
    def port(self) -> Path:
        return self.workspace / ".port_sessions" / "plan.json"

    @property
    def claw(self) -> Path:
        return Path(session_folders(str(self.workspace))[0]) / "session-1781234567890-1.jsonl"

    @property
    def claude(self) -> Path:
        return self.claude_folder(self.workspace) / f"{CLAUDE_ID}.jsonl"

    @property
    def codex(self) -> Path:
        name = f"rollout-2026-09-20T10-00-00-{CODEX_ID}.jsonl"
        return self.home / ".codex" / "sessions" / "2026" / "09" / "20" / name

    @property
    def openclaw(self) -> Path:
        return self.home / ".openclaw" / "agents" / "main" / "sessions" / "oc-1.jsonl"

    @property
    def pi(self) -> Path:
        name = "--" + str(self.workspace)[1:].replace("/", "-") + "--"
        return self.home / ".pi" / "agent" / "sessions" / name / "2026-09-20T10-00-00-000Z_pi-1.jsonl"

    @property
    def all(self) -> dict[str, Path]:
        """Profile → its one session of this workspace."""
        return {
            "claw": self.port,
            "claw-code": self.claw,
            "claude-code": self.claude,
            "codex": self.codex,
            "openclaw": self.openclaw,
            "pi": self.pi,
        }

    def claude_folder(self, workspace: Path) -> Path:
        data = profile("claude-code").sessions
        assert data is not None
        assert data.slug is not None
        return self.home / ".claude" / "projects" / claude_slug(str(workspace), data.slug)

    def setup(self, settings: dict[str, Any] | None = None, **more: Any) -> SessionsSetup:
        values = Settings()
        for key, value in (settings or {}).items():
            values = values.replaced(key, value)
        return SessionsSetup(
            more.pop("fs", None) or FS(), (str(self.workspace),), values, str(self.home), NOW_MS, **more
        )


def built(folder: Path) -> Home:
    """All of it below ``folder``; each file changed an hour before the one before it."""
    folder = Path(os.path.realpath(folder))
    home = Home(folder / "shop", folder / "home")
    contents: dict[str, bytes] = {
        "claw": port_session(),
        "claw-code": claw_session(home.workspace),
        "claude-code": claude_session(home.workspace),
        "codex": codex_session(home.workspace),
        "openclaw": pi_session("oc-1", home.workspace),
        "pi": pi_session("pi-1", home.workspace),
    }
    for number, (agent, path) in enumerate(home.all.items(), 1):
        put(path, contents[agent], hours_ago=number)
    store = {"agent:main:main": {"sessionId": "oc-1", "updatedAt": NOW_MS, "label": "Daily report"}}
    put(home.openclaw.with_name("sessions.json"), json.dumps(store).encode(), hours_ago=5)
    return home


def put(path: Path, data: bytes, hours_ago: float = 1) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    changed = NOW_MS / 1000 - hours_ago * HOUR_S
    os.utime(path, (changed, changed))
    return path


def port_session(*messages: Any) -> bytes:
    top = {
        "session_id": "plan",
        "messages": list(messages) or ["hello", "Plan the release", {"role": "assistant", "blocks": []}],
        "input_tokens": 12,
        "output_tokens": 3,
    }
    return json.dumps(top, indent=2).encode()


def claw_session(workspace: Path) -> bytes:
    def message(role: str, *blocks: dict[str, Any]) -> dict[str, Any]:
        return {"type": "message", "message": {"role": role, "blocks": list(blocks)}}

    return lines(
        {
            "type": "session_meta",
            "version": 1,
            "session_id": "session-1781234567890-1",
            "created_at_ms": 1780000000000,
            "updated_at_ms": NOW_MS - 2 * HOUR_S * 1000,
            "workspace_root": str(workspace),
        },
        message("user", {"type": "text", "text": "Rename the cache module"}),
        message("assistant", {"type": "tool_use", "id": "t1", "name": "bash", "input": "ls"}),
        message(
            "tool",
            {
                "type": "tool_result",
                "tool_use_id": "t1",
                "tool_name": "bash",
                "output": "a.py",
                "is_error": False,
            },
        ),
        message("assistant", {"type": "text", "text": "Renamed it."}),
    )


def claude_session(workspace: Path, prompt: str = "Fix the login redirect", **more: Any) -> bytes:
    said = {"cwd": str(workspace), **more}
    return file_of(
        user("u0", None, "hi", 0, **said),
        assistant("a0", "u0", "Hello.", second=1, usage=(5, 0, 100, 2)),
        user("u1", "a0", prompt, 2, **said),
        assistant("a1", "u1", "I look.", call("c1", "Edit", file_path=f"{workspace}/src/login.py"), second=3),
        result("r1", "a1", "c1", "edited", 4),
        assistant("a2", "r1", "The redirect is fixed.", second=5, usage=(10, 2_000, 80_000, 20)),
    )


def codex_session(workspace: Path, prompt: str = "登录页重定向") -> bytes:
    def event(kind: str, **fields: Any) -> dict[str, Any]:
        return {
            "timestamp": "2026-09-20T10:00:02.000Z",
            "type": "event_msg",
            "payload": {"type": kind, **fields},
        }

    tokens = {
        "input_tokens": 9000,
        "cached_input_tokens": 5000,
        "output_tokens": 1000,
        "total_tokens": 10_000,
    }
    meta = {
        "timestamp": "2026-09-20T10:00:00.000Z",
        "type": "session_meta",
        "payload": {"id": CODEX_ID, "cwd": str(workspace), "cli_version": "0.50.0", "git": {"branch": "dev"}},
    }
    turn = {
        "timestamp": "2026-09-20T10:00:01.000Z",
        "type": "turn_context",
        "payload": {"turn_id": "1", "cwd": str(workspace), "model": "gpt-5"},
    }
    item = {
        "timestamp": "2026-09-20T10:00:02.000Z",
        "type": "response_item",
        "payload": {
            "type": "message",
            "role": "user",
            "content": [{"type": "input_text", "text": prompt}],
        },
    }
    return lines(
        meta,
        turn,
        item,
        event("user_message", message=prompt),
        event("agent_message", message="已修复。"),
        event(
            "token_count",
            info={"total_token_usage": tokens, "last_token_usage": tokens, "model_context_window": 272_000},
        ),
    )


def pi_session(session_id: str, workspace: Path, prompt: str = "Write the daily report") -> bytes:
    usage = {"input": 300, "output": 20, "cacheRead": 4_000, "cacheWrite": 100, "totalTokens": 4_420}
    return lines(
        {
            "type": "session",
            "version": 3,
            "id": session_id,
            "timestamp": "2026-09-20T10:00:00.000Z",
            "cwd": str(workspace),
        },
        entry("m1", None, {"role": "user", "content": [{"type": "text", "text": prompt}]}),
        entry(
            "m2",
            "m1",
            {
                "role": "assistant",
                "content": [{"type": "text", "text": "Here it is."}],
                "usage": usage,
                "provider": "anthropic",
                "model": "claude-opus-4-6",
                "stopReason": "stop",
            },
        ),
    )


def entry(identifier: str, parent: str | None, message: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "message",
        "id": identifier,
        "parentId": parent,
        "timestamp": "2026-09-20T10:00:01.000Z",
        "message": message,
    }


def lines(*values: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(value, ensure_ascii=False).encode() + b"\n" for value in values)


__all__ = ["CLAUDE_ID", "CODEX_ID", "NOW_MS", "Home", "built", "put", "record"]
