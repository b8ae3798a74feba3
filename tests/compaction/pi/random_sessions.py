"""Transcripts of pi as nobody writes them: branches, old compactions, odd lines, calls in any order."""

from __future__ import annotations

import json
import os
import random
from dataclasses import dataclass, field
from typing import Any

from hypothesis import strategies as st

EXAMPLES = int(os.environ.get("AGENTBRIEF_SESSIONS", "90"))
"""How many sessions each property is tried on."""

KINDS = (
    "user", "user", "reply", "reply", "calls", "calls", "result", "result", "result", "orphan result",
    "bash", "custom_message", "custom", "label", "model_change", "session_info", "branch_summary",
    "compaction", "go back", "bad line", "blank line", "unknown", "system",
)  # fmt: skip
SPICE = (
    '"big":123456789012345678901234567890',
    '"odd":1e400',
    '"a":1,"a":2',
    '"text":"\\u2028\\ud83d"',
    '"minus":-0',
)

Event = tuple[str, int, int]


@dataclass
class Written:
    """A transcript that is being written, line by line."""

    lines: list[str] = field(default_factory=list)
    ids: list[str] = field(default_factory=list)
    parents: dict[str, str | None] = field(default_factory=dict)
    calls: list[str] = field(default_factory=list)
    leaf: str | None = None

    def add(self, kind: str, fields: dict[str, Any], spice: str = "") -> None:
        identifier = f"{len(self.ids):08x}"
        entry = {
            "type": kind,
            "id": identifier,
            "parentId": self.leaf,
            "timestamp": f"2026-03-05T10:{len(self.ids) // 60 % 60:02}:{len(self.ids) % 60:02}.000Z",
            **fields,
        }
        line = json.dumps(entry, ensure_ascii=False, separators=(",", ":"))
        self.lines.append(line[:-1] + (f",{spice}" if spice else "") + "}")
        self.parents[identifier] = self.leaf
        self.ids.append(identifier)
        self.leaf = identifier

    def message(self, role: str, spice: str = "", **fields: Any) -> None:
        self.add("message", {"message": {"role": role, **fields}}, spice)


def words(number: int) -> str:
    return ("wort 规则 🚀 " * (number % 40 + 1))[: number % 300 + 1]


def write(written: Written, event: Event) -> None:
    kind, number, other = event
    spice = SPICE[other % len(SPICE)] if other % 3 == 0 else ""
    text = words(number)
    match kind:
        case "user":
            content: Any = text if other % 2 else [{"type": "text", "text": text}]
            written.message("user", spice, content=content, timestamp=number)
        case "reply":
            usage = {"input": number, "output": 1, "totalTokens": number * 3}
            reason = ("stop", "stop", "aborted", "error")[other % 4]
            blocks: list[Any] = [{"type": "thinking", "thinking": text}, {"type": "text", "text": text}]
            written.message("assistant", spice, content=blocks, usage=usage, stopReason=reason)
        case "calls":
            names = [f"c{(number + index) % 7}" for index in range(other % 3 + 1)]
            written.calls += names
            blocks = [
                {"type": "toolCall", "id": name, "name": ("read", "edit", "bash")[index % 3],
                 "arguments": {"path": f"src/{name}.ts", "text": text}}
                for index, name in enumerate(names)
            ]  # fmt: skip
            written.message("assistant", spice, content=blocks, stopReason="toolUse")
        case "result" if written.calls:
            name = written.calls[number % len(written.calls)]
            written.message("toolResult", toolCallId=name, toolName="t", content=text, isError=other % 5 == 0)
        case "orphan result":
            written.message("toolResult", toolCallId=f"nobody{number % 3}", toolName="t", content=[])
        case "bash":
            written.message("bashExecution", command="ls", output=text, excludeFromContext=other % 2 == 0)
        case "system":
            written.message("system", content=text)
        case "custom_message":
            written.add("custom_message", {"customType": "n", "content": text, "display": True}, spice)
        case "label" if written.ids:
            written.add("label", {"targetId": written.ids[number % len(written.ids)], "label": "L"})
        case "compaction" if written.ids:
            wanted = written.ids[number % len(written.ids)] if other % 4 else "missing"
            fields = {"summary": f"earlier: {text}", "firstKeptEntryId": wanted, "tokensBefore": number}
            written.add("compaction", fields, spice)
        case "branch_summary":
            written.add("branch_summary", {"fromId": "root", "summary": text if other % 3 else ""})
        case "go back" if written.ids:
            written.leaf = written.ids[number % len(written.ids)]
        case "bad line":
            written.lines.append('{"type":"message","id":')
        case "blank line":
            written.lines.append("  ")
        case "model_change":
            written.add("model_change", {"provider": "p", "modelId": f"m{number}"})
        case "session_info":
            written.add("session_info", {"name": text[:5]})
        case "custom" | "unknown":
            written.add(kind, {"data": number}, spice)
        case _:
            pass


def transcript_bytes(events: list[Event], line_end: str, has_last_end: bool) -> bytes:
    written = Written()
    header = {
        "type": "session",
        "version": 3,
        "id": "s-1",
        "timestamp": "2026-03-05T09:00:00.000Z",
        "cwd": "/w",
    }
    written.lines.append(json.dumps(header))
    for event in events:
        write(written, event)
    text = line_end.join(written.lines)
    return (text + (line_end if has_last_end else "")).encode("utf-8", "surrogatepass")


def long_session(seed: int) -> list[Event]:
    """Up to 80 events; a list that hypothesis makes is mostly short."""
    chosen = random.Random(seed)
    return [
        (chosen.choice(KINDS), chosen.randint(0, 400), chosen.randint(0, 60))
        for _ in range(chosen.randint(5, 80))
    ]


EVENTS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 400), st.integers(0, 60)), max_size=30)
TRANSCRIPTS = st.builds(
    transcript_bytes,
    EVENTS | st.builds(long_session, st.integers(0, 1 << 32)),
    st.sampled_from(["\n", "\n", "\r\n"]),
    st.booleans(),
)
KEEP_TOKENS = st.sampled_from([0, 1, 10, 50, 200, 100_000])
