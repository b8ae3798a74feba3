"""How many tokens does a model take, by what word, and is that enough to run?

Source: openclaw.md 8.1; openclaw/openclaw ``src/agents/context-window-guard.ts``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from agentbrief.jsonio import JsonValue
from agentbrief.profiles.openclaw_data import WindowData
from agentbrief.sessions.agent_config import value_at, whole_number

WindowSource = Literal["models-config", "model", "default", "agent-context-tokens"]


@dataclass(frozen=True, slots=True)
class Window:
    """A context window in tokens, and who said so."""

    tokens: int
    source: WindowSource


def context_window(
    config: Mapping[str, JsonValue],
    provider: str,
    model: str,
    model_tokens: int | float | None,
    default_tokens: int,
) -> Window:
    """The window of ``model`` of ``provider``.

    The model's entry in the configuration wins over ``model_tokens``, what the model says of itself, and
    that over the default; ``agents.defaults.contextTokens`` may only lower it.
    """
    listed = value_at(config, "models", "providers", provider, "models")
    configured = None
    for entry in listed if isinstance(listed, list) else []:
        if isinstance(entry, dict) and entry.get("id") == model:
            configured = whole_number(entry.get("contextWindow"), 1)
            break
    if configured is not None:
        found = Window(configured, "models-config")
    elif (own := whole_number(model_tokens, 1)) is not None:
        found = Window(own, "model")
    else:
        found = Window(default_tokens, "default")
    most = whole_number(value_at(config, "agents", "defaults", "contextTokens"), 1)
    return found if most is None or most >= found.tokens else Window(most, "agent-context-tokens")


def is_small(window: Window, data: WindowData) -> bool:
    """Whether OpenClaw warns of the window; one of 0 tokens is unknown."""
    return 0 < window.tokens < data.warn_below_tokens


def is_too_small(window: Window, data: WindowData) -> bool:
    """Whether OpenClaw refuses to run with the window; one of 0 tokens is unknown."""
    return 0 < window.tokens < data.refuse_below_tokens
