"""Where the recorded cases lie: the copies in this repository, or another folder of the same schema."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent / "data"

GOLDEN = Path(os.environ.get("AGENTBRIEF_GOLDEN") or _HERE / "golden")
CASES = Path(os.environ.get("AGENTBRIEF_CASES") or _HERE / "cases")
CORPORA = Path(os.environ.get("AGENTBRIEF_CORPORA") or _HERE / "corpora")


def is_own(path: Path) -> bool:
    """Whether ``path`` lies among the copies in this repository: only of those the number is known."""
    return path.is_relative_to(_HERE)


def records(path: Path) -> list[dict[str, Any]]:
    """The objects of a file with one JSON object a line."""
    with path.open(encoding="utf-8", newline="\n") as file:
        return [json.loads(line) for line in file if line.strip()]


def long_text(value: Any) -> Any:
    """``value`` with each ``{"parts": [[unit, count], …]}`` written out as the text it stands for."""
    if isinstance(value, dict):
        if set(value) == {"parts"}:
            return "".join(unit * count for unit, count in value["parts"])
        return {key: long_text(item) for key, item in value.items()}
    return [long_text(item) for item in value] if isinstance(value, list) else value
