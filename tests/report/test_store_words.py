"""Spans of time and sizes of settings are said in words, not as the settings spell them."""

from __future__ import annotations

import pytest

from agentbrief.maintenance.settings import MaintenanceSettings
from agentbrief.messages import LOCALES
from agentbrief.report.store_words import amount_text, rules_text, span_text
from agentbrief.sessions.setting_amounts import duration_ms, size_bytes
from tests.maintenance.folders import DAY

SPANS = {
    "30d": ("30 days", "30 天", "30 天"),
    "1d": ("1 day", "1 天", "1 天"),
    "36h": ("1 day 12 hours", "1 天 12 小时", "1 天 12 小時"),
    "1h30m": ("1 hour 30 minutes", "1 小时 30 分钟", "1 小時 30 分鐘"),
    "1m1s": ("1 minute 1 second", "1 分钟 1 秒", "1 分鐘 1 秒"),
    "2000d": ("2,000 days", "2,000 天", "2,000 天"),
    "250ms": ("250 milliseconds", "250 毫秒", "250 毫秒"),
    "0": ("0 days", "0 天", "0 天"),
}
AMOUNTS = {
    "10mb": "10 MiB",
    "2gb": "2 GiB",
    "512kb": "512 KiB",
    "1tb": "1 TiB",
    "100b": "100 B",
    "1500000": "1.5 MB",
    "0": "0 B",
}


@pytest.mark.parametrize("setting", SPANS)
def test_a_span_is_said_in_words(setting: str) -> None:
    span = duration_ms(setting)
    assert span is not None
    assert tuple(span_text(span, locale) for locale in LOCALES) == SPANS[setting]


@pytest.mark.parametrize("setting", AMOUNTS)
def test_an_amount_is_said_with_its_unit(setting: str) -> None:
    size = size_bytes(setting)
    assert size is not None
    assert amount_text(size) == AMOUNTS[setting]


def test_the_rules_of_a_cleanup_are_said_in_words() -> None:
    policy = MaintenanceSettings(
        "warn", 30 * DAY, 500, 10 << 20, 30 * DAY, 2 << 30, 1_600_000_000, "session.maintenance"
    )
    english, simplified, traditional = (rules_text(policy, locale) for locale in LOCALES)
    assert "sessions older than 30 days go · reset archives stay 30 days · " in english
    assert "store copied above 10 MiB · folder at most 2 GiB, brought down to 1.6 GB" in english
    assert "超过 30 天未活动的会话" in simplified
    assert "超過 30 天未活動的會話" in traditional
    for text in (english, simplified, traditional):
        assert not {"30d", "10mb", "2gb"} & set(text.split())
