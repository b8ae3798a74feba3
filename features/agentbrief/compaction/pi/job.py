"""How does a transcript of pi or OpenClaw become a plan that the layers can fill with a summary?

The cut and the estimate are those of openclaw.md 8.3 to 8.5, the text that of pi (8.6) or that of OpenClaw
(8.7). One entry is appended; nothing of the file changes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

from agentbrief.changes.steps import AppendRecord
from agentbrief.compaction.claw.format_summary import format_summary_text
from agentbrief.compaction.claw.grammar import ANALYSIS_START, START
from agentbrief.compaction.pi.compaction_entry import compaction_entry, keeps_pairs
from agentbrief.compaction.pi.due import is_due
from agentbrief.compaction.pi.estimate import messages_tokens
from agentbrief.compaction.pi.extractive import old_body
from agentbrief.compaction.pi.layout_openclaw import openclaw_summary, suffix_of
from agentbrief.compaction.pi.layout_pi import file_lists
from agentbrief.compaction.pi.offered_cuts import offered_cuts
from agentbrief.compaction.pi.pi_plan import PiPlan
from agentbrief.compaction.pi.pi_source import PiSettings, PiSource
from agentbrief.compaction.pi.preparation import NothingToCompact, Preparation
from agentbrief.compaction.pi.seen import SeenMessages
from agentbrief.compaction.plan import CompactionPlan, Cut, NotPlanned, PlanConfig, PlanWarning, Written
from agentbrief.profiles.openclaw_data import StoreSummaryData
from agentbrief.sessions.model import Message
from agentbrief.sessions.pi.append import NewUuid
from agentbrief.sessions.pi.context import (
    ContextMessage,
    MessageValues,
    PathMessages,
    RawMessage,
    context_messages,
    last_of,
    message_of,
)
from agentbrief.sessions.tree import TreeEntry
from agentbrief.text import utf16


@dataclass(frozen=True, slots=True)
class SeenParts:
    """What is summarised: the history, and the part of a turn that is split; ``preparation`` says of what."""

    history: Sequence[Message] = field(hash=False)
    turn_prefix: Sequence[Message] = field(hash=False)
    preparation: Preparation = field(repr=False, hash=False)

    def staying_tokens(self, data: StoreSummaryData) -> int:
        """The size of what is not summarised."""
        summarised = messages_tokens((message.value for message in self.preparation.removed), data)
        return max(0, self.preparation.tokens_before - summarised)


@dataclass(frozen=True, slots=True)
class PiJob:
    """The compaction of ``source`` at ``now_ms``.

    ``prepared`` is made by :func:`pi_job`: the wanted cut first, or why there is nothing to compact.
    """

    source: PiSource
    settings: PiSettings
    prepared: tuple[Preparation, ...] | NothingToCompact | Literal["not-due"]
    now_ms: int
    new_uuid: NewUuid = field(repr=False, compare=False)

    @property
    def previous_summary(self) -> str | None:
        """What the newest compaction on the path told, without the sections that are made anew."""
        if not isinstance(self.prepared, tuple) or not self.prepared[0].previous_summary:
            return None
        return old_body(self.prepared[0].previous_summary) or None

    def preparation_of(self, removed: int) -> Preparation:
        """The preparation that removes so many messages.

        Raises:
            ValueError: none does.
        """
        for preparation in self.prepared if isinstance(self.prepared, tuple) else ():
            if preparation.removed_count == removed:
                return preparation
        raise ValueError(f"no cut removes {removed} messages")

    def parts(self, messages: Sequence[Message]) -> SeenParts:
        """``messages``, those of one cut as a provider sees them, taken apart at the turn that is split.

        Raises:
            ValueError: they are those of no cut.
        """
        for preparation in self.prepared if isinstance(self.prepared, tuple) else ():
            history = SeenMessages(_values(preparation.history))
            prefix = SeenMessages(_values(preparation.turn_prefix))
            if len(history) + len(prefix) == len(messages):
                return SeenParts(history, prefix, preparation)
        raise ValueError("messages of no cut")

    def cuts(self) -> tuple[Cut, ...]:
        """The wanted cut, then those that keep less."""
        if not isinstance(self.prepared, tuple):
            return (self._no_cut(),)
        return tuple(self._cut(preparation) for preparation in self.prepared)

    def removed(self, cut: Cut) -> Sequence[Message]:
        """The messages that a summary is to stand for, as a provider sees them."""
        return SeenMessages(_values(self.preparation_of(len(cut.removed)).removed))

    def plan(self, cut: Cut, written: Written | None) -> PiPlan | NotPlanned:
        """The plan with that summary; nothing is planned that would part a call from its result."""
        source, settings = self.source, self.settings
        if not isinstance(self.prepared, tuple) and self.prepared != "not-due":
            return NotPlanned("no-messages", source.ref.path, self.prepared)
        if not source.ref.writable:
            return NotPlanned("in-place-refused", source.ref.path)
        size = len(source.data)
        bounds = PlanConfig(keep_recent_tokens=settings.keep_recent_tokens)
        if written is None or not cut.changes:
            before = cut.tokens_before
            return PiPlan(
                source.ref, source.stamp, bounds, cut, "", "", "", before, size, size, source.ref.path
            )
        preparation = self.preparation_of(len(cut.removed)).with_files()
        summary = self._summary(preparation, told(written.text))
        made = compaction_entry(
            source.transcript,
            preparation,
            summary,
            settings.data,
            time_ms=self.now_ms,
            new_uuid=self.new_uuid,
        )
        if not keeps_pairs(source.transcript, made):
            return NotPlanned("would-damage", source.ref.path, "tool-pair")
        record = made.text.strip(b"\n")
        return PiPlan(
            source.ref,
            source.stamp,
            bounds,
            cut,
            summary,
            summary,
            written.provider,
            made.tokens_after,
            size,
            size + len(made.text),
            source.ref.path,
            (AppendRecord(source.ref.path, record, source.stamp),),
            (*written.warnings, *self._warnings(cut, made.tokens_after)),
            settings.reinjected,
            leaf_before=source.transcript.tree.leaf_id,
            entry_id=made.entry.id,
            split_turn=preparation.is_split_turn,
        )

    def fits(self, plan: CompactionPlan) -> bool:
        """Whether the session is not due again with what is left."""
        window = self.settings.window_tokens
        if window is None:
            return plan.is_smaller
        return not is_due(plan.tokens_after, window, self.settings.reserve_tokens)

    def _cut(self, preparation: Preparation) -> Cut:
        removed = preparation.removed_count
        kept = [message for entry in preparation.kept if (message := message_of(entry)) is not None]
        return Cut(
            "due",
            range(removed),
            range(removed, removed + len(kept)),
            preparation.tokens_before,
            messages_tokens(kept, self.settings.data),
            preparation.first_kept_id,
        )

    def _no_cut(self) -> Cut:
        kept = MessageValues(_own_messages(self.source.transcript.tree.path))
        tokens = messages_tokens(kept, self.settings.data)
        return Cut("not-due", range(0), range(len(kept)), tokens, tokens)

    def _summary(self, preparation: Preparation, text: str) -> str:
        settings = self.settings
        if settings.layout == "pi":
            return text + file_lists(preparation.files)
        suffix = suffix_of(
            _values(preparation.history),
            _values(preparation.turn_prefix),
            preparation.files,
            settings.rules,
            settings.recent_turns,
            settings.data,
        )
        return openclaw_summary(text, suffix, settings.data)

    def _warnings(self, cut: Cut, after: int) -> list[PlanWarning]:
        found = [PlanWarning("not-smaller")] if after >= cut.tokens_before else []
        if self.source.transcript.torn_tail:
            found.append(PlanWarning("torn-tail"))
        return found


def pi_job(
    source: PiSource,
    settings: PiSettings,
    *,
    now_ms: int,
    new_uuid: NewUuid,
    until_fits: bool = False,
    only_if_due: bool = False,
) -> PiJob | NotPlanned:
    """The compaction of ``source``, or why its file is not compacted.

    With ``until_fits`` it may keep less than the settings say; ``only_if_due`` does nothing below the
    threshold, as the agent's own check.
    """
    path, transcript = source.ref.path, source.transcript
    if not transcript.writable:
        return NotPlanned("in-place-refused", path, "newer-version")
    if transcript.version < 2:
        return NotPlanned("in-place-refused", path, "old-version")
    prepared = offered_cuts(source, settings, until_fits, only_if_due)
    if isinstance(prepared, tuple) and any(_unnamed(preparation) for preparation in prepared):
        return NotPlanned("would-damage", path, "no-id")
    return PiJob(source, settings, prepared, now_ms, new_uuid)


def told(text: str) -> str:
    """The words of a summary, without the tags that a writer may put around them."""
    return format_summary_text(text) if START in text or ANALYSIS_START in text else utf16.trim(text)


def _own_messages(path: Sequence[TreeEntry]) -> PathMessages:
    """The messages of the context at the end of ``path``, an earlier summary in front left out."""
    messages = context_messages(path)
    return messages if last_of(path, "compaction") is None else messages[1:]


def _unnamed(preparation: Preparation) -> bool:
    """Whether the first entry that stays has no identifier in the file, so that no entry can name it."""
    return not isinstance(preparation.kept[0].value.get("id"), str)


def _values(messages: Sequence[ContextMessage]) -> tuple[RawMessage, ...]:
    return tuple(message.value for message in messages)
