"""Every word that a compaction or a checkpoint answers with has a sentence."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args

import pytest

from agentbrief.checkpoints.checkpoint import Cause
from agentbrief.checkpoints.listing import CopyState
from agentbrief.checkpoints.restore import NotRestored
from agentbrief.compaction.layers import Ended, Trigger
from agentbrief.compaction.plan import Reason, Trouble
from agentbrief.compaction.steering import Reached
from agentbrief.messages import say
from agentbrief.messages.catalogue import sentences
from agentbrief.profiles.load import profile


def words(kind: Any) -> Iterator[str]:
    for part in get_args(kind):
        if isinstance(part, str):
            yield part
        else:
            yield from words(part)


KINDS = {
    "reason": Reason,
    "trouble": Trouble,
    "ended": Ended,
    "trigger": Trigger,
    "steer": Reached,
    "cause": Cause,
    "copy": CopyState | NotRestored,
}
FAULTS = ("does-not-parse", "no-summary", "pair-split", "kept-differs", "no-record", "head-differs")
WARNINGS = (
    "not-smaller", "secrets-masked", "provider-failed", "provider-empty", "provider-planning-only",
    "provider-unknown",
)  # fmt: skip


@pytest.mark.parametrize("name", KINDS)
def test_each_word_has_a_sentence(name: str) -> None:
    known = {key for key in sentences("en") if key.startswith(f"compaction.{name}.")}
    assert {f"compaction.{name}.{word}" for word in words(KINDS[name])} == known


def test_faults_and_warnings_have_sentences() -> None:
    known = set(sentences("en"))
    assert {f"compaction.fault.{word}" for word in FAULTS} <= known
    assert {f"compaction.warning.{word}" for word in WARNINGS} <= known


def test_what_is_said_of_claw_code_itself() -> None:
    automatic = profile("claw-code").automatic_compaction
    assert automatic is not None and automatic.after_overflow == (4, 2, 1, 0)
    said = say(
        "en", "compaction.preview.automatic", agent="claw-code", tokens=automatic.input_tokens,
        variable=automatic.variable,
    )  # fmt: skip
    assert "100,000" in said
    assert say("en", "compaction.warning.secrets-masked", subject=1).startswith("1 secret is")
