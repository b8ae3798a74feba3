"""What a session is called."""

from __future__ import annotations

import time

import pytest

from agentbrief.sessions.titles import (
    MAX_TITLE_CHARS,
    TitleSources,
    first_prompts,
    is_greeting,
    one_line,
    title,
)

FULL = TitleSources("given", "made", "telling", "hi", "2026-09-01T10:00:00.000Z")


@pytest.mark.parametrize(
    ("sources", "wanted"),
    [
        (FULL, "given"),
        (TitleSources(None, "made", "telling", "hi", "2026-09-01"), "made"),
        (TitleSources(None, None, "fix the login redirect", "hi", "2026-09-01"), "fix the login redirect"),
        (TitleSources(None, None, "修复登录页重定向", "你好", "2026-09-01"), "修复登录页重定向"),
        (TitleSources(None, None, None, "hi", "2026-09-01"), "hi"),
        (TitleSources(None, None, None, "您好！", "2026-09-01"), "您好！"),
        (TitleSources(None, None, None, None, "2026-09-01T10:00:00.000Z"), "2026-09-01"),
        (TitleSources(), ""),
        (TitleSources("  ", "\n", "telling"), "telling"),
        (TitleSources(None, None, "two\n\tlines \u2028 here"), "two lines here"),
        (TitleSources(None, None, "x" * 200), "x" * 79 + "…"),
        (TitleSources(None, None, "字" * 80), "字" * 80),
    ],
    ids=[
        "a name the user gave",
        "a name the agent gave",
        "the first telling prompt",
        "the first telling prompt, zh",
        "only a greeting",
        "only a greeting, zh",
        "the day",
        "nothing",
        "blank names do not count",
        "one line",
        "too long",
        "just fits",
    ],
)
def test_title(sources: TitleSources, wanted: str) -> None:
    assert title(sources) == wanted
    assert len(title(sources)) <= MAX_TITLE_CHARS


GREETINGS = """hi|Hello!|hey 👋|thanks!!|Thank you.|Hi there|good morning|HI HI|  hello …
你好|您好！|嗨～|在吗？|谢谢|谢谢你！|你好啊
你好你好|您好，在吗|Hi, 你好|早上好|謝謝你！|哈囉|在嗎？|您好 👋"""
MORE = """|?!|hi, fix the login|hello world program in C|thanks, now the tests|high|this
你好，请修复登录|谢谢，再加一个测试|早期版本|在吗啡|喂养记录|嗨歌列表"""


@pytest.mark.parametrize("text", GREETINGS.replace("\n", "|").split("|"))
def test_a_greeting(text: str) -> None:
    assert is_greeting(text)


@pytest.mark.parametrize("text", MORE.replace("\n", "|").split("|"))
def test_more_than_a_greeting(text: str) -> None:
    assert not is_greeting(text)


def test_a_long_text_is_no_greeting_and_costs_nothing() -> None:
    start = time.process_time()
    assert not is_greeting("hi " * 20_000)
    assert not is_greeting("你好" * 39 + "x")
    assert time.process_time() - start < 5


def test_the_first_telling_prompt_stays() -> None:
    found: tuple[str | None, str | None] = (None, None)
    for text in ("hi", "你好", "fix it", "and that"):
        found = first_prompts(*found, text)
    assert found == ("hi", "fix it")


def test_one_line_keeps_what_fits() -> None:
    assert one_line("a" * 78 + " b c d") == "a" * 78 + "…"
