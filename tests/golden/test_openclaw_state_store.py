"""The recorded operations on a store: how sessions begin and end, commands of the gateway, scheduled jobs."""

from __future__ import annotations

import json
import math
import os
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import pytest

from agentbrief.compaction.openclaw.entry_after import after_lines_were_cut
from agentbrief.compaction.openclaw.keep_lines import keep_last_lines
from agentbrief.disk.seam import FS
from agentbrief.jsonio import JsonValue, dumps
from agentbrief.maintenance.cron import (
    plan_cron_sweep,
    run_log_limits,
    run_log_name,
    shortened_log,
)
from agentbrief.resume.session_end import delete_session
from agentbrief.resume.session_start import Inbound, PutAway, start_session
from agentbrief.sessions.pi.fork import branched_session
from agentbrief.sessions.pi.messages import messages_of
from agentbrief.sessions.pi.read import read_transcript
from agentbrief.sessions.pi.tree import PiTranscript
from agentbrief.sessions.preview import preview
from agentbrief.sessions.store.folder import StoreFolder, read_store_folder
from agentbrief.sessions.store.names import archive_name
from agentbrief.sessions.store.text import REMOVED, Removed, edited
from tests.golden.openclaw_cases import (
    Case,
    assert_lines_match,
    assert_matches,
    build,
    cases,
    in_place,
    openclaw_data,
    text_of,
)

DATA = openclaw_data()
SESSIONS = "agents/main/sessions"
NEW_ID = "0f0f0f0f-1111-4222-8333-555555555555"


class State:
    """A state folder that plans are carried out in, with plain file calls."""

    def __init__(self, case: Case, root: Path) -> None:
        self.case = case
        self.root = root
        files = in_place(case.input["files"], {"dir": str(root), "state": str(root)})
        build(root, files, case.now)
        self.before = {name: text_of(content) for name, content in files.items()}
        self.sessions = root / SESSIONS

    def folder(self) -> StoreFolder:
        found = read_store_folder(
            FS(), str(self.sessions / "sessions.json"), "main", frozenset({str(self.root.resolve())})
        )
        assert isinstance(found, StoreFolder)
        return found

    def change(self, changes: dict[str, JsonValue | Removed]) -> None:
        store = self.sessions / "sessions.json"
        if changes:
            store.write_text(edited(store.read_text(encoding="utf-8"), changes), encoding="utf-8")

    def rename(self, files: tuple[PutAway, ...]) -> list[str]:
        for file in files:
            (self.sessions / file.name).rename(self.sessions / file.new_name)
        return [str(self.sessions / file.new_name) for file in files]

    def check(self, known: dict[str, str]) -> None:
        """Compare the folder with what the case wants of it."""
        wanted: dict[str, Any] | None = self.case.wanted.get("filesAfter")
        if wanted is None:
            wanted = dict.fromkeys(self.before, "<unchanged>")
        names = {spelled(name, known): name for name in wanted}
        found = {path.relative_to(self.root).as_posix() for path in self.root.rglob("*") if path.is_file()}
        assert found == set(names)
        for name, written in names.items():
            content = (self.root / name).read_bytes()
            if wanted[written] == "<unchanged>":
                assert content.decode("utf-8") == self.before[name]
            elif isinstance(wanted[written], dict):
                store = json.loads(content)
                assert len(store) == len(wanted[written])
                assert_matches(store, wanted[written], known)
            else:
                old = "\n".join(self.before.values())
                assert_lines_match(content, wanted[written], old, known)


def spelled(name: str, known: dict[str, str]) -> str:
    for mark, value in known.items():
        name = name.replace(f"<{mark}>", value)
    return name


def inbound(ctx: dict[str, Any]) -> Inbound:
    return Inbound(
        ctx["Body"],
        ctx.get("SessionKey"),
        ctx.get("From"),
        ctx.get("ChatType"),
        ctx.get("Provider"),
        ctx.get("OriginatingChannel") or ctx.get("Surface"),
        bool(ctx.get("CommandAuthorized")),
        ctx.get("ParentSessionKey"),
        ctx.get("MessageThreadId"),
        ctx.get("ThreadLabel"),
        ctx.get("Provider") in ("heartbeat", "cron-event", "exec-event"),
    )


@pytest.mark.parametrize("case", cases("state", {"init_session"}), ids=str)
def test_how_a_session_begins(case: Case, tmp_path: Path) -> None:
    state = State(case, tmp_path)
    request = case.input["request"]
    start = start_session(
        state.folder(),
        inbound(request["ctx"]),
        request.get("cfg") or {},
        DATA.resets,
        now_ms=case.now,
        host_zone=ZoneInfo(case.tz),
        new_id=NEW_ID,
    )
    known = {"dir": str(tmp_path)}
    if start.is_new:
        known["uuid1"] = NEW_ID
    assert_matches(
        {
            "isNewSession": start.is_new,
            "resetTriggered": start.reset_triggered,
            "sessionKey": start.key,
            "sessionId": start.session_id,
            "bodyStripped": start.body,
            "sessionEntry": start.entry,
            "previousSessionId": start.previous_session_id,
            "systemSent": start.system_sent,
        },
        case.wanted["result"],
        known,
    )
    absent = {"totalTokens", "inputTokens", "outputTokens", "memoryFlushAt", "memoryFlushCompactionCount"}
    assert not start.is_new or absent.isdisjoint(start.entry)
    if start.fork is not None:
        parent = state.sessions / start.fork.parent_name
        data = parent.read_bytes()
        transcript = read_transcript(data)
        assert isinstance(transcript, PiTranscript)
        made = branched_session(
            data,
            transcript,
            transcript.tree.leaf_id,
            now_ms=case.now,
            new_uuid=lambda: NEW_ID,
            parent_session=str(parent),
        )
        assert made.name == start.fork.new_name
        (state.sessions / made.name).write_bytes(made.content)
    state.rename(start.put_away)
    state.change(dict(start.changes))
    state.check(known)


def deleted(state: State, given: dict[str, Any]) -> dict[str, Any]:
    keep = given.get("deleteTranscript") is False
    end = delete_session(state.folder(), given["key"], now_ms=state.case.now, keep_transcript=keep)
    if end.refused == "main-session":
        error = {"code": "INVALID_REQUEST", "message": f"Cannot delete the main session ({end.key})."}
        return {"ok": False, "payload": None, "error": error}
    archived = state.rename(end.put_away)
    state.change(dict(end.changes))
    payload = {"ok": True, "key": end.key, "deleted": end.done, "archived": archived}
    return {"ok": True, "payload": payload, "error": None}


def most_lines(wanted: Any) -> int:
    """What upstream makes of ``maxLines``: a number rounded down, at least 1, else its default."""
    is_number = isinstance(wanted, int | float) and not isinstance(wanted, bool)
    return max(1, math.floor(wanted)) if is_number else DATA.compaction.keep_lines


def cut_to_lines(state: State, given: dict[str, Any]) -> dict[str, Any]:
    folder = state.folder()
    entry = folder.store.get(given["key"])
    payload: dict[str, Any] = {"ok": True, "key": given["key"], "compacted": False}
    if entry is None or entry.session_id is None:
        payload["reason"] = "no sessionId"
    elif not (names := folder.files_of(entry)):
        payload["reason"] = "no transcript"
    else:
        path = state.sessions / names[0]
        kept = keep_last_lines(path.read_bytes(), most_lines(given.get("maxLines")))
        payload["kept"] = kept.kept
        if kept.content is not None:
            backup = state.sessions / archive_name(names[0], "bak", state.case.now)
            backup.write_bytes(path.read_bytes())
            path.write_bytes(kept.content)
            state.change({entry.key: after_lines_were_cut(entry, state.case.now)})
            payload |= {"compacted": True, "archived": str(backup)}
    return {"ok": True, "payload": payload, "error": None}


def previewed(state: State, given: dict[str, Any]) -> dict[str, Any]:
    folder = state.folder()
    previews: list[dict[str, Any]] = []
    for key in given["keys"]:
        entry = folder.store.get(key)
        names = folder.files_of(entry) if entry else ()
        if not names:
            previews.append({"key": key, "status": "missing", "items": []})
            continue
        transcript = read_transcript((state.sessions / names[0]).read_bytes())
        assert isinstance(transcript, PiTranscript)
        messages = messages_of(transcript.tree.path_to(transcript.tree.leaf_id))
        items = [
            {"role": item.role, "text": item.text}
            for item in preview(messages, given.get("limit", 12), given.get("maxChars", 240))
        ]
        previews.append({"key": key, "status": "ok" if items else "empty", "items": items})
    return {"ok": True, "payload": {"ts": state.case.now, "previews": previews}, "error": None}


METHODS = {"sessions.delete": deleted, "sessions.compact": cut_to_lines, "sessions.preview": previewed}


def of_the_store(case: Case) -> bool:
    """Whether a case asks for commands on the store; those on checkpoints have their own test."""
    return all(method in METHODS for method, _ in case.input["request"])


@pytest.mark.parametrize("case", [case for case in cases("state", {"rpc"}) if of_the_store(case)], ids=str)
def test_commands_of_the_gateway(case: Case, tmp_path: Path) -> None:
    state = State(case, tmp_path)
    found = [{"method": method, **METHODS[method](state, given)} for method, given in case.input["request"]]
    known = {"dir": str(tmp_path)}
    assert_matches(found, case.wanted["result"], known)
    state.check(known)


@pytest.mark.parametrize("case", cases("state", {"cron_sweep"}), ids=str)
def test_old_runs_of_jobs_are_swept(case: Case, tmp_path: Path) -> None:
    state = State(case, tmp_path)
    sweep = plan_cron_sweep(state.folder(), case.input["request"].get("cron") or {}, DATA.cron, case.now)
    assert {"swept": sweep.swept, "pruned": sweep.pruned} == case.wanted["result"]
    for item in sweep.items:
        path = state.sessions / item.what
        if item.action == "drop-entry":
            assert item.entry is not None
            state.change(dict.fromkeys(item.entry.stored, REMOVED))
        elif item.action == "archive":
            path.rename(state.sessions / str(item.new_name))
        else:
            path.unlink()
    state.check({"dir": str(tmp_path)})


@pytest.mark.parametrize("case", cases("state", {"cron_run_log"}), ids=str)
def test_the_log_of_a_job_keeps_its_last_lines(case: Case, tmp_path: Path) -> None:
    state = State(case, tmp_path)
    request = case.input["request"]
    limits = run_log_limits({"runLog": request.get("runLog")}, DATA.cron)
    log = b""
    for number in range(1, request["n"] + 1):
        record: dict[str, JsonValue] = {
            "ts": case.now + number,
            "jobId": "job",
            "action": "finished",
            "status": "ok",
            "summary": "s" * 20,
        }
        log += dumps(record) + b"\n"
        shortened = shortened_log(log, limits)
        log = log if shortened is None else shortened
    stamps = [json.loads(line)["ts"] - case.now for line in log.split(b"\n") if line]
    assert {
        "options": {"maxBytes": limits.max_bytes, "keepLines": limits.keep_lines},
        "lines": len(stamps),
        "first": stamps[0],
        "last": stamps[-1],
        "bytes": len(log),
    } == case.wanted["result"]
    name = run_log_name("job")
    assert name is not None
    path = tmp_path / "cron/runs" / name
    os.makedirs(path.parent)
    path.write_bytes(log)
    state.check({})
