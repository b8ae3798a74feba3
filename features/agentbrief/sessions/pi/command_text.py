"""How does a command that the user ran read to a model?

Source: openclaw.md 8.13; badlogic/pi-mono packages/coding-agent/src/core/messages.ts at 0.55.3.
"""

from __future__ import annotations

from collections.abc import Mapping

from agentbrief.jsonio import JsonValue


def command_text(message: Mapping[str, JsonValue]) -> str:
    """The words of a message of the role ``bashExecution``."""
    output = _string(message, "output")
    text = f"Ran `{_string(message, 'command')}`\n" + (f"```\n{output}\n```" if output else "(no output)")
    code = message.get("exitCode")
    if message.get("cancelled"):
        text += "\n\n(command cancelled)"
    elif code is not None and code != 0:
        text += f"\n\nCommand exited with code {code}"
    path = message.get("fullOutputPath")
    if message.get("truncated") and isinstance(path, str) and path:
        text += f"\n\n[Output truncated. Full output: {path}]"
    return text


def _string(value: Mapping[str, JsonValue], key: str) -> str:
    found = value.get(key)
    return found if isinstance(found, str) else ""
