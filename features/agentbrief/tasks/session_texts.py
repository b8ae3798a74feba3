"""What would the next run of a session read, as a text that can be compared with another one?

The same message is told in the same words, so that a comparison shows what goes, what comes and what stays.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

from agentbrief.history.export import told
from agentbrief.tasks.compaction_shown import seen_messages
from agentbrief.tasks.sessions_history import MOST_SHOWN_CHARS, TellingOptions
from agentbrief.tasks.sessions_read import SessionFile

Side = Literal["now", "after"]


def side_text(file: SessionFile, now: bytes, after: bytes, side: Side, options: TellingOptions) -> str:
    """One side of a comparison of two states of ``file``, as Markdown.

    Both have the same headings for what goes, what comes and what stays, so that an editor finds no text that
    was changed: to compare a long history with its summary letter by letter takes it seconds.
    """
    texts = {"now": _texts(file, now, options), "after": _texts(file, after, options)}
    same_first = _same(texts["now"], texts["after"])
    ends = {name: found[same_first:] for name, found in texts.items()}
    same_last = _same(ends["now"][::-1], ends["after"][::-1])
    mine = ends[side][: len(ends[side]) - same_last]
    goes, comes = (mine, []) if side == "now" else ([], mine)
    parts = [*texts[side][:same_first], _heading("goes", options), *goes, _heading("comes", options), *comes]
    return "\n".join([*parts, _heading("stays", options), *ends[side][len(ends[side]) - same_last :]])


def _same(one: list[str], other: list[str]) -> int:
    """How many of the first texts are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))


def _heading(name: str, options: TellingOptions) -> str:
    return f"# {options.say(f'compare.{name}')}\n"


def _texts(file: SessionFile, data: bytes, options: TellingOptions) -> list[str]:
    """The messages in ``data``, a state of ``file``, as Markdown: the newest, as many as an editor shows.

    Those of the system are told too: a summary is one.
    """
    telling = options.telling(file)
    whole = replace(telling, level="everything")
    texts: list[str] = []
    left = MOST_SHOWN_CHARS
    messages = seen_messages(file, data)
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        text = told(message, whole if message.role == "system" else telling)
        left -= len(text)
        if left < 0:
            break
        texts.append(text)
    hidden = len(messages) - len(texts)
    head = [options.say("compare.hidden", count=hidden) + "\n"] if hidden else []
    return [*head, *reversed(texts)]
