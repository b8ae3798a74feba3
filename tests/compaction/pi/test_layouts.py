"""The texts of a summary: turns kept word for word, failures, lists of files, the limits of each part."""

from __future__ import annotations

from typing import Any

import pytest

from agentbrief.compaction.openclaw.settings import reserve_floor
from agentbrief.compaction.pi.bounds import OwnBounds, openclaw_settings, pi_settings
from agentbrief.compaction.pi.conversation import conversation_text
from agentbrief.compaction.pi.extractive import extractive_text, old_body
from agentbrief.compaction.pi.file_lists import FileOperations, file_operations
from agentbrief.compaction.pi.layout_openclaw import openclaw_summary, shortened, suffix_of
from agentbrief.compaction.pi.layout_pi import pi_summary, without_file_lists
from agentbrief.compaction.pi.preserved_turns import preserved_turns, turn_lines
from agentbrief.compaction.pi.tool_failures import failure_lines, has_real_message
from agentbrief.compaction.pi.workspace_rules import WorkspaceRules, workspace_rules
from agentbrief.profiles.openclaw_data import for_version
from agentbrief.text import utf16
from tests.golden.openclaw_cases import openclaw_data

DATA = openclaw_data()
SUMMARY = DATA.summary


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def reply(text: str, *calls: str) -> dict[str, Any]:
    blocks: list[dict[str, Any]] = [{"type": "text", "text": text}] if text else []
    blocks += [{"type": "toolCall", "id": call, "name": "read", "arguments": {}} for call in calls]
    return {"role": "assistant", "content": blocks}


def result(call: str, text: str = "ok", **more: Any) -> dict[str, Any]:
    content = [{"type": "text", "text": text}]
    return {"role": "toolResult", "toolCallId": call, "toolName": "read", "content": content, **more}


def test_the_last_turns_are_kept_with_the_results_of_their_calls() -> None:
    talk = [
        user("1"),
        reply("a", "x"),
        result("x"),
        user("2"),
        reply("", "y"),
        result("y"),
        result("x"),
        user("3"),
    ]
    found = turn_lines(preserved_turns(talk, 2, SUMMARY), SUMMARY)
    assert found == [
        "- User: 2",
        "- Assistant: [non-text content: toolCall]",
        "- Tool result (read): ok",
        "- User: 3",
    ]
    assert preserved_turns(talk, 0, SUMMARY) == ()


def test_where_users_are_few_the_newest_messages_are_kept() -> None:
    talk = [user("1"), *(reply(str(number)) for number in range(9))]
    found = turn_lines(preserved_turns(talk, 3, SUMMARY), SUMMARY)
    assert found == ["- User: 1", *(f"- Assistant: {number}" for number in range(4, 9))]


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("  hi  ", "- User: hi"),
        ([{"type": "text", "text": " a "}, {"type": "text", "text": "b"}], "- User: a\nb"),
        (
            [{"type": "image"}, {"type": "image"}, {"type": ""}],
            "- User: [non-text content: image x2, unknown]",
        ),
        ([{"type": "text", "text": "a"}, {"type": "image"}], "- User: a\n[non-text content: image]"),
        ("x" * 601, f"- User: {'x' * 600}..."),
        ("🚀" * 301, f"- User: {'🚀' * 300}..."),
        ({"odd": 1}, "- User: [non-text content]"),
        ("  ", None),
        ([], None),
        (None, None),
    ],
)
def test_a_line_of_a_turn(content: Any, line: str | None) -> None:
    assert turn_lines([{"role": "user", "content": content}], SUMMARY) == ([line] if line else [])


def test_failures_are_told_once_a_call() -> None:
    found = failure_lines(
        [
            result("a", "no\n such   file", isError=True, details={"status": "failed", "exitCode": 2}),
            result("a", "again", isError=True),
            result("b", "", isError=True),
            result("c", "", isError=True, details={"exitCode": 1.5}),
            result("d", "fine"),
            result("e", "y" * 300, isError=True, toolName=" "),
            result("", "no id", isError=True),
        ],
        SUMMARY,
    )
    assert found == [
        "- read (status=failed exitCode=2): no such file",
        "- read: failed (no output)",
        "- read (exitCode=1.5): failed",
        f"- tool: {'y' * 237}...",
    ]


def test_of_many_failures_the_first_eight_are_told() -> None:
    found = failure_lines([result(str(number), "x", isError=True) for number in range(10)], SUMMARY)
    assert len(found) == 9
    assert found[-1] == "- ...and 2 more"


@pytest.mark.parametrize("text", ["", " \n", "NO_REPLY", " HEARTBEAT_OK "])
def test_what_says_nothing_is_no_conversation(text: str) -> None:
    silent = [user(text), reply(text), result("a", text), {"role": "custom", "content": "hi"}]
    assert not has_real_message(silent)
    assert has_real_message([*silent, result("a", "x")])


def test_the_suffix_has_its_parts_in_order() -> None:
    history = [user("ask"), reply("done"), result("z", "bad", isError=True)]
    files = FileOperations(("a", "b"), ("c",), ("a",))
    found = suffix_of(history, [user("now")], files, "## Red Lines\nx", 3, SUMMARY)
    assert found == (
        "\n\n**Turn Context (split turn):**\n\n- User: now"
        "\n\n## Recent turns preserved verbatim\n- User: ask\n- Assistant: done"
        "\n\n## Tool Failures\n- read: bad"
        "\n\n<read-files>\nb\n\n</read-files>"
        "\n\n<modified-files>\na\nc\n\n</modified-files>"
        "\n\n<workspace-critical-rules>\n## Red Lines\nx\n</workspace-critical-rules>"
    )
    assert suffix_of([], [], FileOperations(), "", 3, SUMMARY) == ""


def test_a_long_list_of_files_ends_with_a_number() -> None:
    paths = tuple(f"src/{number:04}.ts" for number in range(200))
    found = suffix_of([], [], FileOperations(paths), "", 0, SUMMARY)
    listed = found.removeprefix("\n\n<read-files>\n").removesuffix("\n\n</read-files>").split("\n")
    assert utf16.length(found) - 2 <= SUMMARY.list_chars
    assert listed[:-1] == list(paths[: len(listed) - 1])
    assert listed[-1] == f"...and {200 - len(listed) + 1} more"


def test_long_rules_are_cut() -> None:
    found = suffix_of([], [], FileOperations(), "r" * 2001, 0, SUMMARY)
    assert f"{'r' * 2000}\n...[truncated]...\n</workspace-critical-rules>" in found


def test_the_body_gives_way_and_never_the_suffix() -> None:
    found = openclaw_summary("b" * 20_001, "\n\nsuffix", SUMMARY)
    assert utf16.length(found) == SUMMARY.max_chars
    assert found.endswith("b\n\n[Compaction summary truncated to fit budget]\n\nsuffix")
    whole = openclaw_summary("b" * 10, "s" * 20_001, SUMMARY)
    assert whole == "s" * SUMMARY.max_chars
    assert shortened("abcdef", 3) == "abc"
    assert openclaw_summary("🚀" * 9000, "\n\nx", SUMMARY).startswith("🚀")
    assert utf16.length(openclaw_summary("x", "🚀" * 8001 + "y", SUMMARY)) <= SUMMARY.max_chars


def test_the_lists_of_a_pi_summary_are_made_anew() -> None:
    files = FileOperations(("a",), ("b",), ())
    text = pi_summary("told", "turn", files)
    assert text.endswith("\n\n<read-files>\na\n</read-files>\n\n<modified-files>\nb\n</modified-files>")
    assert without_file_lists(text) == "told\n\n---\n\n**Turn Context (split turn):**\n\nturn"
    assert without_file_lists("no lists") == "no lists"
    assert pi_summary(None, "turn", FileOperations()).startswith("No prior history.\n\n---\n\n")


def test_an_earlier_summary_is_taken_over_without_what_is_made_anew() -> None:
    assert old_body(pi_summary("told", "turn", FileOperations(("a",)))) == "told\n\nturn"
    suffix = suffix_of([user("q")], [user("now")], FileOperations(("a",)), "rules", 3, SUMMARY)
    assert old_body(openclaw_summary("told", suffix, SUMMARY)) == "told"
    assert old_body(openclaw_summary("t" * 20_001, suffix, SUMMARY)).strip("t") == ""
    assert old_body("plain words") == "plain words"


def test_two_parts_of_one_summary_are_added_up() -> None:
    first = extractive_text([user("one")], None)
    both = pi_summary(first, extractive_text([user("two")], None), FileOperations(("a",)))
    found = extractive_text([user("three")], old_body(both))
    assert "- Scope: 3 earlier messages compacted (user=3, assistant=0, tool=0)." in found
    assert [f"  - user: {word}" in found for word in ("one", "two", "three")] == [True] * 3
    assert "---" not in found
    assert "read-files" not in found


def test_calls_and_results_in_the_text_for_a_model() -> None:
    odd: dict[str, Any] = {
        "role": "assistant",
        "content": [{"type": "toolUse", "name": "f", "input": [1]}, {"type": "functionCall"}],
    }
    assert conversation_text([odd], SUMMARY) == "[Assistant tool calls]: f([1]); ()"
    long = conversation_text([result("a", "🚀" * 1001)], SUMMARY)
    assert long.endswith("🚀\n\n[... 2 more characters truncated]")
    assert (
        conversation_text([{"role": "bashExecution", "command": "x", "excludeFromContext": True}], SUMMARY)
        == ""
    )


def test_files_of_calls_and_of_earlier_summaries() -> None:
    call: Any = {"type": "toolCall", "name": "write", "arguments": {"path": "w"}}
    other: Any = {"type": "toolUse", "name": "read", "input": {"path": "r"}}
    odd: list[Any] = [
        {"type": "toolCall", "name": "read"},
        {"type": "toolCall", "name": "bash", "arguments": {"path": "x"}},
        7,
    ]
    found = file_operations([{"role": "assistant", "content": [call, other, *odd]}, user("read")])
    assert found == FileOperations(("r",), ("w",), ())
    assert found.details() == {"readFiles": ["r"], "modifiedFiles": ["w"]}


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("## Red Lines\nx\n## Session Startup\ny", ("Session Startup", "Red Lines")),
        ("## Every Session\nx", ("Every Session",)),
        ("# Red Lines\nx", ()),
        (None, ()),
    ],
)
def test_the_rules_of_the_workspace(text: str | None, names: tuple[str, ...]) -> None:
    assert workspace_rules(text, for_version(DATA.reinjection, "2026.4.15")).names == names


def test_the_agents_own_settings_win() -> None:
    own = OwnBounds(5, 6, 7)
    config: dict[str, Any] = {
        "agents": {"defaults": {"compaction": {"keepRecentTokens": 9, "recentTurnsPreserve": 1}}}
    }
    found = openclaw_settings(config, {"compaction": {"reserveTokens": 30_000}}, own, WorkspaceRules(), DATA)
    assert (found.keep_recent_tokens, found.reserve_tokens, found.recent_turns) == (9, 30_000, 1)
    alone = openclaw_settings(None, None, own, WorkspaceRules("r", ("Red Lines",)), DATA)
    assert (alone.keep_recent_tokens, alone.reserve_tokens, alone.reinjected) == (5, 7, ("Red Lines",))
    default = openclaw_settings(None, None, OwnBounds(), WorkspaceRules(), DATA)
    assert default.reserve_tokens == reserve_floor({}, DATA.compaction)
    assert pi_settings({"compaction": {"keepRecentTokens": 3}}, own, DATA).keep_recent_tokens == 3
    assert pi_settings(None, own, DATA).reserve_tokens == 6
