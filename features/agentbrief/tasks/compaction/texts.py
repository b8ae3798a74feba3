"""What would the next run of a session read, as a text that can be compared with another one?

The same message is told in the same words, so that a comparison shows what goes, what comes and what stays.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

from agentbrief.history.export import told
from agentbrief.redact import fence
from agentbrief.report.messages_text import first_words
from agentbrief.tasks.compaction.shown import seen_messages
from agentbrief.tasks.sessions.history import MOST_SHOWN_CHARS, TellingOptions
from agentbrief.tasks.sessions.read import SessionFile

Side = Literal["now", "after"]


def side_text(file: SessionFile, now: bytes, after: bytes, side: Side, options: TellingOptions) -> str:
    """One side of a comparison of two states of ``file``, as Markdown.

    Both have the same headings for what goes, what comes and what stays; a message that goes or comes is told
    in one line, a summary whole. So an editor finds no text that was changed: to compare a long history with
    its summary letter by letter takes it seconds, and lines that say nothing would be paired with each other.
    """
    both = {"now": _tellings(file, now, options), "after": _tellings(file, after, options)}
    first = _same(both["now"], both["after"])
    rest = {name: found[first:] for name, found in both.items()}
    last = _same(rest["now"][::-1], rest["after"][::-1])
    mine = rest[side]
    changed = [each.line for each in mine[: len(mine) - last]]
    goes, comes = (changed, []) if side == "now" else ([], changed)
    before, stays = both[side][:first], mine[len(mine) - last :]
    parts = [*(each.whole for each in before), _heading("goes", options), *goes]
    parts += [_heading("comes", options), *comes, _heading("stays", options), *(each.whole for each in stays)]
    return "\n".join(parts)


class _Telling(NamedTuple):
    """A message as Markdown, and in one line; of a message of the system both are whole."""

    whole: str
    line: str


def _same(one: list[_Telling], other: list[_Telling]) -> int:
    """How many of the first messages are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((place for place, (left, right) in pairs if left != right), min(len(one), len(other)))


def _as_code(words: str) -> str:
    """``words`` in which nothing is Markdown."""
    return f"{fence(words)} {words} {fence(words)}" if "`" in words else f"`{words}`"


def _heading(name: str, options: TellingOptions) -> str:
    return f"# {options.say(f'compare.{name}')}\n"


def _tellings(file: SessionFile, data: bytes, options: TellingOptions) -> list[_Telling]:
    """The messages in ``data``, a state of ``file``: the newest, as many as an editor shows.

    Those of the system are told too: a summary is one.
    """
    telling = options.telling(file)
    whole = replace(telling, level="everything")
    found: list[_Telling] = []
    left = MOST_SHOWN_CHARS
    messages = seen_messages(file, data)
    for place in range(len(messages) - 1, -1, -1):
        message = messages[place]
        is_whole = message.role == "system"
        text = told(message, whole if is_whole else telling)
        left -= len(text)
        if left < 0:
            break
        speaker = text.split("\n", 1)[0].removeprefix("## ")
        line = f"- {speaker}: {_as_code(telling.guard.text(first_words(message)))}"
        found.append(_Telling(text, text if is_whole else line))
    hidden = options.say("compare.hidden", count=len(messages) - len(found)) + "\n"
    head = [_Telling(hidden, hidden)] if len(found) < len(messages) else []
    return [*head, *reversed(found)]
