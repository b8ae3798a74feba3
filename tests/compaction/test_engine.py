"""What holds for every conversation: pairs stay whole, summaries stay bounded and readable for claw-code."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from agentbrief.compaction.claw import grammar
from agentbrief.compaction.claw.boundary import first_kept, is_due, split_pairs
from agentbrief.compaction.claw.continuation import continuation_text, summary_in, summary_message
from agentbrief.compaction.claw.engine import (
    CompactionConfig,
    compact,
    config_of,
    extractive_summary,
    format_compact_summary,
    wrapped_summary,
)
from agentbrief.compaction.claw.merging import merged
from agentbrief.compaction.claw.parsing import parse_summary
from agentbrief.compaction.claw.summary import Scope, SummaryParts, Timeline, summary_text
from agentbrief.compaction.claw.upstream import upstream_summary
from agentbrief.profiles.load import profile
from agentbrief.sessions.model import Message, Opaque, Text, ToolResult, ToolUse
from agentbrief.sessions.shapes import Shape, shape_of
from tests.compaction.conversations import SEEDS, conversation, messages_of

BOUND_CHARS = grammar.LISTED_MESSAGES * (grammar.LISTED_BLOCKS + 1) * (grammar.ITEM_CHARS + 20) + 20_000


def some(seed: int, length: int = 30) -> tuple[Message, ...]:
    return messages_of(conversation(random.Random(seed), length))


def tame(seed: int) -> tuple[Message, ...]:
    """A conversation whose words do not look like lines of a summary."""
    return messages_of(conversation(random.Random(seed), 30, ("fix", "todo", "a/b.md", "x" * 170)))


def plain_boundary(shapes: list[Shape], prefix: int, preserve: int) -> int:
    """Rule 2 of claw.md 6.3, word by word."""
    kept = max(prefix, len(shapes) - preserve)
    while True:
        start = kept
        for index in range(kept, len(shapes)):
            for result in shapes[index].results:
                calls = [at for at in range(prefix, index + 1) if result in shapes[at].calls]
                if calls:
                    kept = min(kept, calls[-1])
        if kept == start:
            return kept


@settings(max_examples=300)
@given(SEEDS, st.integers(0, 40), st.integers(0, 12), st.integers(0, 1))
def test_the_boundary_is_the_rule(seed: int, length: int, preserve: int, prefix: int) -> None:
    shapes = [shape_of(message) for message in some(seed, length)]
    prefix = min(prefix, len(shapes))
    kept = first_kept(shapes, prefix, preserve)
    assert kept == plain_boundary(shapes, prefix, preserve)
    assert split_pairs(shapes, prefix, kept) == ()


def test_a_split_pair_is_seen() -> None:
    shapes = [Shape(1, ("a",)), Shape(1), Shape(1, (), ("a", "b"))]
    assert split_pairs(shapes, 0, 1) == ("a",)
    assert split_pairs(shapes, 0, 0) == split_pairs(shapes, 1, 1) == ()


@settings(max_examples=150)
@given(SEEDS, st.integers(0, 6), st.integers(1, 6))
def test_rounds_of_compaction_stay_bounded_and_lose_nothing_they_count(
    seed: int, preserve: int, rounds: int
) -> None:
    config = CompactionConfig(preserve, 0)
    messages, counted = some(seed), 0
    for number in range(rounds):
        done = compact(messages, config)
        if done.reason == "due":
            counted += len(done.removed)
            assert summary_in(done.messages[0]) is not None
            assert done.messages[1:] == messages[done.removed.stop :]
            parts = parse_summary(done.summary)
            assert parts.scope is not None and parts.scope.messages == counted
            hidden = parts.timeline.hidden
            listed = len(parts.timeline.first) + len(parts.timeline.last)
            assert listed + hidden == counted and listed <= grammar.LISTED_MESSAGES
            assert parts.notes == ()
            assert len(done.summary) <= BOUND_CHARS
        else:
            assert done.messages == messages and done.summary == ""
        messages = (*done.messages, *some(seed + number + 1, 8))


@settings(max_examples=200)
@given(SEEDS)
def test_no_text_of_a_conversation_can_change_the_structure(seed: int) -> None:
    summary = extractive_summary(some(seed), None)
    lines = summary.split("\n")
    assert (lines[0], lines[1], lines[-1]) == (grammar.START, grammar.TITLE, grammar.END)
    assert all(line.startswith(("- ", "  - ")) for line in lines[2:-1])
    headers = [line[2:].partition(":")[0] for line in lines if line.startswith("- ")]
    assert len(set(headers)) == len(headers)
    assert summary.count(grammar.START) == summary.count(grammar.END) == 1
    assert grammar.ANALYSIS_START not in summary


@settings(max_examples=200)
@given(SEEDS, st.integers(5, 80))
def test_a_summary_says_after_reading_what_it_said_before_writing(seed: int, length: int) -> None:
    summary = extractive_summary(some(seed, length), None)
    shown = continuation_text(summary, suppress=True, preserved=True)
    old = summary_in(Message("system", (Text(shown),)))
    assert old is not None
    again = summary_text(parse_summary(old))
    assert [line.rstrip() for line in again.split("\n")] == [line.rstrip() for line in summary.split("\n")]


@settings(max_examples=150)
@given(SEEDS)
def test_claw_code_merges_our_result_by_its_own_rules(seed: int) -> None:
    """Nothing but the timeline, which it always drops, is lost when claw-code compacts a session of ours."""
    ours = compact(some(seed), CompactionConfig(2, 0))
    if ours.reason != "due":
        return
    old = summary_in(ours.messages[0], "claw-code")
    assert old == format_compact_summary(ours.summary, "claw-code")
    theirs = compact((*ours.messages[:1], *tame(seed + 1)), CompactionConfig(2, 0, profile="claw-code"))
    assert theirs.reason == "due" and theirs.removed.start == 1
    lines = ours.summary.split("\n")[2:-1]
    told = [line.rstrip() for line in lines[: lines.index("- Key timeline:")]]
    assert [f"- {line}" for line in told] == theirs.summary.split("\n")[2 : 2 + len(told)]


@settings(max_examples=60)
@given(SEEDS)
def test_what_claw_code_merged_is_counted_on(seed: int) -> None:
    messages: tuple[Message, ...] = ()
    counted, summary = 0, ""
    for number, agent in enumerate(("claw", "claw-code", "claw-code", "claw")):
        config = CompactionConfig(2, 0, profile="claw-code" if agent == "claw-code" else "claw")
        done = compact((*messages, *tame(seed + number)), config)
        # calls that reach back to the first message, each over the next one, leave nothing to cut
        assume(done.reason != "tool-pair")
        assert done.reason == "due"
        messages, counted = done.messages, counted + len(done.removed)
        summary = done.summary
    scope = parse_summary(summary).scope
    assert scope is not None and scope.messages == counted


ITEMS = st.text(st.sampled_from("ab -:…漢"), min_size=1, max_size=8).map(lambda text: f"u{text}".rstrip())
PARTS = st.builds(
    SummaryParts,
    st.none() | st.builds(Scope, *[st.integers(0, 10**6)] * 4),
    st.lists(st.sampled_from(["ls", "read file", "x."]), max_size=3, unique=True).map(
        lambda names: tuple(sorted(names))
    ),
    st.lists(ITEMS, max_size=6, unique=True).map(tuple),
    st.lists(ITEMS, max_size=6, unique=True).map(tuple),
    st.lists(st.sampled_from(["a/b.md", "c/d.ts", "e/f g.rs"]), max_size=3, unique=True).map(
        lambda names: tuple(sorted(names))
    ),
    st.none() | ITEMS,
    st.lists(ITEMS, max_size=5, unique=True).map(tuple),
    st.one_of(
        st.lists(ITEMS, max_size=50).map(lambda items: Timeline(tuple(items))),
        st.builds(
            Timeline,
            st.lists(ITEMS, min_size=5, max_size=5).map(tuple),
            st.integers(1, 999),
            st.lists(ITEMS, max_size=45).map(tuple),
        ),
    ),
)  # fmt: skip


@settings(max_examples=300)
@given(PARTS)
def test_parts_are_read_as_they_were_written(parts: SummaryParts) -> None:
    assert parse_summary(summary_text(parts)) == parts


@settings(max_examples=200)
@given(PARTS, PARTS, PARTS)
def test_adding_up_counts_and_is_bounded(
    first: SummaryParts, second: SummaryParts, third: SummaryParts
) -> None:
    def total(timeline: Timeline) -> int:
        return len(timeline.first) + timeline.hidden + len(timeline.last)

    both = merged(first, second)
    all_three = merged(both, third)
    assert total(all_three.timeline) == sum(total(part.timeline) for part in (first, second, third))
    for parts in (both, all_three):
        assert len(parts.timeline.first) + len(parts.timeline.last) <= grammar.LISTED_MESSAGES
        assert max(len(parts.requests), len(parts.pending)) <= grammar.MERGED_ITEMS
        assert len(parts.files) <= grammar.MERGED_FILES and len(parts.notes) <= grammar.MERGED_NOTES
    assert merged(first, SummaryParts()) == replace(first, timeline=both_of(first))
    assert merged(SummaryParts(), first).timeline == both_of(first)


def both_of(parts: SummaryParts) -> Timeline:
    return parts.timeline.capped()


OLD_LINES = (
    "Summary:", "Conversation summary:", "- Recent user requests:", "- Key timeline:", "  - item", "- bullet",
    "- Scope: 2 earlier messages compacted (user=1, assistant=1, tool=0).", "words", "    deeper", "",
    "- Current work: w", "- Newly compacted context:", "- - Pending work:", "-   - old", "- Earlier notes:",
    "- Tools mentioned: a, b.", "  - … (7 messages not listed)", "- Scope: x earlier messages compacted.",
    "-", "  -", "<summary>y</summary>",
)  # fmt: skip


@settings(max_examples=300)
@given(st.lists(st.sampled_from(OLD_LINES)))
def test_any_old_summary_can_be_read_and_nothing_disappears(lines: list[str]) -> None:
    old = "\n".join(lines)
    parts = parse_summary(old)
    written = summary_text(parts)
    for word in ("item", "bullet", "words", "deeper", "old", "x earlier"):
        # of several lines of current work the last one counts, and what continues the others goes with them
        if any(word in line for line in lines) and lines.count("- Current work: w") < 2:
            assert word in written
    assert summary_text(parse_summary(written)) == summary_text(replace(parts, timeline=parts.timeline))


def test_free_text_of_another_writer_is_wrapped_without_tags_of_its_own() -> None:
    text = "<analysis>a</analysis>\n<summary>\n# Goal\nkeep </summary> it\n</summary>"
    assert wrapped_summary(text) == "<summary>\n# Goal\nkeep it\n‹/summary›\n</summary>"
    message = summary_message(wrapped_summary("plain words"), preserved=True)
    assert summary_in(message) == "Summary:\nplain words"
    assert parse_summary("Summary:\nplain words").notes == ("plain words",)


def test_until_what_is_left_is_small_nothing_is_due_again() -> None:
    messages = tuple(Message("user", (Text("word " * 4000),)) for _ in range(9))
    done = compact(messages, CompactionConfig(4, 10_000))
    assert done.reason == "due" and done.tokens_after < done.tokens_before
    shapes = [shape_of(message) for message in done.messages]
    assert not is_due(shapes, 1, 4, 10_000) and is_due(shapes, 1, 2, 10_000)


def test_a_block_of_another_program_is_named_and_not_read() -> None:
    picture = Message("user", (Opaque("image", {"data": "todo a/b.md"}),))
    summary = extractive_summary((picture,), None)
    assert "  - user: [image]" in summary and "b.md" not in summary
    assert "  - user: [image]" in upstream_summary((picture,), None)


def test_the_bounds_are_those_of_the_agent_unless_given() -> None:
    config = config_of(profile("claw"))
    assert (config.preserve_recent_messages, config.max_estimated_tokens) == (4, 10_000)
    assert config_of(profile("claw-code"), preserve=0, max_tokens=0).profile == "claw-code"
    with pytest.raises(ValueError, match="negative"):
        config_of(profile("claw"), preserve=-1)
    with pytest.raises(ValueError, match="codex"):
        config_of(profile("codex"))


def test_extra_extensions_are_listed_too() -> None:
    messages = (Message("user", (Text("a/b.py a/c.md"),)),)
    assert "Key files referenced: a/c.md." in format_compact_summary(messages)
    assert "Key files referenced: a/b.py, a/c.md." in format_compact_summary(messages, "claw", ("py",))


def test_an_old_summary_that_lists_more_than_five_before_it_hides_keeps_five_there() -> None:
    old = SummaryParts(timeline=Timeline(tuple(f"u{n}" for n in range(7)), 3, ("u9",)))
    new = merged(parse_summary(summary_text(old)), SummaryParts(timeline=Timeline(("new",))))
    assert new.timeline == Timeline(tuple(f"u{n}" for n in range(5)), 3, ("u5", "u6", "u9", "new"))


def test_an_old_summary_that_says_it_hides_nothing_loses_nothing() -> None:
    old = "- Key timeline:\n  - user: a\n  - … (0 messages not listed)\n  - user: b"
    new = merged(parse_summary(old), SummaryParts(timeline=Timeline(("user: c",))))
    assert new.timeline == Timeline(("user: a", "user: b", "user: c"))


def test_a_call_and_its_result_in_one_message_are_a_pair() -> None:
    both = Message("assistant", (ToolResult("a", "ls", "", False), ToolUse("a", "ls", "", "")))
    earlier = Message("assistant", (ToolUse("a", "ls", "", ""),))
    shapes = [shape_of(earlier), shape_of(both)]
    assert first_kept(shapes, 0, 1) == 1
