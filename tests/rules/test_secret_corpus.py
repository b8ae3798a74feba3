"""The rule on secrets over the corpora: what is told and what not, what a message shows, what a fix does."""

from __future__ import annotations

import hashlib
import os
import random
import string
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as hypothesis_settings
from hypothesis import strategies as st

from agentbrief.disk.files import DiskFiles
from agentbrief.disk.seam import FS
from agentbrief.jsonio import JsonValue
from agentbrief.messages import LOCALES, say
from agentbrief.profiles.load import profile, profile_ids
from agentbrief.redact import KINDS, secrets
from agentbrief.rules.finding import Finding, Fix
from agentbrief.rules.registry import rule
from agentbrief.rules.secret_signs import may_hold_secret
from agentbrief.rules.secrets_told import VARIABLES, looks_random, secrets_told, shown
from agentbrief.tasks.judge import judge
from agentbrief.tasks.mend import applied
from agentbrief.tasks.settings import parse
from agentbrief.tasks.setup import Setup
from tests.data_folders import CORPORA, records
from tests.redact.secret_cases import SECRETS, SecretCase, cases, leaks, secret_of, whole_of
from tests.rules.test_hidden_text_corpus import scene_of

CODE = "secret-in-instructions"
CASES = cases()

BY_SURROUNDINGS = {
    "bearer-token", "basic-auth", "url-password",
    "password-value", "api-key-value", "token-value", "secret-value",
}  # fmt: skip
"""Kinds that count only if they look random; most of the corpus are made of words."""

COUNTING = {"00112233", "12345678"}


def may_be_quiet(record: dict[str, Any]) -> bool:
    """Whether the corpus's secret is one that masking hides and the rule need not tell.

    A value that counts by its surroundings alone, an example, or a row that counts up.
    """
    parts = set(record["parts"])
    return record["kind"] in BY_SURROUNDINGS or "EXAMPLE" in secret_of(record) or bool(parts & COUNTING)


RECORDS = {record["id"]: record for record in SECRETS}
SURE = [record for record in SECRETS if not may_be_quiet(record)]


def found_in(text: str, profile_id: str = "claw") -> list[Finding]:
    return list(rule(CODE).check(scene_of(text, profile_id)))


def fixes_of(finding: Finding, text: str) -> dict[str, Fix]:
    fix = rule(CODE).fix
    assert fix is not None
    return {each.id: each for each in fix(finding, text)}


def marked(record: dict[str, Any]) -> str:
    """The kind that an export marks the secret with."""
    marker: str = record["marker"]
    return marker.removeprefix("[redacted:").removesuffix("]")


def said(finding: Finding, locale: str = "en") -> str:
    return say(locale, finding.message, **dict(finding.arguments))


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_each_secret_in_each_context(case: SecretCase) -> None:
    findings = found_in(case.text)
    kinds = [dict(each.data)["kind"] for each in findings]
    record = RECORDS[case.name.split("-", 1)[0]]
    if not may_be_quiet(record):
        assert marked(record) in kinds
    # The name of a variable may hold the words of a private key's first line.
    size = 12 if record["kind"] == "private-key" else 7
    for finding in findings:
        assert (finding.code, finding.severity) == (CODE, "warning")
        for locale in LOCALES:
            assert len(said(finding, locale)) <= 130
            assert leaks(case.secret, said(finding, locale), size) == []
        assert leaks(case.secret, repr(finding), size) == []
        for fix in fixes_of(finding, case.text).values():
            assert leaks(case.secret, repr(fix), size) == []


def test_the_corpus_has_both() -> None:
    assert len(SURE) > len(SECRETS) / 2
    quiet = [record for record in SECRETS if not found_in(f"see {whole_of(record)}")]
    assert {record["kind"] for record in quiet} >= {"password-value", "url-password", "twilio-key"}


@pytest.mark.parametrize("record", SURE, ids=lambda each: each["id"])
def test_the_fix_replaces_the_secret_alone(record: dict[str, Any]) -> None:
    text = f"# Rules\n\nsee {whole_of(record)}"
    kind = marked(record)
    finding = next(each for each in found_in(text) if dict(each.data)["kind"] == kind)
    replace = fixes_of(finding, text)["replace-secret"]
    assert replace.confirm
    assert not replace.safe
    assert not replace.preferred
    assert replace.expected_sha256 == hashlib.sha256(text.encode()).hexdigest()
    assert applied(text, replace.edits) == text.replace(secret_of(record), f"${VARIABLES[kind]}")
    assert VARIABLES[kind] in say("en", replace.title, **dict(replace.title_arguments))
    rotation = fixes_of(finding, text)["show-rotation"]
    assert (rotation.command, rotation.edits) == ("agentbrief.secret.showRotation", ())
    assert set(fixes_of(finding, "other " + text)) == {"show-rotation"}


@pytest.mark.parametrize("case", records(CORPORA / "non-secrets.jsonl"), ids=lambda case: case["id"])
def test_what_is_no_secret(case: dict[str, Any]) -> None:
    text = "".join(case["parts"])
    assert found_in(text) == []
    assert found_in(f"# Rules\n\n- Use this: {text}\n- and `{text}`.\n") == []


@pytest.mark.parametrize("name", ["hidden-text", "hidden-text-clean"])
def test_whole_instruction_files_without_secrets(name: str) -> None:
    assert [case["id"] for case in records(CORPORA / f"{name}.jsonl") if found_in(case["text"])] == []


def test_every_agent_has_the_rule_and_every_kind_its_words() -> None:
    assert rule(CODE).setting == "diagnostics.secrets"
    for profile_id in profile_ids():
        assert rule(CODE).holds_for(profile(profile_id))
    assert set(VARIABLES) == set(KINDS)
    for kind in KINDS:
        for locale in LOCALES:
            assert say(locale, f"{CODE}.{kind}", shown="abcdef…wxyz")


@pytest.mark.parametrize("kind", KINDS)
def test_a_message_shows_at_most_a_third(kind: str) -> None:
    for size in range(80):
        value = "".join(random.Random(size).choices(string.ascii_letters, k=size))
        told = shown(kind, value)
        assert told == "***" or 3 * (len(told) - 1) <= size
        if kind in ("private-key", "password-value", "url-password", "basic-auth"):
            assert told == "***"
    assert shown("github-token", "ghp_FA" + "x" * 30 + "abcd") == "ghp_FA…abcd"


@pytest.mark.parametrize(
    ("before", "value", "after", "kind"),
    [
        ("password: ", "xK9#mQ2v!pL7", "\n", "password-value"),
        ("**Token:** `", "9f86d081884c7d659a2feaa0", "`", "token-value"),
        ("CLIENT_SECRET=", "Zq8~3pXw0bN5tR7", "\n", "secret-value"),
        ('"api_key": "', "k3J9x0PqL7vB2mZ8", '"', "api-key-value"),
        ("curl -H 'Authorization: Bearer ", "k3J9x0PqL7vB2mZ8sW", "'", "bearer-token"),
        ("Authorization: Basic ", "YXBwOnhLOSNtUTJ2IXBMNw==", "\n", "basic-auth"),
        ("postgres://app:", "xK9mQ2vR7pL4", "@db.test/x", "url-password"),
        ("token: ", "123e4567-e89b-12d3-a456-7f9a0c3b5d18", "\n", "token-value"),
    ],
)
def test_values_by_their_surroundings(before: str, value: str, after: str, kind: str) -> None:
    text = f"# Rules\n\n{before}{value}{after}"
    (finding,) = found_in(text)
    assert (dict(finding.data)["kind"], text[finding.span.start : finding.span.end]) == (kind, value)
    replaced = applied(text, fixes_of(finding, text)["replace-secret"].edits)
    assert replaced == f"# Rules\n\n{before}${VARIABLES[kind]}{after}"


@pytest.mark.parametrize(
    "value",
    [
        "hunter2-and-more", "changeme123", "Admin123!", "Passw0rd!", "your-token-12345", "abc123def456",
        "us-east-1-prod-2", "claude-3-5-sonnet-20241022", "cl100k_base", "utf8mb4_0900_ai_ci", "a1b2c3d4e5f6",
        "2026-01-02T10:20:30Z", "if_live_9f8a3c2b1e4d5f6a7b8c9d0e", "BlueHarbour2025!", "passWord123#",
        "20260102T102030Z", "v1.2.3-beta4", "1h30m00s", "projects/p1/names/s2/versions/v3", "0a0a0a0a0b0b",
        "getJwtV2Header", "test1key2value3", "packages/web2/src/app.tsx", "i18n-l10n-a11y",
    ],
)  # fmt: skip
def test_values_that_are_words(value: str) -> None:
    assert not looks_random(value)


def test_most_random_values_look_random() -> None:
    chance = random.Random(11)
    for alphabet, size in ((string.ascii_letters + string.digits, 32), ("0123456789abcdef", 24)):
        hits = sum(looks_random("".join(chance.choices(alphabet, k=size))) for _ in range(500))
        assert hits >= 470


NAMES = [
    "password", "PASSWD", "secret", "token", "to\u212aen", "api_key", "api-key", "apiKey",
    "aws_secret_access_key", "secret-key-base", "Bearer", "Authorization: Basic", "AccountKey",
    "SharedAccessKey", "://u", "%3A%2F%2Fu",
]  # fmt: skip
CLOSING = ["", '"', "'", "`", "]", '"]', "**", "_", "__", '\\"', "\\\\\\\"'", "%20", " ", "\t  "]
SEPARATORS = ["=>", ":=", "=", ":", "%3A", "%3a", "%3D", "：", "＝", " "]
OPENING = ["", '"', "`", "b'", 'Rb"', '\\"', "**", " ", "%20", "_ ", "\t"]
VALUES = [
    "abc123def456", "x" * 300 + "1a" * 9, "dXNlcjpwYXNz", "12345678!", "pass-word-x@h.test",
    "密码12345678abc", "a1", "%41bcdefg1", "RkFLRTpG==", "FAKEx0" * 14, "abcdefgh\u30001abc",
]  # fmt: skip
WRITTEN = st.builds(
    "".join,
    st.tuples(
        *map(st.sampled_from, (NAMES, CLOSING, SEPARATORS, OPENING, OPENING, VALUES, ["", " ", "@h.test"]))
    ),
)
SHAPED = st.sampled_from([whole_of(record) for record in SECRETS])
BETWEEN = st.sampled_from(
    ["", " ", "\n", "x", "_", "-", "令牌", "é", "\x1b[0m", "\u200b", "\\u001b[1m", "%3D"]
)


@given(st.lists(st.tuples(BETWEEN, WRITTEN | SHAPED), min_size=1, max_size=3), st.integers(0, 400))
@hypothesis_settings(max_examples=400)
def test_no_text_with_a_secret_is_without_a_sign(parts: list[tuple[str, str]], cut: int) -> None:
    text = "".join(between + part for between, part in parts)[cut // 8 :]
    assert may_hold_secret(text) or secrets(text) == ()


def test_a_header_on_a_line_that_was_known_before_is_seen() -> None:
    value = "Basic dXNlcjpIdW50ZXIyOUZveA"
    for text in (
        f"{value}\nbasic structure of it\n",
        "Proxy-Authorization:\n",
        f"Proxy-Authorization:\n{value}\n",
    ):
        assert may_hold_secret(text) or secrets(text) == ()
    assert may_hold_secret(f"Proxy-Authorization:\n{value}\n")


def test_signs_in_every_context_and_none_in_prose() -> None:
    assert [case.name for case in CASES if secrets(case.text) and not may_hold_secret(case.text)] == []
    for text in (
        "",
        "x" * 5000,
        "# Rules\n\n- Use tokens sparingly; a secret stays in the vault: see docs/api-key.md\n",
    ):
        assert not may_hold_secret(text)
    assert not may_hold_secret("- 令牌：见文档。密码不写在这里。\r\n" * 50)


def test_a_file_full_of_them_gives_a_bounded_number() -> None:
    key = "gh" + "p_" + "FAKEx0NOTREAL" * 3
    assert len(secrets_told(f"{key} " * 1200)) == 1000


@pytest.mark.parametrize("user", ["off", "error", "hint", "warning"])
def test_only_the_users_own_setting_changes_it(user: str, tmp_path: Path) -> None:
    root = Path(os.path.realpath(tmp_path))
    (root / "CLAUDE.md").write_text("push with gh" + "p_" + "FAKEx0NOTREAL" * 3, encoding="ascii")

    def found(own: dict[str, JsonValue], workspace: dict[str, JsonValue]) -> list[str]:
        given, _ = parse(
            {"agents": ["claw", "claw-code"], "diagnostics": own}, {"diagnostics": workspace}, trusted=True
        )
        setup = Setup(DiskFiles(FS(), time.time_ns), (str(root),), given)
        return [each.severity for each in judge(setup, [str(root)]) if each.code == CODE]

    level: JsonValue = {CODE: "off"}
    wanted = [] if user == "off" else [user]
    assert found({"secrets": user, "level": level}, {"secrets": "off", "level": level}) == wanted


def test_its_page_is_whole() -> None:
    for heading in ("What it does", "Why it matters", "Example", "Better", "Which agents", "Source"):
        assert f"\n## {heading}\n" in rule(CODE).page
