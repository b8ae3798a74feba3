"""C: a session of 50 MB planned, against one pass of orjson over its lines."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from agentbrief.compaction.claw.claw_file import claw_file
from agentbrief.compaction.claw.engine import config_of, extractive_summary
from agentbrief.compaction.claw.job import FileJob
from agentbrief.compaction.layers import Clock, run
from agentbrief.compaction.pi.bounds import pi_settings
from agentbrief.compaction.pi.briefed import Briefed, Briefing
from agentbrief.compaction.pi.job import PiJob, pi_job
from agentbrief.compaction.pi.pi_source import PiSource
from agentbrief.compaction.plan import CompactionPlan, NotPlanned, Written
from agentbrief.compaction.providers.extractive import EXTRACTIVE, Extractive
from agentbrief.profiles.load import profile
from agentbrief.sessions.claw.text import json_text
from agentbrief.sessions.model import SessionRef
from agentbrief.sessions.pi.quick import transcript_at_leaf
from agentbrief.sessions.pi.tree import NoTranscript
from agentbrief.tasks.compaction.asked import CompactionAsked
from agentbrief.tasks.compaction.bounds import own_bounds
from agentbrief.tasks.settings import Settings
from agentbrief.tasks.store.look import openclaw_data
from agentbrief_server.cli import quiet_collector
from benchmarks.goals import Goal, against
from benchmarks.inputs import Bench
from benchmarks.make_transcripts import Writer
from benchmarks.measure import by_turns, inside

SIZE = 50_000_000
META = b'{"created_at_ms":1,"session_id":"session-1-0","type":"session_meta","updated_at_ms":2,"version":1}\n'
LINE_END = b"\n"
NEVER_COMPACTED = (b'{"type":"compaction",', b'{"type":"custom",')
PI_PATH = "/w/s.jsonl"
PATH = "/w/.claw/sessions/session-1-0.jsonl"


def area(bench: Bench) -> Iterator[Goal]:
    """The goals of issue "Compaction" on time."""
    if find_spec("orjson") is None:
        yield Goal("C1", "boundary and numbers", note="orjson is not there")
        return
    quiet_collector()
    data = bench.made(f"claw-{SIZE}.jsonl", make_session).read_bytes()
    config = config_of(profile("claw"))

    def job() -> FileJob:
        file = claw_file(data, PATH, None)
        assert not isinstance(file, NotPlanned)
        return FileJob(file, config, 1)

    def whole() -> CompactionPlan:
        found = job()
        cut = found.cuts()[0]
        summary = extractive_summary(found.removed(cut), found.previous_summary)
        plan = found.plan(cut, Written(summary, EXTRACTIVE))
        assert isinstance(plan, CompactionPlan)
        assert plan.steps
        return plan

    samples = by_turns(
        {
            "orjson pass": inside(lambda: one_pass(data)),
            "boundary and numbers": inside(lambda: job().cuts()),
            "whole plan": inside(whole),
        },
        bench.rounds,
    )
    lines, megabytes = data.count(b"\n"), len(data) / 1e6
    what = f"{megabytes:.0f} MB, {lines:,} lines"
    yield against("C1", f"plan, {what}", samples, "boundary and numbers", "orjson pass", 1.5)
    yield against("C2", f"plan with summary, {what}", samples, "whole plan", "orjson pass", 8.0)
    yield from of_pi(bench)


def of_pi(bench: Bench) -> Iterator[Goal]:
    """The same for transcripts of pi: one that was compacted before, and one of which all is summarised."""
    data = bench.transcript("pi", SIZE).read_bytes()
    yield from of_transcript("pi", data, bench.rounds)
    yield from of_transcript("pi, all summarised", data.replace(*NEVER_COMPACTED), bench.rounds)


def of_transcript(name: str, data: bytes, rounds: int) -> Iterator[Goal]:
    """The goals for the transcript ``data`` of pi."""
    bounds = pi_settings({}, own_bounds(Settings(), CompactionAsked()), openclaw_data(), None)

    def job() -> PiJob:
        transcript = transcript_at_leaf(data)
        assert not isinstance(transcript, NoTranscript)
        source = PiSource(SessionRef(PI_PATH, "pi", "s", True), data, None, transcript)
        found = pi_job(source, bounds, now_ms=1, new_uuid=lambda: str(uuid.uuid4()))
        assert not isinstance(found, NotPlanned)
        return found

    def whole() -> CompactionPlan:
        found = job()
        provider = Briefed(Extractive(config_of(profile("claw"))), found, Briefing())
        outcome = run(PI_PATH, {}, "asked", found, (provider,), Clock(lambda: 0, 1000))
        assert outcome.plan is not None
        assert outcome.plan.steps
        return outcome.plan

    samples = by_turns(
        {
            "orjson pass": inside(lambda: one_pass(data)),
            "boundary and numbers": inside(lambda: job().cuts()),
            "whole plan": inside(whole),
        },
        rounds,
    )
    what = f"{name}, {len(data) / 1e6:.0f} MB, {data.count(LINE_END):,} lines"
    yield against("C1", f"plan, {what}", samples, "boundary and numbers", "orjson pass", 1.5)
    yield against("C2", f"plan with summary, {what}", samples, "whole plan", "orjson pass", 8.0)


def one_pass(data: bytes) -> None:
    """Every line decoded and thrown away."""
    import orjson

    for line in data.split(b"\n"):
        if line:
            orjson.loads(line)


def make_session(path: Path) -> None:
    """A session of claw-code with the shape of real ones: prompts, replies with calls, results."""
    writer = Writer(5, 0.0)
    written = 0
    with path.open("wb") as file:
        file.write(META)
        while written < SIZE:
            for message in turn(writer):
                line = json_text({"type": "message", "message": message}).encode() + b"\n"  # type: ignore[dict-item]
                file.write(line)
                written += len(line)


def turn(writer: Writer) -> Iterator[dict[str, object]]:
    chance = writer.random
    if chance.random() < 0.2:
        yield {"role": "user", "blocks": [{"type": "text", "text": writer.text(writer.size(5, 1, 10, 4000))}]}
    name, given = writer.tool_call()
    call = writer.named_id("toolu_")
    blocks: list[dict[str, object]] = []
    if chance.random() < 0.7:
        blocks.append({"type": "text", "text": writer.text(writer.size(5.3, 1, 10, 5000))})
    blocks.append(
        {"type": "tool_use", "id": call, "name": name, "input": json.dumps(given, ensure_ascii=False)}
    )
    usage = {
        "input_tokens": 5, "output_tokens": chance.randrange(5, 1500), "cache_creation_input_tokens": 10,
        "cache_read_input_tokens": 30_000,
    }  # fmt: skip
    yield {"role": "assistant", "blocks": blocks, "usage": usage}
    result = {"type": "tool_result", "tool_use_id": call, "tool_name": name, "is_error": False}
    yield {"role": "tool", "blocks": [{**result, "output": writer.tool_result()}]}
