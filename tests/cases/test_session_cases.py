"""The reported situations that concern sessions: what is found, what stays quiet, and the numbers."""

from __future__ import annotations

import os
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from agentbrief.disk.seam import FS
from agentbrief.messages import say
from agentbrief.profiles.load import profile, profile_ids
from agentbrief.profiles.strategies.claude import claude_slug
from agentbrief.profiles.windows import window_of
from agentbrief.rules.finding import Finding
from agentbrief.rules.registry import rules
from agentbrief.sessions.formats import claude_code
from agentbrief.sessions.formats.claude_chain import chain_of
from agentbrief.sessions.formats.codex_transcript import look as look_at_rollout
from agentbrief.sessions.listing import by_cwd
from agentbrief.sessions.model import Usage
from agentbrief.sessions.usage import distinct, session_usage, summed
from agentbrief.tasks.sessions.agent import AgentStore, store_of
from agentbrief.tasks.sessions.scene import Surroundings, judged, scene_of
from tests.cases.areas import SUPPORTED, supported
from tests.cases.build import Built, UserCase, build, slug, user_cases
from tests.data_folders import CASES as DATA
from tests.data_folders import is_own

RULES = rules()
CASES = [case for case in user_cases() if supported(case)]


def versions(case: UserCase) -> Iterable[tuple[str, str, dict[str, Any]]]:
    """Agent, version and what is expected, of the case and of each of its variants."""
    yield case.repro["agent"], case.repro["version"], case.expected
    for variant in case.expected.get("variants", ()):
        yield (
            variant.get("agent", case.repro["agent"]),
            variant.get("version", case.repro["version"]),
            variant,
        )


def looked(built: Built, agent: str, version: str) -> tuple[AgentStore, tuple[Finding, ...]]:
    """The store and the findings, all transcripts of the case read."""
    repro = built.case.repro
    shown = profile(agent, None if version == "any" else version)
    fs = FS()
    store = store_of(fs, shown, built.home, built.env)
    folders = tuple(built.path(each) for each in repro.get("workspace_folders", [repro["cwd"]]))
    around = Surroundings(folders, built.now_ms, built.env, model=repro.get("model"))
    return store, judged(scene_of(fs, store, around, [each.path for each in store.sessions]))


@pytest.mark.parametrize("case", CASES, ids=str)
def test_case(case: UserCase, tmp_path: Path) -> None:
    if case.expected.get("pure"):
        check_slugs(case)
        return
    if case.repro["platform"] == "win32":
        pytest.skip("paths of Windows")
    built = build(case, tmp_path, time.time())
    for agent, version, expected in versions(case):
        store, findings = looked(built, agent, version)
        for finding in findings:
            assert say("zh-tw", finding.message, **dict(finding.arguments))
            assert profile(agent).title in say("en", finding.message, **dict(finding.arguments))
        check_findings(built, expected, findings)
        check_sizes(built, expected, findings)
        check_numbers(built, store)


def check_findings(built: Built, expected: dict[str, Any], findings: tuple[Finding, ...]) -> None:
    codes = [finding.code for finding in findings]
    if expected["code"] == "none":
        assert [finding for finding in findings if finding.severity in ("error", "warning")] == []
    else:
        matching = [finding for finding in findings if finding.code == expected["code"]]
        assert matching, codes
        if "count" in expected:
            assert len(matching) == expected["count"]
        if "severity" in expected:
            assert {finding.severity for finding in matching} == {expected["severity"]}
        if "reason" in expected:
            assert expected["reason"] in [finding.reason for finding in matching]
        if "file_line" in expected:
            assert expected["file_line"] in [finding.line for finding in matching]
            assert {finding.path for finding in matching} == {built.transcripts[0]}
        if "file" in expected:
            assert built.path(expected["file"]) in [finding.path for finding in matching]
        if "files" in expected:
            assert {finding.path for finding in matching} == {built.path(each) for each in expected["files"]}
        if "cause" in expected:
            assert expected["cause"] in [dict(finding.data).get("cause") for finding in matching]
        if "line" in expected:
            assert expected["line"] in [finding.line for finding in matching]
        if "lines" in expected:
            assert expected["lines"] == sorted({finding.line for finding in matching})
        if "lost_until_read" in expected:
            lost = {built.path(each) for each in expected["lost_until_read"]}
            assert {finding.path for finding in matching} == lost
            assert lost.isdisjoint(map(built.path, expected.get("survives", ())))
    assert set(expected.get("also", ())) <= set(codes)
    assert set(expected.get("absent", ())).isdisjoint(codes)
    for path in expected.get("quiet", ()):
        assert [
            each for each in findings if each.path == built.path(path) and each.code == expected["code"]
        ] == []


def check_sizes(built: Built, expected: dict[str, Any], findings: tuple[Finding, ...]) -> None:
    """The numbers that the finding itself has to name."""
    data = [dict(finding.data) for finding in findings if finding.code == expected["code"]]
    names = {"copies": "copies", "wasted_tokens_est": "tokens", "threshold": "threshold", "pre_tokens": "pre"}
    names |= {"window": "window", "context_used": "used", "days_left": "days"}
    for key, name in names.items():
        if key in expected:
            assert expected[key] in [each.get(name) for each in data], key
    if "percent_of_window" in expected:
        shares = [each.get("percent", int(each.get("permille", 0)) / 10) for each in data]
        assert expected["percent_of_window"] in shares
    if "suggest" in expected:
        assert built.path(expected["suggest"]) in [each.get("suggestion") for each in data]
    if "missing" in expected:
        found = [value for each in findings for name, value in each.data if name == "missing"]
        assert found == expected["missing"]
    if "share" in expected:
        assert [each["type"] for each in data] == [expected["share"]["type"]]
        assert int(data[0]["permille"]) >= 1000 * expected["share"]["min"]


def check_numbers(built: Built, store: AgentStore) -> None:
    """What the readers say beside the findings."""
    expected = built.case.expected
    if "slugs" in expected or "slug_prefix" in expected:
        check_slugs(built.case)
    if "groups" in expected:
        found = {built.name(cwd or ""): len(each) for cwd, each in by_cwd(store.sessions).items()}
        assert found == expected["groups"]
    if not built.transcripts:
        return
    if store.profile.id == "codex":
        if "usage" in expected:
            check_rollout_usage(built, expected["usage"])
        return
    first = read(built.transcripts[0])
    if "bad_lines" in expected:
        assert bad_lines(first) == expected["bad_lines"]
    for key, reach in {
        "chain": first.chain.reach(),
        "chain_without_recovery": chain_of(first.entries, with_recovered=False).reach(),
        "chain_display": first.chain.reach(),
        "chain_model": first.chain.model_reach(),
    }.items():
        if key in expected:
            assert {**reach._asdict(), "dangling": list(reach.dangling)} == expected[key]
    if "recoverable" in expected:
        assert [each for damage in first.lines.damage for each in damage.recovered] == expected["recoverable"]
    if "branch_points" in expected:
        assert [fork.parent_id for fork in claude_code.facts_of(first).two_writers] == expected[
            "branch_points"
        ]
    if "usage" in expected:
        check_usage(built, expected["usage"])


def read(path: str) -> claude_code.ClaudeTranscript:
    return claude_code.look(Path(path).read_bytes(), path)


def bad_lines(found: claude_code.ClaudeTranscript) -> list[list[Any]]:
    words = {"nul-run": "nul", "two-records": "two-records", "spliced": "spliced"}
    lines = [[damage.line, words.get(damage.code, "cut")] for damage in found.lines.damage]
    return lines + ([[found.lines.torn_tail.line, "torn-tail"]] if found.lines.torn_tail else [])


def check_slugs(case: UserCase) -> None:
    sessions = profile("claude-code").sessions
    assert sessions is not None and sessions.slug is not None
    for path, name in case.expected.get("slugs", {}).items():
        assert claude_slug(path, sessions.slug) == name
    if "slug_prefix" in case.expected:
        prefix = case.expected["slug_prefix"]
        assert claude_slug(case.repro["cwd"], sessions.slug).startswith(prefix)
        assert len(prefix) <= sessions.slug.max
        assert slug(case.repro["cwd"]) != prefix


def check_usage(built: Built, wanted: dict[str, Any]) -> None:
    transcripts = [read(path) for path in built.transcripts]
    calls = [call for transcript in transcripts for call in transcript.calls]
    check_total(summed(calls), summed(distinct(calls)), wanted)
    if "per_session" in wanted:
        found = {each.session_id: session_usage(each.calls).total for each in transcripts}
        assert found == wanted["per_session"]
    if "context_used" in wanted:
        assert claude_code.context_of(transcripts[0].chain).tokens == wanted["context_used"]


def check_rollout_usage(built: Built, wanted: dict[str, Any]) -> None:
    rollout = look_at_rollout(Path(built.transcripts[0]).read_bytes(), built.transcripts[0])
    naive = summed(())
    for event in rollout.events:
        naive = Usage(*(one + other for one, other in zip(parts(naive), parts(event.last), strict=True)))
    check_total(naive, summed(rollout.calls()), wanted)
    facts = looked(built, "codex", built.case.repro["version"])[0]
    assert facts.sessions[0].sketch.used_tokens == wanted.get(
        "context_used", facts.sessions[0].sketch.used_tokens
    )
    if "window" in wanted:
        window = window_of(profile("codex").windows, None, stated=facts.sessions[0].sketch.window_tokens)
        assert window.tokens == wanted["window"]


def parts(usage: Usage) -> tuple[int, int, int, int]:
    return usage.input, usage.output, usage.cache_creation_input, usage.cache_read_input


def check_total(naive: Usage, counted: Usage, wanted: dict[str, Any]) -> None:
    if "naive" in wanted:
        assert naive.total == wanted["naive"]
    assert counted.total == wanted["total"]
    if "output_tokens" in wanted:
        assert counted.output == wanted["output_tokens"]


@pytest.mark.skipif(not is_own(DATA), reason="another set of cases need not have each area")
@pytest.mark.parametrize(("area", "ids"), sorted(SUPPORTED.items()))
def test_what_is_not_run_here_is_run_elsewhere(area: str, ids: frozenset[str] | None) -> None:
    known = {case.id for case in user_cases() if case.area == area}
    assert known, f"no case of area {area}"
    assert ids is None or ids <= known


def test_profiles_of_the_cases_are_there() -> None:
    missing = {case.repro["agent"] for case in CASES} - set(profile_ids())
    assert missing == set(), f"{missing}: {os.sep}"
