"""How is it said that the disk, or another program, did not let it happen?"""

from __future__ import annotations

from agentbrief.disk.refusal import Refused
from agentbrief.messages import say


def refusal_text(locale: str, refusal: Refused, where: str | None = None) -> str:
    """What happened, what was not touched, where, and what to do: one sentence and a second one.

    ``where`` is the place as it may be shown, with the home folder left out; else the path itself.
    """
    arguments = dict(refusal.arguments)
    return say(
        locale,
        "disk.refused",
        what=say(locale, f"disk.what.{refusal.what}", **arguments),
        untouched=say(locale, f"disk.untouched.{refusal.untouched}", **arguments),
        where=refusal.where if where is None else where,
        next=say(locale, f"disk.next.{refusal.next}", **arguments),
    )
