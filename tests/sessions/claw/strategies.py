"""Sessions of claw-code, and lines that a JSON library would not write back as they were."""

from __future__ import annotations

from hypothesis import strategies as st

from agentbrief.sessions.formats.claw_records import Compaction, Fork, PromptEntry
from agentbrief.sessions.formats.claw_session import ClawSession
from agentbrief.sessions.model import Message, Text, Thinking, ToolResult, ToolUse, Usage

UINT32 = st.integers(0, 2**32 - 1)
TIMES = st.integers(0, 2**63 - 1)
TEXTS = st.text(st.characters(codec="utf-8"), max_size=30)
NAMES = st.sampled_from(["note", "zzz", "é", "x-y", "deep"])

JSON_VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**70), 2**70) | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
    max_leaves=8,
)


@st.composite
def tool_uses(draw: st.DrawFn) -> ToolUse:
    stored = draw(TEXTS.map(lambda text: f"not JSON: {text}"))
    return ToolUse(draw(TEXTS), draw(TEXTS), stored, stored)


BLOCKS = st.one_of(
    TEXTS.map(Text),
    st.builds(Thinking, TEXTS, st.none() | TEXTS),
    tool_uses(),
    st.builds(ToolResult, TEXTS, TEXTS, TEXTS, st.booleans()),
)
MESSAGES = st.builds(
    Message,
    st.sampled_from(["system", "user", "assistant", "tool"]),
    st.lists(BLOCKS, max_size=3).map(tuple),
    usage=st.none() | st.builds(Usage, UINT32, UINT32, UINT32, UINT32),
    extra=st.dictionaries(NAMES, JSON_VALUES, max_size=2),
)
SESSIONS = st.builds(
    ClawSession,
    st.sampled_from(["json", "jsonl"]),
    TEXTS,
    TIMES,
    TIMES,
    messages=st.lists(MESSAGES, max_size=4).map(tuple),
    compaction=st.none()
    | st.builds(Compaction, UINT32, TIMES, TEXTS, st.dictionaries(NAMES, JSON_VALUES, max_size=1)),
    fork=st.none()
    | st.builds(Fork, TEXTS, st.none() | TEXTS, st.dictionaries(NAMES, JSON_VALUES, max_size=1)),
    workspace_root=st.none() | TEXTS,
    model=st.none() | TEXTS,
    prompt_history=st.lists(st.builds(PromptEntry, TIMES, TEXTS), max_size=2).map(tuple),
    extra=st.dictionaries(NAMES, JSON_VALUES, max_size=2),
)

META = '{"type":"session_meta","version":1,"session_id":"session-5-0","updated_at_ms":9,"note":[1.50,1e400]}'
KEPT_LINES = (
    '{"type":"message","message":{"role":"user","blocks":[{"type":"text","text":"a\\u2028b"}]}}',
    '{ "type" : "message", "message":{"blocks":[],"role":"user"} , "n":-0, "n":0.10 }',
    '{"message":{"role":"user","role":"assistant","blocks":[]},"type":"message"}',
    '{"type":"message","message":{"role":"tool","blocks":[]},"long":' + "9" * 40 + "}",
    '{"type":"message","message":{"role":"user","blocks":[]},"huge":1e400,"odd":5E+3}',
    '  {"message":{"role":"user","blocks":[{"type":"text","text":"\\ud83d\\ude00\u2028"}]},"type":"message"}',
    '{"type":"message","message":{"role":"user","blocks":[],},}',
    '{"type":"prompt_history","timestamp_ms":5,"text":"x","kept":1.0}',
    '{"type":"prompt_history","text":"no time"}',
)


@st.composite
def session_files(draw: st.DrawFn) -> tuple[bytes, list[bytes]]:
    """A JSONL file, and its lines with their ends as they stand in it; the last one may have none."""
    texts = draw(st.lists(st.sampled_from(KEPT_LINES), max_size=6))
    position = draw(st.integers(0, len(texts)))
    texts.insert(position, META)
    lines = []
    for text in texts:
        end = draw(st.sampled_from(["\n", "\r\n", "\n\n", "\n \r\n"]))
        lines.append(text + end)
    if draw(st.booleans()):
        lines[-1] = lines[-1].rstrip("\r\n ")
    encoded = [line.encode("utf-8") for line in lines]
    return b"".join(encoded), encoded
