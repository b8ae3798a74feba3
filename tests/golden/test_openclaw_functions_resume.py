"""OpenClaw's small functions, row by row: keys of conversations, and when a session starts anew."""

from __future__ import annotations

from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agentbrief.resume.freshness import daily_reset_ms, freshness
from agentbrief.resume.group_keys import group_name, group_of
from agentbrief.resume.parent_fork import parent_fork_max_tokens
from agentbrief.resume.peer_keys import peer_session_key, store_key, thread_session_key
from agentbrief.resume.reset_policy import ResetPolicy, channel_reset, reset_policy, reset_type, thread_of
from tests.golden.openclaw_cases import Row, openclaw_data, rows

DATA = openclaw_data()


@pytest.mark.parametrize(
    "row",
    rows("buildAgentPeerSessionKey", "resolveThreadSessionKeys", "toAgentStoreSessionKey"),
    ids=str,
)
def test_keys_of_peers_and_threads(row: Row) -> None:
    given = row.args[0]
    if row.fn == "buildAgentPeerSessionKey":
        found = peer_session_key(
            given["agentId"],
            given["channel"],
            given.get("peerId"),
            kind=given.get("peerKind") or "direct",
            scope=given.get("dmScope") or "main",
            account=given.get("accountId"),
            configured_main_key=given.get("mainKey"),
            identity_links=given.get("identityLinks"),
        )
        assert found == row.wanted
    elif row.fn == "resolveThreadSessionKeys":
        found = thread_session_key(
            given["baseSessionKey"], given.get("threadId"), with_suffix=given.get("useSuffix") is not False
        )
        assert {"sessionKey": found} == {
            name: value for name, value in row.wanted.items() if name != "parentSessionKey"
        }
    else:
        assert store_key(given["requestKey"] or "", given["agentId"], given.get("mainKey")) == row.wanted


@pytest.mark.parametrize("row", rows("buildGroupDisplayName", "resolveGroupSessionKey"), ids=str)
def test_keys_and_names_of_groups(row: Row) -> None:
    given = row.args[0]
    if row.fn == "buildGroupDisplayName":
        found = group_name(
            given["key"],
            channel=given.get("provider"),
            subject=given.get("subject"),
            group_channel=given.get("groupChannel"),
            space=given.get("space"),
            identifier=given.get("id"),
        )
        assert found == row.wanted
        return
    group = group_of(given.get("From"), given.get("ChatType"), given.get("Provider"))
    shown = group and {"key": group.key, "channel": group.channel, "id": group.id, "chatType": group.kind}
    assert shown == row.wanted


def shown_policy(found: ResetPolicy) -> dict[str, Any]:
    shown: dict[str, Any] = {"mode": found.mode, "atHour": found.at_hour}
    return shown if found.idle_minutes is None else shown | {"idleMinutes": found.idle_minutes}


@pytest.mark.parametrize("row", rows("resolveSessionResetPolicy"), ids=str)
def test_reset_policies(row: Row) -> None:
    given = row.args[0]
    found = reset_policy(
        given.get("sessionCfg") or {},
        given["resetType"],
        DATA.resets,
        by_channel=given.get("resetOverride"),
    )
    assert shown_policy(found) == row.wanted


@pytest.mark.parametrize("row", rows("resolveDailyResetAtMs", "evaluateSessionFreshness"), ids=str)
def test_freshness(row: Row) -> None:
    zone = ZoneInfo(row.tz)
    if row.fn == "resolveDailyResetAtMs":
        now_ms, hour = row.args
        assert daily_reset_ms(now_ms, hour, zone) == row.wanted
        return
    given = row.args[0]
    policy = ResetPolicy(
        given["policy"]["mode"], given["policy"]["atHour"], given["policy"].get("idleMinutes"), "reset"
    )
    found = freshness(given["updatedAt"], given["now"], policy, zone)
    shown = {
        "fresh": found.fresh,
        "dailyResetAt": found.daily_reset_ms,
        "idleExpiresAt": found.idle_expires_ms,
    }
    assert {name: value for name, value in shown.items() if value is not None} == row.wanted


@pytest.mark.parametrize(
    "row",
    rows("parseSessionThreadInfo", "resolveSessionResetType", "resolveChannelResetConfig"),
    ids=str,
)
def test_reset_types(row: Row) -> None:
    if row.fn == "parseSessionThreadInfo":
        base, thread = thread_of(row.args[0])
        shown = {"baseSessionKey": base, "threadId": thread}
        assert {name: value for name, value in shown.items() if value is not None} == row.wanted
        return
    given = row.args[0]
    if row.fn == "resolveSessionResetType":
        found = reset_type(
            given.get("sessionKey") or "",
            is_group=bool(given.get("isGroup")),
            is_thread=bool(given.get("isThread")),
        )
        assert found == row.wanted
    else:
        assert channel_reset(given.get("sessionCfg") or {}, given.get("channel")) == row.wanted


@pytest.mark.parametrize("row", rows("resolveParentForkMaxTokens"), ids=str)
def test_the_largest_parent_that_is_copied(row: Row) -> None:
    assert parent_fork_max_tokens((row.args[0] or {}).get("session") or {}, DATA.resets) == row.wanted
