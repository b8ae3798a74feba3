"""Random conversations and the files that hold them, from a seed or from hypothesis."""

from __future__ import annotations

import json
import random
from typing import Any

from hypothesis import strategies as st

from agentbrief.sessions.claw.messages import message_of
from agentbrief.sessions.claw.text import json_text
from agentbrief.sessions.model import Message

WORDS = (
    "fix", "src/a.ts", "`docs/b.md`,", "todo", "Next", "follow\nup", "remaining", "漢字", "🚀", "</summary>",
    "<analysis>x</analysis>", "- Key timeline:", "- Newly compacted context:", "\n\n", "\u2028", "a/b/c.JSON",
    "Recent messages are preserved verbatim.", "Summary:", "  - item", "x" * 170, "sk-ant-abc123", "\r\n",
    "… (3 messages not listed)", "- Scope: 2 earlier messages compacted (user=1, assistant=1, tool=0).",
)  # fmt: skip


def words(chance: random.Random, known: tuple[str, ...] = WORDS) -> str:
    return " ".join(chance.choice(known) for _ in range(chance.randrange(6)))


def conversation(chance: random.Random, length: int, known: tuple[str, ...] = WORDS) -> list[dict[str, Any]]:
    """Messages with calls and results: near and far, parallel, orphaned, unanswered, with ids used twice."""
    messages: list[dict[str, Any]] = []
    waiting: list[tuple[str, str]] = []
    while len(messages) < length:
        kind = chance.random()
        if waiting and kind < 0.35:
            blocks = []
            if chance.random() < 0.2:
                blocks.append({"type": "text", "text": words(chance, known)})
            for _ in range(chance.randrange(1, 3)):
                if waiting:
                    call, name = waiting.pop(chance.randrange(len(waiting)))
                    blocks.append(result(chance, call, name, known))
            messages.append({"role": chance.choice(["tool", "tool", "user"]), "blocks": blocks})
        elif kind < 0.6:
            blocks = [{"type": "text", "text": words(chance, known)}] if chance.random() < 0.7 else []
            for _ in range(chance.randrange(3)):
                call, name = (
                    f"c{chance.randrange(6)}",
                    chance.choice(["ls", "read file", "x\n- Key timeline:"]),
                )
                blocks.append({"type": "tool_use", "id": call, "name": name, "input": words(chance, known)})
                if chance.random() < 0.8:
                    waiting.append((call, name))
            if chance.random() < 0.2:
                blocks.append({"type": "thinking", "thinking": words(chance, known), "signature": "s"})
            messages.append({"role": "assistant", "blocks": blocks})
        elif kind < 0.65:
            messages.append(
                {"role": "tool", "blocks": [result(chance, f"o{chance.randrange(3)}", "ls", known)]}
            )
        else:
            role = chance.choice(["user", "user", "assistant", "system"])
            count = chance.randrange(3)
            messages.append(
                {
                    "role": role,
                    "blocks": [{"type": "text", "text": words(chance, known)} for _ in range(count)],
                }
            )
        if chance.random() < 0.2:
            messages[-1]["usage"] = {
                "input_tokens": 1, "output_tokens": 2, "cache_creation_input_tokens": 3,
                "cache_read_input_tokens": chance.choice([0, 2**32 - 1]),
            }  # fmt: skip
    return messages


def result(chance: random.Random, call: str, name: str, known: tuple[str, ...]) -> dict[str, Any]:
    return {
        "type": "tool_result",
        "tool_use_id": call,
        "tool_name": name,
        "output": words(chance, known),
        "is_error": chance.random() < 0.2,
    }


def messages_of(values: list[dict[str, Any]]) -> tuple[Message, ...]:
    return tuple(map(message_of, values))


EXTRAS = (
    '"note":[1.50,1e400,-0]',
    '"n":123456789012345678901234567890123456789012',
    '"k":1,"k":{"x":"\\u2028"}',
    '"s":"\\ud83d\\ude00"',
)
ENDS = ("\n", "\n", "\r\n", "\n\n", "  \n", "\n \r\n")


def jsonl_file(chance: random.Random, values: list[dict[str, Any]], *, odd: bool = True) -> bytes:
    """A session in JSONL. ``odd``: lines are spelled as no JSON library would write them."""
    meta = '{"type":"session_meta","version":1,"session_id":"s","updated_at_ms":9,"created_at_ms":5%s}'
    lines = [meta % (f",{chance.choice(EXTRAS)}" if odd and chance.random() < 0.6 else "")]
    for value in values:
        text = json.dumps(value, ensure_ascii=chance.random() < 0.5)
        extra = f",{chance.choice(EXTRAS)}" if odd and chance.random() < 0.3 else ""
        lines.append(f'{{"type":"message", "message":{text}{extra}}}')
        if odd and chance.random() < 0.1:
            lines.append('{"type":"prompt_history","timestamp_ms":5,"text":"x","kept":1.0}')
        elif odd and not extra and chance.random() < 0.02:
            lines[-1] = lines[-1][:-1] + ",}"
    text = "".join(line + (chance.choice(ENDS) if odd else "\n") for line in lines)
    mark = "\ufeff" if odd and chance.random() < 0.05 else ""
    if odd and chance.random() < 0.3:
        text = text.rstrip("\r\n ")
    return (mark + text).encode("utf-8")


def json_file(chance: random.Random, values: list[dict[str, Any]]) -> bytes:
    """A session in JSON form as it is written."""
    top: dict[str, Any] = {"version": 1, "messages": values, "session_id": "s", "zzz": {"k": [1, None]}}
    if chance.random() < 0.5:
        top["updated_at_ms"] = 3
    return json_text(top).encode("utf-8")


def port_file(chance: random.Random, values: list[dict[str, Any]]) -> bytes:
    """A session of the workspace's own, also with values that are no messages, and spelled oddly."""
    messages: list[Any] = [
        value if chance.random() < 0.7 else chance.choice(["plain words", {"odd": 1}, 7]) for value in values
    ]
    top: dict[str, Any] = {
        "session_id": "s",
        "messages": messages,
        "input_tokens": 10**30,
        "output_tokens": 2,
        "kept": [1, None],
    }
    style: dict[str, Any] = chance.choice([{"indent": 2}, {"indent": 2}, {}, {"separators": (",", ":")}])
    text = json.dumps(top, ensure_ascii=chance.random() < 0.5, **style)
    return text.replace('"kept"', '"big": 1e400, "kept"').encode("utf-8")


SEEDS = st.integers(0, 2**32)
