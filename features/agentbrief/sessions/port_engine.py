"""What would claw-code's Python engine do with the next prompt: take it, refuse it, drop messages?

A reference, never the product's own behaviour: it serves the hint "the next turn will be refused". The engine
counts words, and its numbers come from the profile. Source: claw.md 7.5; ultraworkers/claw-code
src/query_engine.py, src/models.py@08106b0c.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from agentbrief import jsonio
from agentbrief.jsonio import JsonValue

StopReason = Literal["completed", "max_turns_reached", "max_budget_reached"]


@dataclass(frozen=True, slots=True)
class EngineConfig:
    """The engine's settings: turns after which it refuses, words it may use, messages it keeps."""

    max_turns: int
    max_budget_tokens: int
    compact_after_turns: int
    structured_output: bool = False


class WordUsage(NamedTuple):
    """Words counted as tokens, of all prompts and all outputs."""

    input: int
    output: int


NOTHING_USED = WordUsage(0, 0)


class Denial(NamedTuple):
    """A tool that was not allowed in a turn."""

    tool: str
    reason: str


@dataclass(frozen=True, slots=True)
class EngineState:
    """What a session holds before a prompt: its messages, the engine's transcript, the words used."""

    session_id: str
    messages: tuple[JsonValue, ...] = field(default=(), hash=False)
    transcript: tuple[JsonValue, ...] = field(default=(), hash=False)
    usage: WordUsage = NOTHING_USED


@dataclass(frozen=True, slots=True)
class Turn:
    """What one prompt led to, and what the session holds after it."""

    stop_reason: StopReason
    output: str
    state: EngineState


def usage_after(usage: WordUsage, prompt: str, output: str) -> WordUsage:
    """``usage`` and one turn more, in words.

    Python's own ``split``, because the engine is a Python program and counts with it.
    """
    return WordUsage(usage.input + len(prompt.split()), usage.output + len(output.split()))


def resumed(
    session_id: str, messages: Sequence[JsonValue], input_words: int, output_words: int
) -> EngineState:
    """The state of a stored session that is taken up again: its messages are the transcript too."""
    return EngineState(session_id, tuple(messages), tuple(messages), WordUsage(input_words, output_words))


def simulate(
    config: EngineConfig, stored: EngineState, prompts: Iterable[str], denials: Sequence[Denial] = ()
) -> tuple[Turn, ...]:
    """What each of ``prompts`` would lead to, one after another; ``denials`` are those of every turn."""
    found: list[Turn] = []
    state = stored
    for prompt in prompts:
        turn = _turn(config, state, prompt, denials)
        found.append(turn)
        state = turn.state
    return tuple(found)


def _turn(config: EngineConfig, state: EngineState, prompt: str, denials: Sequence[Denial]) -> Turn:
    if len(state.messages) >= config.max_turns:
        return Turn("max_turns_reached", f"Max turns reached before processing prompt: {prompt}", state)
    output = _output(config, state.session_id, prompt, denials)
    usage = usage_after(state.usage, prompt, output)
    over = usage.input + usage.output > config.max_budget_tokens
    after = EngineState(
        state.session_id,
        _last((*state.messages, prompt), config.compact_after_turns),
        _last((*state.transcript, prompt), config.compact_after_turns),
        usage,
    )
    return Turn("max_budget_reached" if over else "completed", output, after)


def _last(entries: tuple[JsonValue, ...], kept: int) -> tuple[JsonValue, ...]:
    """The last ``kept`` entries; with 0 all of them, as a slice from minus 0 does."""
    return entries[-kept:] if len(entries) > kept else entries


def _output(config: EngineConfig, session_id: str, prompt: str, denials: Sequence[Denial]) -> str:
    lines = [
        f"Prompt: {prompt}",
        "Matched commands: none",
        "Matched tools: none",
        f"Permission denials: {len(denials)}",
        *(f"Permission denial: {one.tool} status=blocked reason={one.reason}" for one in denials),
    ]
    if not config.structured_output:
        return "\n".join(lines)
    return jsonio.dumps_pretty({"summary": [*lines], "session_id": session_id}, ascii_only=True)
