"""Every sentence a user reads exists in three languages with the same placeholders."""

from __future__ import annotations

import ast
import re
from string import Formatter

import pytest

from agentbrief.messages import LOCALES, locale_of, say
from agentbrief.messages.catalogue import Sentence, sentences
from tests.house.sources import FEATURES, SERVER, sources

KEPT = [
    "null",
    "pip",
    "install",
    "error",
    "warning",
    "information",
    "hint",
    "off",
    "verbose",
    "auto",
    "agent",
    "agentbrief",
    "Agent",
    "Brief",
    "token",
    "tokens",
    "CLAUDE",
    "AGENTS",
    "SOUL",
    "MEMORY",
    "md",
    "Markdown",
    "Claw",
    "claw-code",
    "Claude",
    "Code",
    "Codex",
    "OpenClaw",
    "pi",
    "JSON",
    "JSONL",
    "UTF-8",
    "UTF-16",
    "BOM",
    "MiB",
    "KiB",
    "GiB",
    "HTML",
    "MCP",
    "SQLite",
    "API",
    "LSP",
    "VS",
    "Python",
    "git",
    "NO_REPLY",
    "HEARTBEAT_OK",
    "contextTokens",
    "PATH",
    "DIR",
    "FILE",
    "ID",
    "id",
    "pid",
    "Git",
    "URI",
    "cron",
    "Neovim",
    "Emacs",
    "ASCII",
    "SHA-256",
    "Problems",
    "CLI",
    "Unicode",
    "PORT",
    "HOST",
    "UUID",
    "ISO",
    "OK",
    "CSI",
    "OSC",
    "ANSI",
    "ALE",
    "eglot",
    "Kate",
    "Vim",
    "Helix",
    "Zed",
    "Session",
    "Startup",
    "Red",
    "Lines",
    "Restricted",
    "Mode",
    "Gateway",
    "WebSocket",
    "TCP",
    *("Anthropic", "OpenAI", "OpenRouter", "GitHub", "GitLab", "Slack", "Google", "OAuth", "Stripe", "npm"),
    *("PyPI", "Hugging", "Face", "Supabase", "SendGrid", "Twilio", "Web", "Token", "AWS", "Telegram"),
    *("Discord", "Azure", "Bearer"),
]
ENGLISH_KEPT = re.compile(r"\{\w+\}|`[^`]*`|U\+[0-9A-F]+|\b(?:" + "|".join(map(re.escape, KEPT)) + r")\b")


def texts(sentence: Sentence) -> list[str]:
    return (
        [sentence] if isinstance(sentence, str) else [text for key, text in sentence.items() if key != "by"]
    )


def placeholders(sentence: Sentence) -> set[str]:
    return {name for text in texts(sentence) for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("locale", LOCALES)
def test_same_messages_with_the_same_placeholders(locale: str) -> None:
    english, other = sentences("en"), sentences(locale)
    assert set(other) == set(english)
    different = {key for key in english if placeholders(english[key]) != placeholders(other[key])}
    assert different == set()


@pytest.mark.parametrize("locale", ["zh-cn", "zh-tw"])
def test_chinese_is_chinese(locale: str) -> None:
    half_width = re.compile(r"[一-鿿][,;:!?]|[,;!?][一-鿿]")
    found = {}
    for key, sentence in sentences(locale).items():
        for text in texts(sentence):
            rest = ENGLISH_KEPT.sub("", re.sub(r"`[^`]+`", "", text))
            if half_width.search(text) or re.search(
                r"[A-Za-z]{3,}", re.sub(r"[\w./*~$-]*[./_*~$][\w./*-]*|\b[a-z]+-[a-z-]+\b", "", rest)
            ):
                found[key] = text
    assert found == {}


def test_numbers_are_grouped_and_forms_chosen() -> None:
    assert say("en", "file-over-limit", agent="Claw", max=4000, dropped=2012).startswith(
        "Claw reads the first 4,000"
    )


@pytest.mark.parametrize(
    ("tag", "locale"),
    [
        ("zh-cn", "zh-cn"), ("zh-Hans", "zh-cn"), ("zh-TW", "zh-tw"), ("zh-Hant-HK", "zh-tw"),
        ("zh_CN.UTF-8", "zh-cn"),
        ("fr", "en"), ("", "en"), (None, "en"), ("C", "en"), ("zh", "zh-cn"),
    ],
)  # fmt: skip
def test_language_tags(tag: str | None, locale: str) -> None:
    assert locale_of(tag) == locale


def test_no_message_is_unknown() -> None:
    """Identifiers that are written out in calls of ``say`` exist."""
    known = set(sentences("en"))
    missing = []
    for source in (*sources(FEATURES), *sources(SERVER)):
        for node in ast.walk(source.tree):
            if not isinstance(node, ast.Call) or not node.args:
                continue
            name = ast.unparse(node.func)
            at = 1 if name == "say" and len(node.args) > 1 else 0 if name.endswith(".say") else None
            named = node.args[at] if at is not None else None
            if isinstance(named, ast.Constant) and named.value not in known:
                missing.append(f"{source.name}:{node.lineno} {named.value}")
    assert missing == []
