"""What does ``/queue`` in a message ask for, and what is left of the message?

Source: openclaw.md 14; openclaw/openclaw ``src/auto-reply/reply/queue/directive.ts``.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import floor

from agentbrief.compaction.openclaw.queue_settings import DropPolicy, QueueMode, drop_policy, queue_mode
from agentbrief.sessions.setting_amounts import duration_ms
from agentbrief.text import utf16

_BLANK = f"[{utf16.JS_WHITE_SPACE}]"
_DIRECTIVE = re.compile(rf"(?:\A|(?<={_BLANK}))/queue(?=\Z|{_BLANK}|:)", re.IGNORECASE)
_COLON = re.compile(rf"{_BLANK}*:?{_BLANK}*")
_WORD = re.compile(rf"([^{utf16.JS_WHITE_SPACE}]+){_BLANK}*")
_OPTION = re.compile(r"(debounce|cap|drop)[:=]([^:=]*)", re.IGNORECASE)
_NUMBER = re.compile(r"[0-9]+(?:\.[0-9]*)?|\.[0-9]+")
_RESET = ("default", "reset", "clear")


@dataclass(frozen=True, slots=True)
class QueueDirective:
    """``cleaned`` is the message without the directive; the raw texts are as they were written.

    ``cap`` is at least 1 and ``debounce_ms`` at least 0; an option that is not understood has only its raw
    text.
    """

    cleaned: str
    present: bool = False
    reset: bool = False
    mode: QueueMode | None = None
    raw_mode: str | None = None
    debounce_ms: int | None = None
    cap: int | None = None
    drop: DropPolicy | None = None
    raw_debounce: str | None = None
    raw_cap: str | None = None
    raw_drop: str | None = None

    @property
    def has_options(self) -> bool:
        """Whether one of the three options was written."""
        return not (self.raw_debounce is None and self.raw_cap is None and self.raw_drop is None)


def queue_directive(message: str) -> QueueDirective:
    """The first ``/queue`` of ``message``. The first word that it does not know ends it."""
    found = _DIRECTIVE.search(message)
    if found is None:
        return QueueDirective(utf16.trim(message))
    mode: QueueMode | None = None
    raw_mode: str | None = None
    raw: dict[str, str] = {}
    reset = False
    start = _COLON.match(message, found.end())
    position = consumed = start.end() if start else found.end()
    while word := _WORD.match(message, position):
        position = word.end()
        if word[1].lower() in _RESET:
            reset, consumed = True, position
            break
        if option := _OPTION.match(word[1]):
            raw[option[1].lower()] = option[2]
        elif (named := queue_mode(word[1])) is not None:
            mode, raw_mode = named, word[1]
        else:
            break
        consumed = position
    rest = f"{message[: found.start()]} {message[consumed:]}"
    return QueueDirective(
        utf16.trim(utf16.WHITE_SPACE_RUN.sub(" ", rest)),
        True,
        reset,
        mode,
        raw_mode,
        duration_ms(raw["debounce"]) if "debounce" in raw else None,
        _cap(raw["cap"]) if "cap" in raw else None,
        drop_policy(raw.get("drop")),
        raw.get("debounce"),
        raw.get("cap"),
        raw.get("drop"),
    )


def _cap(text: str) -> int | None:
    found = utf16.trim(text)
    return floor(float(found)) or None if _NUMBER.fullmatch(found) else None
