"""AGENTBRIEF_TIER=plain runs the suite as if orjson and msgspec were not installed."""

from __future__ import annotations

import os
import sys

import pytest

if os.environ.get("AGENTBRIEF_TIER") == "plain":
    sys.modules["orjson"] = None  # type: ignore[assignment]
    sys.modules["msgspec"] = None  # type: ignore[assignment]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update", action="store_true", help="rewrite the expect blocks of the Markdown fixtures"
    )
