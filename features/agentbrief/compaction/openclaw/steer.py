"""What becomes of a message for the workspace's own session?

The same words as OpenClaw's queue, for our own work (openclaw.md 14). A session that looks live is never
touched.
"""

from __future__ import annotations

from typing import Literal

from agentbrief.compaction.openclaw.queue_settings import QueueMode

Running = Literal["none", "more-calls", "last-call"]
Steer = Literal[
    "append",
    "hand-back",
    "add-to-instructions",
    "append-afterwards",
    "append-afterwards-as-one",
    "cancel-then-append",
]


def steer(mode: QueueMode, *, looks_live: bool, running: Running = "none") -> tuple[Steer, ...]:
    """What is done with the message, in order.

    ``running`` is our own compaction of that session: whether a call of the provider follows that can take
    the message up. ``hand-back`` gives the text to the user, who says it to the agent.
    """
    if looks_live:
        return ("hand-back",)
    if running == "none":
        return ("append",)
    if mode == "interrupt":
        return ("cancel-then-append",)
    if mode == "collect":
        return ("append-afterwards-as-one",)
    if mode == "followup" or running == "last-call":
        return ("append-afterwards",)
    return (
        ("add-to-instructions", "append-afterwards") if mode == "steer-backlog" else ("add-to-instructions",)
    )
