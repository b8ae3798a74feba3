"""How often may one run try again, and on which layer?

Five layers, outermost first, each with what it restores (openclaw.md 15). Shown as an explanation.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from agentbrief.profiles.openclaw_data import RunRetryData

LayerId = Literal["entry", "reply", "model", "loop", "attempt"]


@dataclass(frozen=True, slots=True)
class RetryLayer:
    """One layer: its number, its name, and the file of OpenClaw it stands in."""

    number: int
    id: LayerId
    file: str


LAYERS: tuple[RetryLayer, ...] = (
    RetryLayer(1, "entry", "get-reply-run.ts"),
    RetryLayer(2, "reply", "agent-runner.ts"),
    RetryLayer(3, "model", "agent-runner-execution.ts"),
    RetryLayer(4, "loop", "run.ts"),
    RetryLayer(5, "attempt", "attempt.ts"),
)
"""All five. The sentence on each is the message ``store.layer.<id>``."""


def most_rounds(auth_profiles: int, data: RunRetryData) -> int:
    """How many rounds the loop of one run may take. Source: openclaw.md 15, ``pi-embedded-runner/run.ts``."""
    return min(data.most, max(data.least, data.base + data.per_profile * max(1, auth_profiles)))
