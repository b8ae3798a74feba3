"""How is a session told as one Markdown document, and what would be masked in it?

The document is given in pieces, a message at a time, so that its length costs no memory. A body stands in a
fence that it cannot close; names and times stand in lines where no character acts (reliability.md 12, S13).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from agentbrief.history.guard import GUARDED, Guard, marks_in
from agentbrief.history.parts import Level, Part, Say, parts
from agentbrief.sessions.model import Message, ToolResult, Usage
from agentbrief.sessions.silent_reply import delivered

_NO_NAME = "–"
_PASSWORD_WORDS = frozenset({"password", "basic"})


@dataclass(frozen=True, slots=True)
class Telling:
    """How much is told, and in which words.

    ``silent_tokens`` are the words with which the agent says that nothing is to be delivered, none for agents
    without; such turns are marked, and folded too if ``folds_silent``.
    """

    level: Level
    say: Say
    guard: Guard = GUARDED
    silent_tokens: tuple[str, ...] = ()
    folds_silent: bool = False


@dataclass(frozen=True, slots=True)
class Preview:
    """What an export would hold: messages in all and shown, secrets by kind, whether names are shortened."""

    messages: int
    shown: int
    masked: tuple[tuple[str, int], ...]
    shortens: bool

    @property
    def groups(self) -> dict[str, int]:
        """How many ``tokens``, ``keys`` and ``passwords`` are masked."""
        found = {"tokens": 0, "keys": 0, "passwords": 0}
        for kind, count in self.masked:
            words = set(kind.split("-"))
            group = "passwords" if words & _PASSWORD_WORDS else "keys" if "key" in words else "tokens"
            found[group] += count
        return found


def exported(
    title: str,
    messages: Iterable[Message],
    telling: Telling,
    *,
    facts: Sequence[tuple[str, str]] = (),
    damaged_lines: int = 0,
) -> Iterator[str]:
    """The document in pieces. ``facts`` are labels in the reader's language and values from the session.

    It ends with what was left out: messages that the level does not tell, secrets, lines that could not be
    read.
    """
    say, guard = telling.say, telling.guard
    yield f"# {guard.line(title) or say('history.untitled')}\n\n"
    if facts:
        yield "".join(f"- {label}: {guard.line(value)}\n" for label, value in facts) + "\n"
    count = shown = masked = 0
    for message in messages:
        count += 1
        bodies = parts(message, telling.level)
        if bodies:
            shown += 1
            piece = _message(message, bodies, telling)
            if marks := marks_in(piece):
                masked += max(marks - sum(marks_in(part.body) for part in bodies), 0)
            yield piece
    closing = [say("history.end", count=count)]
    if shown < count:
        closing.append(say("history.shown", shown=shown, count=count))
    if not guard.redacts:
        closing.append(say("history.unredacted"))
    elif masked:
        closing.append(say("history.masked", count=masked))
    if damaged_lines:
        closing.append(say("history.damaged", count=damaged_lines))
    yield "\n\n".join(closing) + "\n"


def told(message: Message, telling: Telling) -> str:
    """One message as Markdown, empty if the level tells nothing of it."""
    bodies = parts(message, telling.level)
    return _message(message, bodies, telling) if bodies else ""


def preview(messages: Iterable[Message], telling: Telling) -> Preview:
    """What an export would mask and shorten."""
    kinds: Counter[str] = Counter()
    count = shown = 0
    shortens = False
    for message in messages:
        count += 1
        bodies = parts(message, telling.level)
        shown += bool(bodies)
        for part in bodies:
            kinds.update(telling.guard.secrets_of(part.body))
            shortens = shortens or telling.guard.shortens(part.body)
    return Preview(count, shown, tuple(sorted(kinds.items())), shortens)


def file_name(session_id: str, guard: Guard) -> str:
    """The name of an export: one that shows secrets says so itself."""
    return f"{session_id}.md" if guard.redacts else f"{session_id}.unredacted.md"


def _message(message: Message, bodies: tuple[Part, ...], telling: Telling) -> str:
    say, guard = telling.say, telling.guard
    words = [say(f"history.{_speaker(message)}")]
    if message.time:
        words.append(guard.time(message.time))
    is_silent = _is_silent(message, telling.silent_tokens)
    if is_silent:
        words.append(say("history.silent"))
    pieces = [f"## {' · '.join(words)}\n"]
    folds = is_silent and telling.folds_silent
    pieces += [_part(part, telling, folds) for part in bodies]
    if telling.level == "everything" and message.usage and message.usage.total:
        pieces.append(_usage(message.usage, say))
    return "\n".join(pieces) + "\n"


def _speaker(message: Message) -> str:
    """Whose message it is: some agents put the results of tools into messages of the user."""
    if message.blocks and all(isinstance(block, ToolResult) for block in message.blocks):
        return "tool"
    return message.role


def _is_silent(message: Message, tokens: tuple[str, ...]) -> bool:
    text = message.text if message.role == "assistant" else ""
    return bool(text) and any(not delivered(text, token) for token in tokens)


def _part(part: Part, telling: Telling, folds: bool) -> str:
    say, guard = telling.say, telling.guard
    block = guard.block(part.body)
    if part.folds or folds:
        label = say(part.label or "history.silent", name=guard.html(part.name) or _NO_NAME)
        return f"<details>\n<summary>{label}</summary>\n\n{block}\n</details>\n"
    if not part.label:
        return block
    return f"**{say(part.label, name=guard.line(part.name) or _NO_NAME)}**\n\n{block}"


def _usage(usage: Usage, say: Say) -> str:
    sentence = say(
        "history.usage",
        input=usage.input,
        output=usage.output,
        written=usage.cache_creation_input,
        read=usage.cache_read_input,
    )
    return f"{sentence}\n"
