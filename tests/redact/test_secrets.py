"""S11 of reliability.md 13: no secret of any kind leaves in any context; a secret keeps its place."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.redact import KINDS, clean, mark, mask, masked, secrets
from agentbrief.text.span import Span
from tests.redact.secret_cases import SECRETS, SecretCase, cases, leaks, secret_of, whole_of

CASES = cases()


def fake(length: int, letters: str = "FAKEx0") -> str:
    return (letters * (length // len(letters) + 1))[:length]


def of_kind(kind: str) -> str:
    return next(whole_of(record) for record in SECRETS if record["kind"] == kind)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_nothing_leaks(case: SecretCase) -> None:
    for outlet in (mask, mark):
        shown = outlet(case.text)
        assert leaks(case.secret, shown) == []
        assert outlet(shown) == shown
    assert case.marker in mark(case.text)
    if case.mask is not None:
        assert case.mask in mask(case.text)


@pytest.mark.parametrize("record", SECRETS, ids=lambda record: record["id"])
def test_the_range_is_that_of_the_secret_alone(record: dict[str, Any]) -> None:
    text = f"see {whole_of(record)}"
    spans = [text[each.span.start : each.span.end] for each in secrets(text)]
    assert secret_of(record) in spans
    assert {f"[redacted:{each.kind}]" for each in secrets(text)} >= {record["marker"]}


@pytest.mark.parametrize("record", SECRETS, ids=lambda record: record["id"])
def test_json_inside_json_and_coloured(record: dict[str, Any]) -> None:
    twice = json.dumps(json.dumps({"text": f"a\n{whole_of(record)}"}))
    assert leaks(secret_of(record), mark(twice)) == []
    coloured = f"log\x1b[32m{whole_of(record)}\x1b[0mend"
    assert leaks(secret_of(record), mark(coloured)) == []
    assert leaks(secret_of(record), mark(json.dumps(coloured))) == []


def test_markers_are_the_kinds() -> None:
    assert {record["marker"] for record in SECRETS} <= {f"[redacted:{kind}]" for kind in KINDS}


def test_a_range_holds_the_codes_inside_it() -> None:
    token = of_kind("github-token")
    text = f"x {token[:9]}\x1b[1m{token[9:]}\x1b[0m y\u200b"
    (secret,) = secrets(text)
    assert secret.span == Span(2, 2 + len(token) + 4)
    assert mask(text) == f"x {masked(token)} y\u200b"


@pytest.mark.parametrize(
    ("value", "wanted"),
    [("", "***"), ("x" * 17, "***"), ("abcdef-------wxyz0", "abcdef…xyz0")],
)
def test_masked(value: str, wanted: str) -> None:
    assert masked(value) == wanted


@pytest.mark.parametrize(
    ("before", "value", "after", "kind"),
    [
        ("password=", "hunter2-and-more", "", "password-value"),
        ("PASSWD: ", "hunter2-and-more", "\r\n", "password-value"),
        ('{"password": "', "a,b(c)1&2", '"}', "password-value"),
        ('{\\"token\\": \\"', "t0ken-FAKE-1", '\\"}', "token-value"),
        ("config['api_key'] = '", "abc123def456", "'", "api-key-value"),
        ("x-api-key: ", "abc123def456", "", "api-key-value"),
        ("apiKey := `", "abc123def456", "`", "api-key-value"),
        ("SECRET_KEY = b'", "n0t-r3al-at-all", "'", "secret-value"),
        (":secret => '", "n0t-r3al-at-all", "'", "secret-value"),
        ("**Token:** ", "abc123def456", "", "token-value"),
        ("https://h.test/?token=", "abc123def456", "&page=2", "token-value"),
        ("token: https://h.test/?token=", "abc123def456", "&page=2", "token-value"),
        ("q=access_token%3D", "abc123def456", "%26page%3D2", "token-value"),
        ("password%3A%20", "abc123def456", "&x", "password-value"),
        ("token：", "abc123def456", "，然后", "token-value"),
        ("secret: ", "12345678!", "", "secret-value"),
        ("password: ", "abc123def456", ".", "password-value"),
        ("AZURE=AccountKey%3D", fake(86) + "%3D%3D", "%3B", "azure-storage-key"),
        ("mongodb+srv://u:", "p@ss,w(o)rd", "@h.test/x", "url-password"),
        ("redis://:", "longer-pass", "@h.test", "url-password"),
        ("u=postgres%3A%2F%2Fapp%3A", "pass-word-x", "%40h.test", "url-password"),
        ('"Authorization": "Bearer ', "abc123XYZ", '"', "bearer-token"),
        ("curl -H 'X: bearer ", "abc123XYZabc123XYZ", "'", "bearer-token"),
        ("proxy-authorization: basic ", "dXNlcjpwYXNz", "\n", "basic-auth"),
        ("https://api.telegram.test/bot", "123456789:AA" + fake(33), "/getMe", "telegram-bot-token"),
        ("glpat ", "gl" + "pat-" + fake(20) + ".01.ab1cd2e", "", "gitlab-token"),
    ],
)
def test_ways_of_writing(before: str, value: str, after: str, kind: str) -> None:
    found = secrets(before + value + after)
    assert [(each.kind, each.span) for each in found] == [(kind, Span(len(before), len(before) + len(value)))]


def test_the_more_telling_kind_counts_and_overlaps_become_one() -> None:
    token = of_kind("github-token")
    assert mark(f"GITHUB_TOKEN={token}") == "GITHUB_TOKEN=[redacted:github-token]"
    assert mark(f"https://x:{token}@h.test/") == "https://x:[redacted:github-token]@h.test/"
    assert mark(f"Authorization: Bearer {of_kind('jwt')}\n") == "Authorization: Bearer [redacted:jwt]\n"


def test_the_secret_key_beside_its_identifier() -> None:
    secret = fake(40, "FAKEx0/a+")
    text = f"Access key,Secret\n{of_kind('aws-access-key-id')},{secret}\n"
    assert mark(text) == "Access key,Secret\n[redacted:aws-access-key-id],[redacted:aws-secret-key]\n"
    assert mark(f"alone {secret}\n") == f"alone {secret}\n"


def test_a_private_key_that_was_cut_off() -> None:
    whole = of_kind("private-key")
    begin = whole.split("\n")[0]
    body = "\n".join(fake(64) for _ in range(4))
    text = f"a\n{begin}\n{body}\n{fake(9)}\nand then prose"
    assert mark(text) == "a\n[redacted:private-key]\nand then prose"
    assert mark(json.dumps(text)) == json.dumps("a\n[redacted:private-key]\nand then prose")
    encrypted = f"{begin}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-128-CBC,AB12\n\n{body}"
    assert mark(encrypted) == "[redacted:private-key]"
    two = f"{begin}\n{body}\n{whole}"
    assert mark(two) == "[redacted:private-key]\n[redacted:private-key]"


PIECES = [
    *(whole_of(record) for record in SECRETS),
    *("\x1b[0m", "\x1b]0;t\x07", "\r", "\n", " ", "x", "=", ":", '"', "\\", "%3D"),
    *("\u202e", "\u200b", "token", "://"),
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=8), st.sampled_from([" ", "\n", ", ", "\x1b[0m;", "\t"]))
@settings(max_examples=150)
def test_ranges_are_in_order_and_a_second_pass_changes_nothing(pieces: list[str], between: str) -> None:
    text = between.join(pieces)
    found = secrets(text)
    ends = [0, *(each.span.end for each in found)]
    assert all(each.span.start >= end for each, end in zip(found, ends, strict=False))
    assert all(each.span.start < each.span.end <= len(text) for each in found)
    for outlet in (mask, mark):
        assert outlet(outlet(text)) == outlet(text)
        assert clean(outlet(text)) == outlet(text)


def test_each_half_of_a_text_is_as_safe_as_the_whole() -> None:
    chance = random.Random(5)
    for _ in range(200):
        record = chance.choice(
            [each for each in SECRETS if not each["before"] and each["kind"] != "private-key"]
        )
        secret = secret_of(record)
        at = chance.randrange(1, len(secret))
        assert leaks(secret, mark(f"a {secret[:at]}\x1b[3{chance.randrange(8)}m{secret[at:]} b")) == []
