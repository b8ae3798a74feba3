"""AGENTBRIEF_TIER=plain runs the suite as if orjson and msgspec were not installed."""

from __future__ import annotations

import os
import sys

if os.environ.get("AGENTBRIEF_TIER") == "plain":
    sys.modules["orjson"] = None  # type: ignore[assignment]
    sys.modules["msgspec"] = None  # type: ignore[assignment]
