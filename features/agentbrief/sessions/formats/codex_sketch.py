"""How is a Codex rollout sketched for a list, and which names did the user give?"""

from __future__ import annotations

from collections.abc import Iterator

from agentbrief.sessions.formats.codex_records import (
    EVENT,
    META,
    TURN,
    Value,
    cwd_of,
    part_of,
    text_at,
    typed_prompt,
)
from agentbrief.sessions.formats.codex_transcript import Origin, origin_of
from agentbrief.sessions.formats.codex_usage import token_count_of
from agentbrief.sessions.sketch import Lines, Sketch, value_of
from agentbrief.sessions.titles import first_prompts


class CodexSketcher:
    """Sketches rollouts of Codex."""

    def sketch(self, head: Lines, tail: Lines) -> Sketch:
        """See :class:`~agentbrief.sessions.sketch.Sketcher`."""
        parts = [part_of(value) for value in head.values()]
        metas = [part for part in parts if part.type == META]
        origin = origin_of(metas[0].payload) if metas else Origin()
        prompt = telling = None
        for part in parts:
            if (text := typed_prompt(part)) is not None:
                prompt, telling = first_prompts(prompt, telling, text)
        last = (
            tail.last(b'"timestamp"', lambda value: text_at(value, "timestamp") is not None, value_of) or {}
        )
        turn = tail.last(b'"turn_context"', lambda value: part_of(value).type == TURN, value_of)
        turns = [part.payload for part in parts if part.type == TURN]
        model = part_of(turn).payload if turn else turns[-1] if turns else {}
        counted = tail.last(b'"token_count"', _states_tokens, value_of)
        count = token_count_of(0, None, part_of(counted).payload) if counted else None
        return Sketch(
            session_id=origin.session_id,
            cwd=origin.cwd or next((cwd for part in parts if (cwd := cwd_of(part))), None),
            version=origin.version,
            model=text_at(model, "model"),
            branch=origin.branch,
            first_time=next((part.time for part in parts if part.time), None),
            last_time=text_at(last, "timestamp"),
            prompt=prompt,
            telling_prompt=telling,
            parent_id=origin.parent_id,
            is_subagent=origin.is_subagent,
            used_tokens=count.last_total if count else None,
            window_tokens=count.window if count else None,
        )

    def prompts_in(self, lines: Lines) -> Iterator[str]:
        """See :class:`~agentbrief.sessions.sketch.Sketcher`."""
        for line in lines.beginning_with(b'"user'):
            value = value_of(line)
            text = typed_prompt(part_of(value)) if value is not None else None
            if text is not None:
                yield text


def names_of(lines: Lines) -> dict[str, str]:
    """The names of sessions by their identifiers, from the lines of ``session_index.jsonl``.

    The last line of a session counts; an empty name takes the name back.
    """
    found: dict[str, str] = {}
    for value in lines.values():
        identifier = text_at(value, "id")
        if identifier is not None:
            name = text_at(value, "thread_name")
            found.pop(identifier, None)
            if name is not None:
                found[identifier] = name
    return found


def _states_tokens(value: Value) -> bool:
    part = part_of(value)
    return part.type == EVENT and isinstance(part.payload.get("info"), dict)
