"""What is a session called in a list?

A name the user gave, else one the agent gave, else the first typed prompt that is more than a greeting, else
the first typed prompt, else the day it began.

Source: agents.md 9 (Titles).
"""

from __future__ import annotations

import re
from typing import NamedTuple

from agentbrief.text.whitespace import trim

MAX_TITLE_CHARS = 80
_MOST_GREETING_CHARS = 80

_GREETINGS = (
    "hi|hii+|hey|hello|hallo|hola|hiya|howdy|yo|sup|greetings|"
    "good (?:morning|afternoon|evening|day|night)|morning|"
    "hi there|hey there|hello there|thanks|thank you|thank u|thx|thanks a lot|many thanks|ty|tysm|cheers|"
    "are you there|anyone there|you there|"
    "你好|您好|你们好|大家好|嗨|嘿|喂|哈喽|哈啰|哈罗|在吗|在么|在嘛|在不在|有人吗|早|早安|早上好|上午好|中午好|下午好|午安|晚上好|晚安|"
    "谢谢|谢谢你|谢谢您|多谢|谢了|感谢|非常感谢|辛苦了|"
    "你們好|哈囉|在嗎|有人嗎|謝謝|謝謝你|謝謝您|多謝|謝了|感謝|非常感謝|辛苦囉|安安"
)
_ADDRESSED = r"(?: (?:claude|codex|gpt|chatgpt|ai|all|everyone|team|friend|again|world))?"
_PARTICLES = "[啊呀呢哦噢喔哈吧啦哟唷吗嗎]*"
_SIGNS = re.compile(r"[\W_]+")
_GREETING = re.compile(rf"(?:(?:{_GREETINGS}){_ADDRESSED}{_PARTICLES} ?)+")


class TitleSources(NamedTuple):
    """What a title can be made of. ``given`` by the user, ``made`` by the agent;

    ``prompt`` is the first typed prompt, ``telling_prompt`` the first that is more than a greeting; ``date``
    an ISO date or time.
    """

    given: str | None = None
    made: str | None = None
    telling_prompt: str | None = None
    prompt: str | None = None
    date: str | None = None


def title(sources: TitleSources) -> str:
    """One line of at most :data:`MAX_TITLE_CHARS` code points; empty if there is nothing to go by."""
    for text in (sources.given, sources.made, sources.telling_prompt, sources.prompt):
        if text is not None and (line := one_line(text)):
            return line
    return (sources.date or "")[:10]


def one_line(text: str) -> str:
    """``text`` as one line: runs of white space are one blank, and what is too long ends in an ellipsis."""
    line = trim(" ".join(text.split()))
    return line if len(line) <= MAX_TITLE_CHARS else line[: MAX_TITLE_CHARS - 1].rstrip() + "…"


def is_greeting(text: str) -> bool:
    """Whether ``text`` says hello or thanks and nothing else, signs and pictures left aside."""
    if len(text) > _MOST_GREETING_CHARS:
        return False
    words = _SIGNS.sub(" ", text.casefold()).strip(" ")
    return words != "" and _GREETING.fullmatch(words) is not None


def first_prompts(prompt: str | None, telling: str | None, text: str) -> tuple[str | None, str | None]:
    """The pair of first prompts once ``text`` was typed too."""
    if prompt is None:
        prompt = text
    if telling is None and not is_greeting(text) and trim(text):
        telling = text
    return prompt, telling
