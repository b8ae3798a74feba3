"""Does an error text say that the context was too long for the model?

Source: openclaw.md 8.9; openclaw/openclaw ``src/agents/pi-embedded-helpers/errors.ts``. Any case; a text
about rates, or about reasoning that must be on, never counts.
"""

from __future__ import annotations

import re

_SAYS_SO = (
    "request_too_large",
    "request exceeds the maximum size",
    "context length exceeded",
    "maximum context length",
    "prompt is too long",
    "exceeds model context window",
    "model token limit",
    "context overflow:",
    "exceed context limit",
    "exceeds the model's maximum context",
    "上下文过长",
    "上下文超出",
    "上下文长度超",
    "超出最大上下文",
    "请压缩上下文",
)
_TOO_MUCH = "(?:too large|too long|exceed|over|limit|max)"
_LIKELY = re.compile(
    r"context.*overflow"
    rf"|context window.*(?:{_TOO_MUCH}|requested|sent|tokens)"
    rf"|prompt.*{_TOO_MUCH}"
    rf"|(?:request|input).*(?:context|window|length|token).*{_TOO_MUCH}"
)
_WINDOW_TOO_SMALL = re.compile(r"context window.*(?:too small|minimum is)")
_RATE = re.compile(
    r"rate limit|too many requests|requests per (?:minute|hour|day)|quota|throttl|429\b",
)
_TOKENS_PER_MINUTE = re.compile(r"\btpm\b|tokens per minute")
_REASONING = re.compile(r"reasoning is mandatory|reasoning is required|requires reasoning")


def is_overflow(text: str) -> bool:
    """Whether ``text`` is one of the known words for a context that is too long."""
    found = text.lower()
    if _never(found):
        return False
    if any(words in found for words in _SAYS_SO):
        return True
    if "request size exceeds" in found and ("context window" in found or "context length" in found):
        return True
    if ("max_tokens" in found or "input length" in found) and "exceed" in found and "context" in found:
        return True
    return "413" in found and "too large" in found


def is_likely_overflow(text: str) -> bool:
    """Whether ``text`` is one of them, or sounds like one."""
    found = text.lower()
    if _never(found):
        return False
    if is_overflow(text):
        return True
    return not _WINDOW_TOO_SMALL.search(found) and not _RATE.search(found) and bool(_LIKELY.search(found))


def is_compaction_failure(text: str) -> bool:
    """Whether ``text`` says that a compaction failed because of the length of the context."""
    found = text.lower()
    if "compaction" not in found and "summarization failed" not in found:
        return False
    return is_likely_overflow(text) or "context overflow" in found


def _never(found: str) -> bool:
    return bool(
        _TOKENS_PER_MINUTE.search(found)
        or _REASONING.search(found)
        or ("reasoning" in found and "cannot be disabled" in found)
    )
