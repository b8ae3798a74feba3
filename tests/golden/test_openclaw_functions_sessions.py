"""OpenClaw's small functions, row by row: names of files, places, session keys, history limits."""

from __future__ import annotations

import os
from typing import Any

import pytest

from agentbrief.resume.held import Held
from agentbrief.resume.limits import history_limit, last_turns
from agentbrief.resume.session_key import chat_type, is_acp, key_shape, subagent_depth
from agentbrief.sessions.store import keys as store_keys
from agentbrief.sessions.store.names import archive_time_ms, is_archive, is_transcript
from agentbrief.sessions.store.transcript_place import store_path, transcript_place
from tests.golden.openclaw_cases import Row, rows

NAMES: dict[str, Any] = {
    "isSessionArchiveArtifactName": is_archive,
    "isPrimarySessionTranscriptFileName": is_transcript,
    "parseSessionArchiveTimestamp": archive_time_ms,
}


@pytest.mark.parametrize("row", rows(*NAMES), ids=str)
def test_what_a_name_is(row: Row) -> None:
    assert NAMES[row.fn](*row.args) == row.wanted


@pytest.mark.parametrize("row", rows("resolveSessionTranscriptPathInDir", "resolveSessionFilePath"), ids=str)
def test_where_a_transcript_lies(row: Row) -> None:
    session_id, *rest = row.args
    if row.fn == "resolveSessionTranscriptPathInDir":
        folder, topic = [*rest, None][:2]
        spelled = ""
    else:
        entry, options = [*rest, None][:2]
        folder, topic = options["sessionsDir"], None
        spelled = (entry or {}).get("sessionFile") or ""
    session_id = session_id or ""
    if isinstance(row.wanted, dict):
        with pytest.raises(ValueError, match="bad-id"):
            transcript_place(session_id, spelled, folder, topic=topic)
        return
    found = transcript_place(session_id, spelled, folder, topic=topic)
    assert found.path == row.wanted
    assert found.ignored == (bool(spelled.strip()) and found.path != os.path.join(folder, spelled.strip()))


@pytest.mark.parametrize("row", rows("resolveStorePath"), ids=str)
def test_where_a_store_lies(row: Row) -> None:
    template, options = [*row.args, None][:2]
    agent = (options or {}).get("agentId", "main")
    assert store_path(template, agent, "/home/user/.openclaw", "/home/user") == row.wanted


def parsed(key: str) -> dict[str, str] | None:
    found = store_keys.agent_and_rest(key)
    return found and {"agentId": found[0], "rest": found[1]}


KEYS: dict[str, Any] = {
    "parseAgentSessionKey": parsed,
    "isCronSessionKey": store_keys.is_cron,
    "isCronRunSessionKey": store_keys.is_cron_run,
    "isSubagentSessionKey": store_keys.is_subagent,
    "getSubagentDepth": subagent_depth,
    "isAcpSessionKey": is_acp,
    "deriveSessionChatType": chat_type,
    "resolveThreadParentSessionKey": store_keys.thread_parent,
    "classifySessionKeyShape": key_shape,
}


@pytest.mark.parametrize("row", rows(*KEYS), ids=str)
def test_what_a_key_says(row: Row) -> None:
    assert KEYS[row.fn](row.args[0] or "") == row.wanted


@pytest.mark.parametrize("row", rows("normalizeAgentId", "normalizeMainKey"), ids=str)
def test_normal_names(row: Row) -> None:
    functions = {"normalizeAgentId": store_keys.normal_id, "normalizeMainKey": store_keys.main_key}
    assert functions[row.fn](row.args[0]) == row.wanted


@pytest.mark.parametrize("row", rows("getHistoryLimitFromSessionKey"), ids=str)
def test_the_limit_of_a_key(row: Row) -> None:
    key, config = [*row.args, None][:2]
    assert history_limit(key or "", config) == row.wanted


@pytest.mark.parametrize("row", rows("limitHistoryTurns"), ids=str)
def test_the_last_turns(row: Row) -> None:
    messages, limit = [*row.args, None][:2]
    held = [Held(message, at) for at, message in enumerate(messages)]
    assert [item.value for item in last_turns(held, limit)] == row.wanted
