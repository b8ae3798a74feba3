"""Synthetic transcripts with the shape of real ones: line lengths, block kinds, usage records, tree links.

Text comes from the standard library's sources, with some Chinese and emoji. The same seed gives the same
bytes with the same Python version. ``claude``: one entry a line, tree by uuid / parentUuid; a turn's thinking
and tool_use lines share message.id, requestId and usage, so a reader that adds up every line counts twice.
``pi``: a session header, then id / parentId; message, compaction, custom. ``codex``: a session_meta, then
response items and counts of tokens, without links.
"""

from __future__ import annotations

import base64
import datetime
import json
import random
import sysconfig
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

CWD = "/home/u/proj"
MODEL = "claude-sonnet-4-5-20250929"
NOW_MS = 1767225600000
OTHER_TEXT = (
    "## 说明\n\n先读完整个文件，再动手修改。每次提交前运行测试，不要跳过失败的用例。"
    "保留最近的四条消息，其余的写成摘要。\n\n"
    "| 名称 | 上限 |\n|---|---|\n| 单个文件 | 4,000 个字符 |\n| 全部文件 | 12,000 个字符 |\n\n"
    "Done ✅ and shipped 🚀. Next: fix the parser 🐛, then the docs 📚 – “later”, not now…\n\n"
) * 40


class Writer:
    """Text, ids and times from one seeded generator."""

    def __init__(self, seed: int, damage: float) -> None:
        self.random = random.Random(seed)
        self.damage = damage
        self.pool = self._read()
        self.time = datetime.datetime(2026, 1, 1)

    def _read(self) -> list[str]:
        files = sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))
        self.random.shuffle(files)
        pool = []
        for file in files[:1000]:
            try:
                text = file.read_text("utf-8")
            except (OSError, UnicodeDecodeError):
                continue
            if len(text) > 400:
                pool.append(text)
        return [*pool, OTHER_TEXT, OTHER_TEXT, OTHER_TEXT]

    def text(self, size: int) -> str:
        text = self.random.choice(self.pool)
        while len(text) < size:
            text += self.random.choice(self.pool)
        start = self.random.randrange(max(1, len(text) - size))
        return text[start : start + size]

    def size(self, mu: float, sigma: float, low: int, high: int) -> int:
        """Lognormal, as the sizes of tool results and messages are."""
        return int(min(high, max(low, self.random.lognormvariate(mu, sigma))))

    def uuid(self) -> str:
        return str(uuid.UUID(int=self.random.getrandbits(128), version=4))

    def short_id(self) -> str:
        return f"{self.random.getrandbits(32):08x}"

    def named_id(self, prefix: str) -> str:
        return prefix + self.uuid().replace("-", "")[:24]

    def stamp(self) -> str:
        self.time += datetime.timedelta(seconds=self.random.randrange(1, 40))
        return self.time.isoformat(timespec="milliseconds") + "Z"

    def noise(self, size: int) -> str:
        return base64.b64encode(self.random.randbytes(size)).decode()

    def tool_call(self) -> tuple[str, dict[str, str]]:
        return self.random.choice(
            [
                ("Bash", {"command": "rg -n foo | head -50", "description": self.text(40)}),
                ("Read", {"file_path": f"{CWD}/src/{self.short_id()}.py"}),
                (
                    "Edit",
                    {
                        "file_path": f"{CWD}/a.py",
                        "old_string": self.text(self.size(5.5, 1, 20, 6000)),
                        "new_string": self.text(self.size(5.7, 1, 20, 6000)),
                    },
                ),
                ("Grep", {"pattern": "def .*", "path": CWD}),
            ]
        )

    def tool_result(self) -> str:
        if self.random.random() < 0.002:  # a picture or a binary file
            return self.noise(self.size(11, 1, 2000, 400_000))
        return self.text(self.size(7.6, 1.25, 20, 120_000))

    def line(self, entry: dict[str, Any]) -> bytes:
        # No blanks and raw UTF-8: that is what JSON.stringify writes.
        line = json.dumps(entry, separators=(",", ":"), ensure_ascii=False).encode()
        if self.damage and self.random.random() < self.damage:
            for key in (b'"text":"', b'"thinking":"', b'"content":"'):
                if key in line:
                    line = line.replace(key, key + b"cut \\ud83d ", 1)
                    break
        return line + b"\n"


def next_context(rng: random.Random, context: int) -> int:
    context += rng.randrange(200, 3000)
    return context if context <= 180_000 else 20_000


def claude(writer: Writer, session: str) -> Iterator[dict[str, Any]]:
    rng, context = writer.random, 15_000
    parent: str | None = None

    def entry(kind: str, **fields: Any) -> dict[str, Any]:
        nonlocal parent
        own = writer.uuid()
        made = {
            "parentUuid": parent, "isSidechain": False, "userType": "external", "cwd": CWD,
            "sessionId": session, "version": "2.0.14", "gitBranch": "main", "type": kind, **fields,
            "uuid": own, "timestamp": writer.stamp(),
        }  # fmt: skip
        parent = own
        return made

    while True:
        context = next_context(rng, context)
        if rng.random() < 0.06:
            yield entry("user", message={"role": "user", "content": writer.text(writer.size(5, 1, 10, 4000))})
        call, request = writer.named_id("toolu_"), writer.named_id("req_")
        name, arguments = writer.tool_call()
        usage = {
            "input_tokens": rng.randrange(2, 50), "cache_creation_input_tokens": rng.randrange(100, 4000),
            "cache_read_input_tokens": context,
            "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
            "output_tokens": rng.randrange(5, 1500), "service_tier": "standard",
        }  # fmt: skip
        head = {"model": MODEL, "id": writer.named_id("msg_"), "type": "message", "role": "assistant"}
        if rng.random() < 0.3:
            first = {"type": "text", "text": writer.text(writer.size(5.3, 1, 10, 5000))}
        else:
            thought = writer.text(writer.size(6, 0.8, 30, 4000))
            first = {"type": "thinking", "thinking": thought, "signature": writer.noise(300)}
        second = {"type": "tool_use", "id": call, "name": name, "input": arguments}
        for block, reason in ((first, None), (second, "tool_use")):
            message = {
                **head,
                "content": [block],
                "stop_reason": reason,
                "stop_sequence": None,
                "usage": usage,
            }
            yield entry("assistant", message=message, requestId=request)
        result = writer.tool_result()
        answer = {"tool_use_id": call, "type": "tool_result", "content": result, "is_error": False}
        copy = {"stdout": result[:30_000], "stderr": "", "interrupted": False, "isImage": False}
        yield entry("user", message={"role": "user", "content": [answer]}, toolUseResult=copy)


def pi(writer: Writer, session: str) -> Iterator[dict[str, Any]]:
    rng, context = writer.random, 15_000
    parent: str | None = None

    def entry(kind: str, **fields: Any) -> dict[str, Any]:
        nonlocal parent
        own = writer.short_id()
        made = {"type": kind, "id": own, "parentId": parent, "timestamp": writer.stamp(), **fields}
        parent = own
        return made

    yield {"type": "session", "version": 3, "id": session, "timestamp": writer.stamp(), "cwd": CWD}
    while True:
        context = next_context(rng, context)
        if rng.random() < 0.06:
            block = {"type": "text", "text": writer.text(writer.size(5, 1, 10, 4000))}
            yield entry("message", message={"role": "user", "content": [block], "timestamp": NOW_MS})
        call = writer.named_id("toolu_")
        name, arguments = writer.tool_call()
        read, wrote = rng.randrange(2, 50), rng.randrange(5, 1500)
        thought = writer.text(writer.size(6, 0.8, 30, 4000))
        content = [
            {"type": "thinking", "thinking": thought, "thinkingSignature": writer.noise(300)},
            {"type": "text", "text": writer.text(writer.size(5.3, 1, 10, 5000))},
            {"type": "toolCall", "id": call, "name": name.lower(), "arguments": arguments},
        ]
        usage = {
            "input": read, "output": wrote, "cacheRead": context, "cacheWrite": rng.randrange(100, 4000),
            "totalTokens": context + read + wrote,
            "cost": {
                "input": 0.0001, "output": 0.002, "cacheRead": 0.01, "cacheWrite": 0.003, "total": 0.0151,
            },
        }  # fmt: skip
        message = {
            "role": "assistant", "content": content, "api": "anthropic-messages", "provider": "anthropic",
            "model": MODEL, "usage": usage, "stopReason": "toolUse", "timestamp": NOW_MS,
        }  # fmt: skip
        yield entry("message", message=message)
        result = {
            "role": "toolResult", "toolCallId": call, "toolName": name.lower(), "isError": False,
            "timestamp": NOW_MS, "content": [{"type": "text", "text": writer.tool_result()}],
        }  # fmt: skip
        yield entry("message", message=result)
        if rng.random() < 0.002:
            yield entry(
                "compaction", summary=writer.text(3000), firstKeptEntryId=parent, tokensBefore=context
            )
        if rng.random() < 0.01:
            yield entry("custom", customType="x", data={"a": 1})


def codex(writer: Writer, session: str) -> Iterator[dict[str, Any]]:
    rng, context, total = writer.random, 15_000, 0

    def entry(kind: str, **payload: Any) -> dict[str, Any]:
        return {"timestamp": writer.stamp(), "type": kind, "payload": payload}

    def message(role: str, part: str, text: str) -> dict[str, Any]:
        return entry("response_item", type="message", role=role, content=[{"type": part, "text": text}])

    yield entry("session_meta", id=session, timestamp=writer.stamp(), cwd=CWD, cli_version="0.137.0")
    yield entry("turn_context", cwd=CWD, model="gpt-5-codex")
    while True:
        context = next_context(rng, context)
        if rng.random() < 0.06:
            yield message("user", "input_text", writer.text(writer.size(5, 1, 10, 4000)))
        yield message("assistant", "output_text", writer.text(writer.size(5.3, 1, 10, 5000)))
        call = writer.named_id("call_")
        _, arguments = writer.tool_call()
        words = json.dumps(arguments)
        yield entry("response_item", type="function_call", name="shell", arguments=words, call_id=call)
        yield entry("response_item", type="function_call_output", call_id=call, output=writer.tool_result())
        wrote = rng.randrange(5, 1500)
        total += context + wrote
        parts = {"input_tokens": context, "cached_input_tokens": context // 2, "output_tokens": wrote}
        info = {
            "total_token_usage": {**parts, "total_tokens": total},
            "last_token_usage": {**parts, "total_tokens": context + wrote},
            "model_context_window": 272_000,
        }
        yield entry("event_msg", type="token_count", info=info, rate_limits=None)


MAKERS = {"claude": claude, "pi": pi, "codex": codex}


def write(
    path: Path, entries: Iterator[dict[str, Any]], size: int, writer: Writer, torn: bool
) -> tuple[int, int]:
    path.parent.mkdir(parents=True, exist_ok=True)
    written = count = 0
    line = b""
    with path.open("wb", buffering=1 << 20) as file:
        while written < size:
            line = writer.line(next(entries))
            file.write(line)
            written += len(line)
            count += 1
    if torn:
        with path.open("r+b") as file:
            file.truncate(written - (len(line) + 1) // 2)
    return path.stat().st_size, count


def make_transcripts(
    out: Path,
    kind: str,
    size: int,
    *,
    sessions: int = 1,
    damage: float = 0.0,
    torn: bool = False,
    seed: int = 7,
) -> None:
    """Write transcripts of ``size`` bytes in all.

    One session: ``out`` is the file. More: ``out`` is a folder laid out as the agent's own. ``damage`` is the
    share of lines that get a lone surrogate escape in their first text block, as JavaScript writes when it
    cuts an emoji; ``torn`` cuts the last line in half, as when the writer is killed.
    """
    writer = Writer(seed, damage)
    for _ in range(sessions):
        session = writer.uuid()
        if sessions == 1:
            path = out
        elif kind == "claude":
            path = out / "projects" / "-home-u-proj" / f"{session}.jsonl"
        else:
            path = out / "sessions" / "--home-u-proj--" / f"2026-01-01T00-00-00-000Z_{session}.jsonl"
        write(path, MAKERS[kind](writer, session), size // sessions, writer, torn)
