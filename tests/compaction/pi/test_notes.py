"""Notes before a compaction: whose they are, and how they get to the end of the file of the day."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agentbrief.compaction.openclaw.flush import FlushSettings, flush_settings
from agentbrief.compaction.pi.extractive import facts_of
from agentbrief.compaction.pi.memory_notes import NotesFile, facts_text, memory_notes
from agentbrief.compaction.pi.notes_answer import asked_for_notes
from agentbrief.compaction.plan import PlanWarning
from agentbrief.compaction.providers.provider import CancelToken, Deadline
from agentbrief.disk.values import Stamp
from agentbrief.sessions.model import Message, Text
from tests.compaction.pi.test_asking import Asked, failing
from tests.golden.openclaw_cases import NOW, openclaw_data

DATA = openclaw_data()
FLUSH = flush_settings({}, DATA)


def notes(*providers: Any) -> tuple[str | None, str, list[str]]:
    assert isinstance(FLUSH, FlushSettings)
    found = asked_for_notes(
        providers,
        [Message("user", (Text("remember"),))],
        FLUSH,
        Deadline(100, lambda: 0),
        CancelToken(),
        config={},
        now_ms=NOW,
        host_zone=ZoneInfo("UTC"),
    )
    return found.text, found.provider, [warning.code for warning in found.warnings]


def test_the_first_provider_that_answers_writes_the_notes() -> None:
    good = Asked(lambda number: "- a fact")
    engine = Asked(lambda number: "never", reads=False)
    listed = (
        PlanWarning("provider-unknown", "x"),
        engine,
        Asked(failing(9)),
        Asked(lambda number: " "),
        good,
    )
    assert notes(*listed) == ("- a fact", "asked", ["provider-unknown", "provider-failed", "provider-empty"])
    assert "memory/2026-03-05.md" in good.calls[0][2][0]
    assert notes(engine) == (None, "", [])


MESSAGES: list[dict[str, Any]] = [
    {"role": "user", "content": "please fix src/a.ts"},
    {"role": "assistant", "content": "the next step is a test"},
]


@pytest.mark.parametrize(
    ("more", "source", "text"),
    [
        ({"given": " own words "}, "user", "own words"),
        ({"given": " ", "answer": "- told"}, "provider", "- told"),
        ({"answer": "NO_REPLY"}, "provider", None),
        ({}, "facts", "- Asked for:\n  - please fix src/a.ts"),
    ],
)
def test_whose_notes_are_saved(more: dict[str, Any], source: str, text: str | None) -> None:
    found = memory_notes(NotesFile("/w/memory/d.md"), MESSAGES, title="At noon", **more)
    assert found.source == source
    if text is None:
        assert (found.text, found.step) == ("", None)
    else:
        assert found.text.startswith(f"## At noon\n\n{text}")
        assert found.step is not None
        assert (found.step.data, found.step.stamp) == (found.text.encode(), None)
        assert found.step.makes_folder


@pytest.mark.parametrize(("old", "between"), [(b"# Day\n", b"\n"), (b"# Day", b"\n\n")])
def test_notes_are_added_behind_what_is_there(old: bytes, between: bytes) -> None:
    stamp = Stamp(1, 2, 3, 4)
    found = memory_notes(NotesFile("/w/memory/d.md", old, stamp), [], title="t", given="x")
    assert found.step is not None
    assert found.step.data == old + between + b"## t\n\nx\n"
    assert found.step.stamp == stamp


def test_nothing_to_note_is_noted_nowhere() -> None:
    assert memory_notes(NotesFile("/w/d.md"), [], title="t").step is None
    assert facts_text(facts_of([])) == ""
