"""How does a file become a plan that the layers can fill with a summary?

The same for every format whose messages can be read: the bounds and the summary are those of claw.md 6, and
only the bytes are the format's own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from agentbrief.changes.steps import Forward, ReplaceFile, Stamp
from agentbrief.compaction.claw.boundary import first_kept, is_due
from agentbrief.compaction.claw.continuation import summary_in, summary_message
from agentbrief.compaction.claw.engine import CompactionConfig, wrapped_summary
from agentbrief.compaction.claw.format_summary import format_summary_text
from agentbrief.compaction.plan import (
    CompactionPlan,
    Cut,
    NotPlanned,
    PlanConfig,
    PlanWarning,
    Written,
)
from agentbrief.compaction.providers.extractive import EXTRACTIVE
from agentbrief.sessions.claw.tokens import message_tokens
from agentbrief.sessions.model import Message, SessionRef
from agentbrief.sessions.shapes import Shape

_FEWER = (2, 1, 0)


class CompactableFile(Protocol):
    """The bytes of a session and its messages, those that the agent would be sent."""

    @property
    def path(self) -> str:
        """Where it stands."""
        ...

    @property
    def data(self) -> bytes:
        """Its bytes."""
        ...

    @property
    def stamp(self) -> Stamp | None:
        """Which version of the file it is."""
        ...

    @property
    def ref(self) -> SessionRef:
        """Which session it is; one that is not writable only goes into a copy."""
        ...

    @property
    def shapes(self) -> Sequence[Shape]:
        """The shapes of its messages."""
        ...

    @property
    def messages(self) -> Sequence[Message]:
        """Its messages."""
        ...

    def rewritten(self, kept: range, summary: str, message: Message, removed: int, now_ms: int) -> bytes:
        """The bytes with ``message`` in place of everything before the messages ``kept``."""
        ...

    def masked(self, message: Message) -> int:
        """How many secrets are masked when ``message`` is written."""
        ...

    def faults(self, prefix: int, kept: range, new: bytes) -> tuple[str, ...]:
        """What is wrong with the new bytes; nothing is written then."""
        ...


@dataclass(frozen=True, slots=True)
class FileJob:
    """The compaction of ``file`` at ``now_ms``.

    With ``until_fits`` it may keep less than the settings say. ``output`` is the new file of a copy; without
    one the session's own file is rewritten.
    """

    file: CompactableFile = field(hash=False)
    config: CompactionConfig
    now_ms: int
    until_fits: bool = False
    output: str | None = None

    @property
    def previous_summary(self) -> str | None:
        """The summary that stands in front."""
        messages = self.file.messages
        return summary_in(messages[0], self.config.profile) if len(messages) else None

    def cuts(self) -> tuple[Cut, ...]:
        """The cut that the settings ask for, and with ``until_fits`` those that keep 2, 1 and 0 messages."""
        wanted = self.config.preserve_recent_messages
        prefix = 0 if self.previous_summary is None else 1
        counts = [wanted, *(count for count in _FEWER if count < wanted and self.until_fits)]
        return tuple(self._cut(prefix, count) for count in counts)

    def _cut(self, prefix: int, preserve: int) -> Cut:
        shapes, config = self.file.shapes, self.config
        before = sum(shape.tokens for shape in shapes)
        whole = range(prefix, len(shapes))
        if not is_due(shapes, prefix, preserve, config.max_estimated_tokens):
            return Cut("not-due", range(prefix, prefix), whole, before, before)
        kept = first_kept(shapes, prefix, preserve, config.profile)
        if kept == prefix and config.profile == "claw":
            return Cut("tool-pair", range(prefix, prefix), whole, before, before)
        after = sum(shape.tokens for shape in shapes[kept:])
        return Cut("due", range(prefix, kept), range(kept, len(shapes)), before, after)

    def removed(self, cut: Cut) -> Sequence[Message]:
        """The messages that a summary is to stand for."""
        return self.file.messages[cut.removed.start : cut.removed.stop]

    def plan(self, cut: Cut, written: Written | None) -> CompactionPlan | NotPlanned:
        """The plan with that summary; nothing is planned that would damage the session."""
        file, output = self.file, self.output
        bounds = PlanConfig(self.config.preserve_recent_messages, self.config.max_estimated_tokens)
        size = len(file.data)
        if output is None and not file.ref.writable:
            return NotPlanned("in-place-refused", file.path)
        if written is None or not cut.changes:
            return CompactionPlan(
                file.ref,
                file.stamp,
                bounds,
                cut,
                "",
                "",
                "",
                cut.tokens_before,
                size,
                size,
                output or file.path,
            )
        summary = written.text if written.provider == EXTRACTIVE else wrapped_summary(written.text)
        message = summary_message(summary, preserved=bool(cut.kept), profile=self.config.profile)
        new = file.rewritten(cut.kept, summary, message, len(cut.removed), self.now_ms)
        if faults := file.faults(cut.removed.start, cut.kept, new):
            return NotPlanned("would-damage", file.path, faults[0])
        step: Forward = ReplaceFile(file.path, new, file.stamp)
        if output is not None:
            step = ReplaceFile(output, new, None)
        after = message_tokens(message) + cut.tokens_kept
        return CompactionPlan(
            file.ref,
            file.stamp,
            bounds,
            cut,
            summary,
            format_summary_text(summary, self.config.profile),
            written.provider,
            after,
            size,
            len(new),
            output or file.path,
            (step,),
            (*written.warnings, *_warnings(cut, after, file.masked(message))),
        )

    def fits(self, plan: CompactionPlan) -> bool:
        """Whether fewer tokens are left than would make it due again."""
        return plan.tokens_after < self.config.max_estimated_tokens


def _warnings(cut: Cut, after: int, masked: int) -> list[PlanWarning]:
    found: list[PlanWarning] = []
    if after >= cut.tokens_before:
        found.append(PlanWarning("not-smaller"))
    if masked:
        found.append(PlanWarning("secrets-masked", masked))
    return found
