"""``agentbrief sessions``: contracts, exit codes, languages; what is written, and what never is."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.cli.shell import ROOT, Done, run
from tests.data_folders import CORPORA, records
from tests.redact.secret_cases import cases, leaks
from tests.server.conftest import digest
from tests.sessions.claude_code.written import assistant, call, file_of, result, user
from tests.tasks.homes import CLAUDE_ID, Home, built, claude_session, put

FOREIGN = ("claude-code", "codex", "openclaw", "pi", "claw-code")


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return built(tmp_path)


def sessions(home: Home, *words: str, **more: Any) -> Done:
    return run("sessions", *words, cwd=home.workspace, home=home.home, **more)


def test_list_json(home: Home) -> None:
    done = sessions(home, "list", "--json")
    assert done.code == 0
    assert set(done.json) >= {"sessions", "looked_in", "problems"}
    assert [each["agent"] for each in done.json["sessions"]] == list(home.all)
    keys = {"id", "agent", "title", "turns", "tokens", "size", "state", "path", "format"}
    assert all(keys <= set(each) for each in done.json["sessions"])
    first = done.json["sessions"][0]
    assert (first["id"], first["title"], first["turns"], first["state"]) == (
        "plan",
        "Plan the release",
        2,
        "idle",
    )
    assert first["size"] == home.port.stat().st_size
    assert all(os.path.isabs(each["path"]) for each in done.json["sessions"])


def test_list_for_people(home: Home) -> None:
    lines = sessions(home, "list").out.split("\n")
    assert lines[0].split() == ["Session", "Agent", "Title", "Turns", "Tokens", "Size", "Changed", "State"]
    assert "登录页重定向" in lines[4]
    assert "82k" in lines[3], "the agent's own number"
    assert "~14" in lines[2], "an estimate looks like one"
    narrow = sessions(home, "list", "--width", "100").out.split("\n")
    assert "…" in narrow[3]
    assert "会话" in sessions(home, "list", "--locale", "zh-cn").out


def test_list_of_another_folder_and_of_all(home: Home, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    done = sessions(home, "list", str(other))
    assert (done.code, done.out) == (0, "")
    assert "Looked in" in done.err
    assert len(sessions(home, "list", str(other), "--all", "--json").json["sessions"]) == 4
    assert sessions(home, "list", str(tmp_path / "none")).code == 3
    agents = sessions(home, "list", "--agent", "codex", "--agent", "pi", "--json").json["sessions"]
    assert [each["agent"] for each in agents] == ["codex", "pi"]
    assert sessions(home, "list", "--agent", "nobody").code == 2
    assert [
        each["agent"] for each in sessions(home, "list", "--find", "LOGIN", "--json").json["sessions"]
    ] == ["claude-code"]


def test_settings_from_a_file(home: Home, tmp_path: Path) -> None:
    config = put(tmp_path / "config.json", b'{"readHomeSessions": false}')
    assert [
        each["agent"] for each in sessions(home, "list", "--json", "--config", str(config)).json["sessions"]
    ] == [
        "claw",
        "claw-code",
    ]


@pytest.mark.parametrize("agent", ["claw", *FOREIGN])
def test_show_json_is_the_contract(home: Home, agent: str) -> None:
    done = sessions(home, "show", str(home.all[agent]), "--json")
    assert done.code == 0
    found = done.json
    keys = {
        "format",
        "path",
        "session_id",
        "agent",
        "messages",
        "issues",
        "tokens",
        "lines",
        "parsed",
        "torn_tail",
    }
    assert keys <= set(found)
    assert (found["agent"], found["path"], found["torn_tail"]) == (agent, str(home.all[agent]), False)
    assert found["messages"]
    for message in found["messages"]:
        assert message["role"] in ("system", "user", "assistant", "tool")
        assert all("type" in block for block in message["blocks"])
    assert isinstance(found["tokens"]["estimated"], int)
    assert ("reported" in found["tokens"]) == (agent not in ("claw", "claw-code"))
    assert found["issues"] == []
    assert found["parsed"] == found["lines"]


def test_show_says_what_is_wrong(home: Home) -> None:
    home.claude.write_bytes(claude_session(home.workspace) + b'{"broken\n{"torn')
    found = sessions(home, "show", str(home.claude), "--json").json
    assert [(each["line"], each["code"]) for each in found["issues"]] == [(7, "not-json"), (8, "torn-tail")]
    assert (found["lines"], found["parsed"], found["torn_tail"]) == (8, 6, True)
    text = sessions(home, "show", str(home.claude)).out
    assert "line 8  torn last line (6 bytes)" in text
    assert "Fix the login redirect" in text


def test_a_session_is_named_by_path_by_id_or_as_the_newest(home: Home) -> None:
    for reference in (str(home.claude), CLAUDE_ID, os.path.relpath(home.claude, home.workspace)):
        assert sessions(home, "show", reference, "--json").json["path"] == str(home.claude)
    assert sessions(home, "show", "latest", "--json").json["path"] == str(home.port)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("show", "/w/none.jsonl"), 3, "There is no such file"),
        (("show", "nobody"), 3, "No session nobody"),
        (("show", "."), 3, "no plain file"),
        (("show",), 2, "FILE"),
        (("history", "none.jsonl"), 3, "No session"),
        (("nothing",), 2, "invalid choice"),
        ((), 2, "VERB"),
        (("repair", "plan"), 2, "--output"),
        (("trash", "nobody"), 3, "No session nobody"),
        (("append", "nobody", "--text", "x"), 3, "There is no such session"),
        (("append", "plan"), 2, "--text"),
        (("append", "plan", "--role", "king", "--text", "x"), 2, "invalid choice"),
        (("save", session := "c:x"), 2, "no session id"),
    ],
)
def test_wrong_words(home: Home, words: tuple[str, ...], code: int, said: str) -> None:
    before = digest(home.workspace.parent)
    done = sessions(home, *words)
    assert (done.code, said in done.err) == (code, True), done.err
    assert "Traceback" not in done.err
    assert digest(home.workspace.parent) == before


def test_check(home: Home) -> None:
    assert sessions(home, "check", str(home.codex)).code == 0
    data = claude_session(home.workspace)
    lines = data.split(b"\n")
    lines[1] += lines[1]
    home.codex.with_name("x").write_bytes(b"")
    home.claude.write_bytes(b"\n".join(lines))
    done = sessions(home, "check", str(home.claude), "--json")
    assert done.code == 1
    assert [(each["line"], each["code"]) for each in done.json["issues"]] == [(2, "two-records")]
    assert {"transcript-merged-line"} <= {each["code"] for each in done.json["findings"]}
    text = sessions(home, "check", str(home.claude)).out
    assert "line 2  two records joined (2 whole, can be recovered)" in text
    assert sessions(home, "check", str(home.claude), "--fail-on", "never").code == 0


def test_repair(home: Home, tmp_path: Path) -> None:
    home.claude.write_bytes(claude_session(home.workspace) + bytes(40) + b"\n")
    before = home.claude.read_bytes()
    copy = tmp_path / "copy.jsonl"
    dry = sessions(home, "repair", str(home.claude), "--output", str(copy), "--dry-run", "--json")
    assert (dry.code, dry.json["needed"], dry.json["written"], copy.exists()) == (1, True, False, False)
    done = sessions(home, "repair", str(home.claude), "--output", str(copy))
    assert done.code == 0, done.err
    assert copy.read_bytes() == claude_session(home.workspace)
    assert json.loads((tmp_path / "copy.bad.jsonl").read_text())["line"] == 7
    assert home.claude.read_bytes() == before
    again = sessions(home, "repair", str(home.claude), "--output", str(copy))
    assert again.code == 3
    assert "That name is taken" in again.err
    assert sessions(home, "repair", str(copy), "--output", str(tmp_path / "b.jsonl"), "--dry-run").code == 0


def test_history_goes_to_the_output_or_to_a_file(home: Home) -> None:
    done = sessions(home, "history", str(home.claude))
    assert done.code == 0
    assert done.out.startswith("# Fix the login redirect\n")
    assert "Tool call" not in done.out
    assert "<details>" in sessions(home, "history", str(home.claude), "--level", "tools").out
    done = sessions(home, "history", str(home.claude), "-o", "out.md")
    assert (done.code, done.out) == (0, "")
    target = home.workspace / "out.md"
    assert target.stat().st_mode & 0o777 == 0o600
    assert sessions(home, "history", str(home.claude), "-o", "out.md").code == 3


@pytest.mark.parametrize(("answer", "written"), [(b"y\n", True), (b"n\n", False), (b"", False)])
def test_secrets_are_written_only_after_a_yes(home: Home, answer: bytes, written: bool) -> None:
    secret = "ghp_" + "FAKE" * 9
    home.claude.write_bytes(file_of(user("u", None, f"use {secret}", cwd=str(home.workspace))))
    done = sessions(home, "history", str(home.claude), "--no-redact", "-o", "out.md", given=answer)
    target = home.workspace / "out.unredacted.md"
    assert (done.code, target.exists()) == ((0, True) if written else (3, False))
    assert secret not in done.out + done.err
    if written:
        assert secret in target.read_text()
    assert not (home.workspace / "out.md").exists()


def test_the_setting_asks_too(home: Home, tmp_path: Path) -> None:
    config = put(tmp_path / "config.json", b'{"export": {"redact": false}}')
    done = sessions(home, "history", str(home.claude), "--config", str(config), given=b"\n")
    assert (done.code, done.out) == (3, "")


def test_a_session_s_life(home: Home) -> None:
    assert sessions(home, "new", "--id", "n1", "--dry-run").code == 1
    assert not home.port.with_name("n1.json").exists()
    assert sessions(home, "new", "--id", "n1").out == "n1\n"
    assert sessions(home, "append", "n1", "--text", "Hello").code == 0
    assert (
        sessions(home, "append", "n1", "--role", "assistant", "--text", "-", given="Hi 你好\n".encode()).code
        == 0
    )
    assert sessions(home, "append", "n1", "--text", "x", "--dry-run").code == 1
    top = json.loads(home.port.with_name("n1.json").read_text())
    assert [top["messages"][0], top["messages"][1]["blocks"][0]["text"]] == ["Hello", "Hi 你好\n"]
    assert sessions(home, "save", "n1", "--dry-run").code == 0
    assert sessions(home, "flush", "n1", "--dry-run").code == 1
    assert sessions(home, "flush", "n1", "--json").json["entries"] == 2
    assert sessions(home, "flush", "n1", "--json").json["entries"] == 0
    assert sessions(home, "trash", "n1", "--dry-run").code == 1
    done = sessions(home, "trash", "n1", "--json")
    assert [Path(each).name for each in done.json["trashed"]] == ["n1.json", "n1.transcript.jsonl"]
    assert sessions(home, "show", "n1").code == 3


def test_an_id_of_its_own(home: Home) -> None:
    first = sessions(home, "new").out.strip()
    assert first.startswith("session-")
    assert home.port.with_name(f"{first}.json").exists()


@pytest.mark.parametrize("form", ["json", "jsonl"])
def test_a_session_of_claw_code(home: Home, tmp_path: Path, form: str) -> None:
    config = put(tmp_path / "config.json", json.dumps({"claw": {"newSessionFormat": form}}).encode())
    done = sessions(home, "new", "--store", "claw-code", "--id", "c1", "--json", "--config", str(config))
    assert done.json["path"].endswith(f"c1.{form}")
    assert sessions(home, "append", "c1", "--text", "Hello").code == 0
    found = sessions(home, "show", "c1", "--json").json
    assert (found["agent"], found["messages"][0]["blocks"][0]["text"]) == ("claw-code", "Hello")


def test_durability_of_a_process_writes_the_same(home: Home, tmp_path: Path) -> None:
    config = put(tmp_path / "config.json", b'{"durability": "process"}')
    assert sessions(home, "new", "--id", "n1", "--config", str(config)).code == 0
    assert home.port.with_name("n1.json").exists()


IDS = [each for each in records(CORPORA / "traversal.jsonl") if "id" in each["entry"] and "payload" in each]


def test_no_spelling_leads_out(home: Home, tmp_path: Path) -> None:
    """Every refused identifier, by every verb that takes one; in one process each verb, to be quick."""
    before = digest(home.workspace.parent)
    script = (
        "import sys, json\n"
        f"sys.path[:0] = {[str(ROOT / 'server'), str(ROOT / 'features')]!r}\n"
        "opened = []\n"
        "from agentbrief_server.cli import main\n"
        "from agentbrief_server.cli import sessions_append, sessions_save, sessions_flush, sessions_trash\n"
        "from agentbrief_server.cli import sessions_new\n"
        "sys.addaudithook(lambda e, a: opened.append(str(a[0])) if e in ('open', 'os.listdir', 'os.scandir') "
        "and not str(a[0]).endswith(('.py', '.pyc', '.json')) and isinstance(a[0], str) else None)\n"
        "for payload in json.load(open(sys.argv[1])):\n"
        "    for words in (['append', payload, '--text', 'x'], ['save', payload], ['flush', payload],\n"
        "                  ['trash', payload], ['new', '--id', payload]):\n"
        "        del opened[:]\n"
        "        try:\n"
        "            code = main(['sessions', *words])\n"
        "        except SystemExit as ended:\n"
        "            code = ended.code\n"
        "        assert code == 2, (words, code)\n"
        "        assert not [each for each in opened if 'shop' in each or 'home' in each], (words, opened)\n"
    )
    import subprocess
    import sys

    payloads = put(tmp_path / "payloads.json", json.dumps([each["payload"] for each in IDS]).encode())
    done = subprocess.run(
        [sys.executable, "-c", script, str(payloads)],
        cwd=home.workspace,
        env={"HOME": str(home.home), "PATH": os.environ["PATH"], "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr[-2000:]
    payloads.unlink()
    assert digest(home.workspace.parent) == before


@pytest.mark.parametrize("case", records(CORPORA / "ids-accepted.jsonl"), ids=lambda case: case["id"])
def test_plain_identifiers_work(home: Home, case: dict[str, Any]) -> None:
    assert sessions(home, "new", "--id", case["value"]).code == 0
    assert home.port.with_name(f"{case['value']}.json").exists()


def audited(home: Home, *words: str, given: bytes = b"") -> tuple[Done, list[str]]:
    """A command, and each file that it opened for writing or changed."""
    notes = home.workspace.parent / "audit.txt"
    notes.unlink(missing_ok=True)
    paths = [str(ROOT / "server"), str(ROOT / "features"), str(ROOT / "tests" / "audit")]
    done = run(
        "sessions",
        *words,
        cwd=home.workspace,
        home=home.home,
        given=given,
        PYTHONPATH=os.pathsep.join(paths),
        AUDIT_FILE=str(notes),
    )
    lines = notes.read_text().split("\n") if notes.exists() else []
    notes.unlink(missing_ok=True)
    return done, [line for line in lines if line]


def test_no_verb_writes_to_a_foreign_transcript(home: Home) -> None:
    put(home.openclaw.parents[1] / "agent" / "openclaw-agent.sqlite", b"SQLite format 3\0")
    home.claude.write_bytes(home.claude.read_bytes() + b"{torn")
    before = digest(home.home)
    names = {path.name for path in home.home.rglob("*") if path.is_file()}
    number = 0
    for path in (home.claude, home.codex, home.openclaw):
        identifier = CLAUDE_ID if path == home.claude else path.stem
        for words in (
            ("list",),
            ("list", "--all", "--find", "zzz"),
            ("show", str(path)),
            ("show", str(path), "--json"),
            ("check", str(path)),
            ("history", str(path)),
            ("history", str(path), "-o", "out{n}.md"),
            ("history", str(path), "--no-redact", "-o", "out{n}.md"),
            ("repair", str(path), "--output", "copy{n}.jsonl"),
            ("repair", str(path), "--output", "copy{n}.jsonl", "--dry-run"),
            ("append", identifier, "--text", "x"),
            ("save", identifier),
            ("flush", identifier),
            ("trash", identifier),
            ("compact", str(path), "--dry-run"),
            ("compact", str(path), "--preserve", "1"),
            ("compact", str(path), "--preserve", "1", "--output", "compacted{n}.jsonl"),
            ("checkpoints", str(path)),
            ("restore", str(path), "k0001"),
            ("steer", str(path), "--text", "x"),
            ("memory-flush", str(path)),
        ):
            number += 1
            asked = [word.replace("{n}", str(number)) for word in words]
            _, written = audited(home, *asked, given=b"y\n")
            told = [line for line in written if any(name in line for name in names) or str(home.home) in line]
            assert told == [], (asked, told)
    assert digest(home.home) == before
    assert sessions(home, "trash", CLAUDE_ID).code == 3


def test_reading_writes_nothing(home: Home) -> None:
    before = digest(home.workspace.parent)
    for words in (("list",), ("show", "plan"), ("check", "plan"), ("history", "plan"), ("list", "--all")):
        _, written = audited(home, *words)
        assert written == [], words
    assert digest(home.workspace.parent) == before


def test_no_secret_leaves(home: Home) -> None:
    """Every shape in every context, on every way out of the command line."""
    found = cases()
    messages = [
        user("u0", None, found[0].text, cwd=str(home.workspace), gitBranch=found[1].text[:200]),
        *(
            record
            for number, case in enumerate(found)
            for record in (
                user(f"u{number}x", "u0", case.text, cwd=str(home.workspace)),
                assistant(
                    f"a{number}",
                    f"u{number}x",
                    call(f"c{number}", "Bash", command=case.text, **{"k": [case.text]}),
                ),
                result(f"r{number}", f"a{number}", f"c{number}", case.text),
            )
        ),
    ]
    home.claude.write_bytes(file_of(*messages))
    said = []
    for words in (
        ("list",), ("list", "--json"), ("show", str(home.claude)), ("show", str(home.claude), "--full"),
        ("show", str(home.claude), "--json"), ("check", str(home.claude)),
        ("check", str(home.claude), "--json"),
        ("history", str(home.claude), "--level", "everything"), ("history", str(home.claude)),
    ):  # fmt: skip
        done = sessions(home, *words)
        said.append((words, done.out + done.err))
    leaking = [(case.name, words) for words, text in said for case in found if leaks(case.secret, text)]
    assert leaking == []
