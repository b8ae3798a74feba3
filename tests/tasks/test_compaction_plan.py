"""What is planned: by whose bounds, with whose summary, what is refused, and what a person is shown."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from agentbrief.compaction.pi.memory_notes import MemoryNotes
from agentbrief.compaction.providers.provider import CancelToken
from agentbrief.compaction.providers.registry import GROUP
from agentbrief.compaction.steering import RunningCompaction
from agentbrief.disk.refusal import Refused
from agentbrief.messages import LOCALES
from agentbrief.report.checkpoint_page import checkpoints_page, restore_page
from agentbrief.report.compaction_page import compaction_lines, compaction_page
from agentbrief.report.messages_text import messages_text
from agentbrief.tasks.compaction.apply import apply_compaction
from agentbrief.tasks.compaction.asked import CompactionAsked
from agentbrief.tasks.compaction.checkpoint_list import session_checkpoints
from agentbrief.tasks.compaction.checkpoint_restore import PlannedRestore, plan_checkpoint_restore
from agentbrief.tasks.compaction.plan import PlannedCompaction, without_notes
from agentbrief.tasks.compaction.providers import listed_providers
from agentbrief.tasks.compaction.shown import checkpoint_shown, compaction_view, restore_shown, seen_messages
from tests.compaction.test_copies import conversation as claude_transcript
from tests.compaction.test_copies import rollout as codex_rollout
from tests.tasks.compactions import (
    FORMATS,
    NOW_MS,
    OWN,
    TREES,
    Says,
    Sessions,
    caller,
    long_data,
    means,
    tree_data,
)

SMALL = CompactionAsked(preserve=2, max_tokens=0)
PRIVATE = "sk-ant-api03-" + "a1B2c3D4e5F6g7H8" * 5 + "AA"


def asked_of(kind: str, **more: Any) -> CompactionAsked:
    bounds: dict[str, Any] = {"max_tokens": 40} if kind in TREES else {"preserve": 2, "max_tokens": 0}
    return CompactionAsked(**{**bounds, **more})


def codes(planned: PlannedCompaction) -> list[tuple[str, str | int]]:
    assert planned.plan is not None
    return [(warning.code, warning.subject) for warning in planned.plan.warnings]


def trouble(planned: PlannedCompaction) -> tuple[str, str]:
    found = planned.outcome.trouble
    assert planned.outcome.ended == "failed"
    assert found is not None
    return found.trouble, found.detail


@pytest.mark.parametrize("kind", FORMATS)
def test_a_provider_is_asked_and_the_next_one_when_it_fails(kind: str, tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), kind, long_data(kind))
    bad, good = Says("bad", [RuntimeError("no")]), Says("editor", ["## Goal\n- fix src/a1.ts"])
    asked = asked_of(kind, providers=("nobody", "bad", "editor"), with_notes=False)
    planned = sessions.plan(asked, means(bad=bad, editor=good))
    assert planned.plan is not None
    assert planned.plan.provider == "editor"
    assert "- fix src/a1.ts" in planned.plan.summary
    assert ("provider-unknown", "nobody") in codes(planned)
    assert ("provider-failed", "bad") in codes(planned)
    assert good.asked
    apply_compaction(sessions.setup.fs, planned, caller())
    assert b"fix src/a1.ts" in sessions.path.read_bytes()


@pytest.mark.parametrize("kind", FORMATS)
def test_the_engine_without_a_model_is_the_last_in_any_case(kind: str, tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), kind, long_data(kind))
    only = Says("editor", ["I will summarise it."])
    planned = sessions.plan(asked_of(kind, providers=("editor",), with_notes=False), means(editor=only))
    assert planned.plan is not None
    assert planned.plan.provider == "extractive"
    assert ("provider-planning-only", "editor") in codes(planned)


@pytest.mark.parametrize("redacted", [True, False])
def test_a_program_gets_the_text_without_its_secrets(redacted: bool, tmp_path: Path) -> None:
    script = tmp_path / "summary.py"
    script.write_text("import sys\nopen(sys.argv[1], 'w').write(sys.stdin.read())\nprint('- done')\n")
    heard = tmp_path / "heard.txt"
    sessions = Sessions(
        tmp_path.resolve(), "claw-jsonl", long_data("claw-jsonl").replace(b"message 0", PRIVATE.encode()),
        compaction__command=(sys.executable, str(script), str(heard)),
        compaction__providers=("command",), compaction__redactForProviders=redacted,
    )  # fmt: skip
    planned = sessions.plan(SMALL)
    assert planned.plan is not None
    assert planned.plan.provider == "command"
    text = heard.read_text()
    assert ("message 1 about" in text, PRIVATE in text) == (True, not redacted)
    assert text.count("\n\n[") == len(planned.plan.removed) - 1


@pytest.mark.parametrize("redacted", [True, False])
def test_code_of_a_package_gets_the_messages_without_their_secrets(
    redacted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    third = Says("third", ["- done"])
    point = EntryPoint("third", f"{__name__}:make_third", GROUP)
    monkeypatch.setattr(sys.modules[__name__], "make_third", lambda: third, raising=False)
    monkeypatch.setattr("importlib.metadata.entry_points", lambda group, name: [point])
    sessions = Sessions(
        tmp_path.resolve(), "claw-jsonl", long_data("claw-jsonl").replace(b"message 0", PRIVATE.encode()),
        compaction__providers=("third",), compaction__redactForProviders=redacted,
    )  # fmt: skip
    planned = sessions.plan(SMALL)
    assert planned.plan is not None
    assert planned.plan.provider == "third"
    told = repr(third.asked)
    assert ("message 1 about" in told, PRIVATE in told) == (True, not redacted)


def test_no_program_is_started_in_a_workspace_that_is_not_trusted(tmp_path: Path) -> None:
    sessions = Sessions(
        tmp_path.resolve(), "port", long_data("port"),
        compaction__command=("/nowhere/at/all",), compaction__providers=("command", "package"),
    )  # fmt: skip
    setup = sessions.setup
    from dataclasses import replace

    names = [
        getattr(each, "id", getattr(each, "subject", "")) for each in listed_providers(setup, SMALL, means())
    ]
    assert names == ["command", "package", "extractive"]
    untrusted = listed_providers(replace(setup, trusted=False), SMALL, means())
    assert [getattr(each, "id", None) for each in untrusted] == ["extractive"]


def test_a_compaction_that_is_called_off_plans_nothing(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "port", long_data("port"))
    running: dict[str, RunningCompaction] = {}

    def interrupt(*more: Any) -> str:
        (current,) = running.values()
        assert current.steer("wait, first this", "interrupt") == "interrupted"
        return "too late"

    given = means(running, editor=Says("editor", [interrupt]))
    before = sessions.files(with_own=True)
    planned = sessions.plan(CompactionAsked(preserve=2, max_tokens=0, providers=("editor",)), given)
    assert (planned.outcome.ended, planned.plan) == ("cancelled", None)
    assert planned.outcome.waiting == ("wait, first this",)
    assert (running, sessions.files(with_own=True)) == ({}, before)


def test_a_second_compaction_of_a_session_waits_for_the_first(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "port", long_data("port"))
    running = {str(sessions.path): RunningCompaction(CancelToken())}
    assert sessions.plan(SMALL, means(running)).outcome.ended == "running"


@pytest.mark.parametrize("kind", OWN)
def test_the_triggers(kind: str, tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), kind, long_data(kind, 12, 40))
    assert sessions.plan(CompactionAsked("near-window")).outcome.ended == "not-due"
    assert sessions.plan(CompactionAsked("asked")).outcome.ended == "unchanged"
    planned = sessions.plan(CompactionAsked("overflow"))
    assert planned.outcome.ended == "planned"
    assert planned.plan is not None
    assert len(planned.plan.kept) == 4


def test_the_triggers_of_a_tree(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "openclaw", long_data("openclaw"))
    planned = sessions.plan(CompactionAsked("near-window", max_tokens=40))
    assert (planned.outcome.ended, planned.changes) == ("not-due", False)
    assert sessions.plan(CompactionAsked("overflow", max_tokens=40)).changes
    assert trouble(sessions.plan(CompactionAsked())) == ("no-messages", "too-small")


def test_until_it_fits(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "claw-jsonl", long_data("claw-jsonl", 20, 2000))
    wanted = sessions.plan(CompactionAsked())
    fitting = sessions.plan(CompactionAsked(until_fits=True))
    assert wanted.plan is not None
    assert fitting.plan is not None
    assert (len(wanted.plan.kept), len(fitting.plan.kept)) == (4, 2)
    assert fitting.plan.tokens_after < 10_000 <= wanted.plan.tokens_after


def test_the_settings_bound_a_compaction(tmp_path: Path) -> None:
    more = {"compaction__preserveRecentMessages": 3, "compaction__maxEstimatedTokens": 50}
    sessions = Sessions(tmp_path.resolve(), "port", long_data("port"), **more)
    planned = sessions.plan(CompactionAsked())
    assert planned.plan is not None
    assert planned.plan.config.record() == {"preserve_recent_messages": 3, "max_estimated_tokens": 50}
    assert len(planned.plan.kept) == 3


def configured(sessions: Sessions, **compaction: Any) -> None:
    config = {"agents": {"defaults": {"compaction": compaction}}}
    (sessions.home / ".openclaw" / "openclaw.json").write_text(json.dumps(config))


def of_version(sessions: Sessions, version: str) -> None:
    config = {"meta": {"lastTouchedVersion": version}}
    (sessions.home / ".openclaw" / "openclaw.json").write_text(json.dumps(config))


def test_the_agents_own_bounds_win_where_they_can_be_read(tmp_path: Path) -> None:
    more = {"compaction__keepRecentTokens": 60, "compaction__reserveTokens": 5}
    sessions = Sessions(tmp_path.resolve(), "openclaw", long_data("openclaw"), **more)
    planned = sessions.plan(CompactionAsked())
    assert planned.plan is not None
    assert planned.plan.config.keep_recent_tokens == 60
    configured(sessions, keepRecentTokens=700)
    planned = sessions.plan(CompactionAsked())
    assert planned.plan is not None
    assert planned.plan.config.keep_recent_tokens == 700
    assert sessions.plan(CompactionAsked(max_tokens=40)).plan != planned.plan


def test_openclaw_s_setting_takes_the_summarised_messages_out(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "openclaw", long_data("openclaw"))
    small = CompactionAsked(max_tokens=40)
    assert sessions.plan(small).data_after.startswith(sessions.path.read_bytes())
    configured(sessions, truncateAfterCompaction=True)
    assert len(sessions.plan(small).data_after) < len(sessions.path.read_bytes())
    kept = sessions.plan(replace(small, replace_transcript=False)).data_after
    assert kept.startswith(sessions.path.read_bytes())


@pytest.mark.parametrize(
    ("settings", "is_own", "is_strict"),
    [
        ({}, False, True),
        ({"identifierPolicy": "custom", "identifierInstructions": " Keep ticket names. "}, True, False),
        ({"identifierPolicy": "custom", "identifierInstructions": " "}, False, True),
        ({"identifierPolicy": "off", "identifierInstructions": "Keep ticket names."}, False, False),
    ],
)
def test_a_model_is_asked_with_the_user_s_words_on_identifiers(
    settings: dict[str, Any], is_own: bool, is_strict: bool, tmp_path: Path
) -> None:
    sessions = Sessions(
        tmp_path.resolve(), "openclaw", long_data("openclaw"), compaction__providers=("editor",)
    )
    configured(sessions, **settings)
    model = Says("editor", ["## Decisions\nnone\n"])
    sessions.plan(CompactionAsked(max_tokens=40), means(editor=model))
    assert model.asked
    told = str(model.asked[0])
    assert ("Keep ticket names." in told) == is_own
    assert ("letter by letter" in told) == is_strict


def test_pi_reads_its_settings_and_those_of_a_trusted_project(tmp_path: Path) -> None:
    root = tmp_path.resolve()
    said = [("user", "word " * 400), ("assistant", "word " * 400)] * 6
    sessions = Sessions(root, "pi", tree_data(said, cwd=str(root / "work")))
    own = {"compaction": {"keepRecentTokens": 600, "reserveTokens": 9}}
    (sessions.home / ".pi" / "agent" / "settings.json").write_text(json.dumps(own))
    (sessions.workspace / ".pi").mkdir()
    (sessions.workspace / ".pi" / "settings.json").write_text('{"compaction": {"keepRecentTokens": 1200}}')
    found: list[int | None] = []
    for trusted in (True, False):
        sessions.setup = replace(sessions.setup, trusted=trusted)
        planned = sessions.plan(CompactionAsked())
        assert planned.plan is not None
        found.append(planned.plan.config.keep_recent_tokens)
    assert found == [1200, 600]


def test_the_rules_of_the_workspace_stand_in_the_summary(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "openclaw", long_data("openclaw"))
    rules = "# Agent\n\n## Session Startup\nRead MEMORY.md\n\n## Red Lines\nNever push.\n\n##Other\n"
    of_version(sessions, "2026.4.15")
    (sessions.home / ".openclaw" / "workspace" / "AGENTS.md").write_text(rules)
    planned = sessions.plan(asked_of("openclaw"))
    assert planned.plan is not None
    assert planned.plan.reinjected == ("Session Startup", "Red Lines")
    assert "Never push." in planned.plan.summary
    page = compaction_page(compaction_view(sessions.setup, planned, means()), "en")
    assert "shows these sections of AGENTS.md again after a compaction" in page
    assert "Session Startup" in page


def test_a_near_miss_of_a_section_is_told(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "openclaw", long_data("openclaw"))
    of_version(sessions, "2026.3.2")
    (sessions.home / ".openclaw" / "workspace" / "AGENTS.md").write_text("##Red Lines\nNever push.\n")
    view = compaction_view(sessions.setup, sessions.plan(asked_of("openclaw")), means())
    assert view.again is not None
    assert [miss.kind for miss in view.again.misses] == ["no-blank"]
    assert "a blank must follow the hashes" in compaction_page(view, "en")


def test_memory_notes_are_a_step_that_can_be_left_out(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "openclaw", long_data("openclaw"))
    planned = sessions.plan(asked_of("openclaw"))
    assert isinstance(planned.notes, MemoryNotes)
    assert planned.plan is not None
    assert planned.notes.step in planned.plan.steps
    bare = without_notes(planned)
    assert bare.plan is not None
    assert planned.notes.step not in bare.plan.steps
    assert bare.notes is None
    notes = Path(planned.notes.path)
    assert notes == sessions.home / ".openclaw" / "workspace" / "memory" / "2026-11-30.md"
    notes.parent.mkdir()
    notes.write_bytes(b"# Mine\n")
    with pytest.raises(Refused):
        apply_compaction(sessions.setup.fs, planned, caller())
    assert notes.read_bytes() == b"# Mine\n"
    apply_compaction(sessions.setup.fs, bare, caller())
    assert notes.read_bytes() == b"# Mine\n"
    assert "memoryFlushAt" not in sessions.entry()


@pytest.mark.parametrize(
    ("more", "settings", "written"),
    [
        ({}, {}, True),
        ({"with_notes": False}, {}, False),
        ({}, {"memoryFlush": {"enabled": False}}, False),
        ({"notes": "remember the red lines"}, {}, True),
    ],
)
def test_when_notes_are_saved(more: Any, settings: Any, written: bool, tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "openclaw", long_data("openclaw"))
    configured(sessions, **settings)
    planned = sessions.plan(asked_of("openclaw", **more))
    apply_compaction(sessions.setup.fs, planned, caller())
    found = list((sessions.home / ".openclaw" / "workspace").rglob("*.md"))
    assert bool(found) == written
    assert ("memoryFlushAt" in sessions.entry()) == written
    assert sessions.entry()["compactionCount"] == 3
    if "notes" in more:
        assert "remember the red lines" in found[0].read_text()
    # once a cycle, and the compaction has begun the next one
    again = sessions.plan(asked_of("openclaw", with_notes=True))
    assert again.notes is None or not written or again.notes.source == "facts"


def test_a_sandbox_that_may_not_write_has_no_notes(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "openclaw", long_data("openclaw"))
    config = {"agents": {"defaults": {"sandbox": {"mode": "all", "workspaceAccess": "ro"}}}}
    (sessions.home / ".openclaw" / "openclaw.json").write_text(json.dumps(config))
    assert sessions.plan(asked_of("openclaw", notes="mine")).notes is None


@pytest.mark.parametrize(
    ("place", "data", "told"),
    [
        (".claude/projects/-w/s.jsonl", claude_transcript(), "Is lost until Claude Code next reads"),
        (".codex/sessions/2026/09/20/rollout-2026-09-20T10-00-00-" + "2" * 8 + "-2222-4222-8222-" + "2" * 12
         + ".jsonl", codex_rollout(), "sends the text from the start of the run"),
    ],
)  # fmt: skip
def test_foreign_transcripts_go_into_a_copy_only(place: str, data: bytes, told: str, tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "claw-jsonl", b"")
    sessions.path = sessions.home / place
    sessions.path.parent.mkdir(parents=True)
    sessions.path.write_bytes(data)
    before = sessions.files(with_own=True)
    assert trouble(sessions.plan(SMALL)) == ("in-place-refused", "")
    output = str(sessions.workspace / "s.compacted.jsonl")
    planned = sessions.plan(CompactionAsked(preserve=2, max_tokens=0, output=output))
    apply_compaction(sessions.setup.fs, planned, caller())
    assert Path(output).read_bytes() == planned.data_after
    after = sessions.files(with_own=True)
    assert {path: after[path] for path in before} == before
    view = compaction_view(sessions.setup, planned, means())
    assert told in compaction_page(view, "en")
    assert planned.plan is not None
    assert len(seen_messages(planned.file, planned.data_after)) == len(planned.plan.kept) + 1
    assert [each.text for each in view.kept] == [
        each.text for each in seen_messages(planned.file, data)[-len(view.kept) :]
    ]


@pytest.mark.parametrize(
    ("why", "detail"),
    [("running", "running"), ("database", "database"), ("newer", "newer-version"), ("old", "old-version")],
)
def test_what_is_not_changed_in_place(why: str, detail: str, tmp_path: Path) -> None:
    data = long_data("openclaw")
    if why in ("newer", "old"):
        data = data.replace(b'"version": 3', b'"version": 9' if why == "newer" else b'"version": 1')
    sessions = Sessions(tmp_path.resolve(), "openclaw", data)
    if why == "running":
        text = sessions.store.read_text().replace('"updatedAt": 5', '"status": "running", "updatedAt": 5')
        sessions.store.write_text(text)
    elif why == "database":
        database = sessions.path.parent.parent / "agent" / "openclaw-agent.sqlite"
        database.parent.mkdir()
        database.write_bytes(b"x")
    planned = sessions.plan(asked_of("openclaw"))
    assert trouble(planned) == ("in-place-refused", detail)
    for locale in LOCALES:
        page = compaction_page(compaction_view(sessions.setup, planned, means()), locale)
        assert "s-1.jsonl" in page


@pytest.mark.parametrize("data", [b"{", b'{"a":1}\n', b"\0" * 40])
@pytest.mark.parametrize("kind", ["claw-jsonl", "port", "openclaw"])
def test_a_file_that_is_no_session_has_no_plan(kind: str, data: bytes, tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), kind, data)
    planned = sessions.plan(asked_of(kind))
    assert planned.outcome.ended == "failed"
    assert planned.outcome.trouble is not None


def test_a_store_that_cannot_be_read_is_left_alone(tmp_path: Path) -> None:
    sessions = Sessions(tmp_path.resolve(), "openclaw", long_data("openclaw"))
    sessions.store.write_bytes(b"{broken")
    planned = sessions.plan(asked_of("openclaw"))
    assert ("store-not-read", "sessions.json") in codes(planned)
    apply_compaction(sessions.setup.fs, planned, caller())
    assert sessions.store.read_bytes() == b"{broken"
    assert len(session_checkpoints(sessions.setup, sessions.file).rows) == 1


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("kind", FORMATS)
def test_every_page_in_every_language_without_a_secret(kind: str, locale: str, tmp_path: Path) -> None:
    data = (
        long_data(kind)
        .replace(b"message 11 ", PRIVATE.encode() + b" ")
        .replace(b"message 1 ", PRIVATE.encode() + b" ")
    )
    sessions = Sessions(tmp_path.resolve(), kind, data)
    planned = sessions.plan(asked_of(kind))
    view = compaction_view(sessions.setup, planned, means(), f"my {PRIVATE}")
    before = messages_text(seen_messages(planned.file, planned.data))
    after = messages_text(seen_messages(planned.file, planned.data_after))
    texts = [compaction_page(view, locale), "\n".join(compaction_lines(view, locale)), before, after]
    apply_compaction(sessions.setup.fs, planned, caller())
    found = session_checkpoints(sessions.setup, sessions.file)
    rows = [checkpoint_shown(row) for row in found.rows]
    texts.append(checkpoints_page(f"my {PRIVATE}", rows, (3, None, 5), locale))
    assert found.rows[0].id in texts[-1]
    restore = plan_checkpoint_restore(sessions.setup.fs, found, found.rows[0].id, NOW_MS, means().new_uuid)
    assert isinstance(restore, PlannedRestore)
    texts.append(restore_page(restore_shown(restore, f"my {PRIVATE}"), locale))
    for text in (texts[0], *texts[2:]):
        assert PRIVATE not in text
    assert before != after
    assert checkpoints_page("t", [], (1, 1, 1), locale).count("\n") == 3
