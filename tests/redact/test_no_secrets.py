"""S12 of reliability.md 13: what is no secret stays as it is."""

from __future__ import annotations

import base64
import random
import string
import uuid
from pathlib import Path
from typing import Any

import pytest

from agentbrief.redact import mark, mask, secrets
from tests.data_folders import CORPORA, records

REPOSITORY = Path(__file__).parents[2]
FOLDERS = ("features", "server", "tests", "docs", "benchmarks", "vscode-extension", ".ci")
KEPT_OUT = {"node_modules", "__pycache__", "bundled", "dist", "out", "shots"}


@pytest.mark.parametrize("case", records(CORPORA / "non-secrets.jsonl"), ids=lambda case: case["id"])
def test_unchanged(case: dict[str, Any]) -> None:
    text = "".join(case["parts"])
    assert secrets(text) == ()
    assert mask(text) == text
    assert mark(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "password: ${DB_PASSWORD_1}",
        "password: {{ vault_pass_1 }}",
        'password = "<your-password-1>"',
        "token: your-token-12345",
        "api_key=xxxxxxxx1234",
        "secret = get_secret1('svc')",
        "token = row[0]['token']",
        "token = self.client2.token",
        "secret: Uint8Array",
        "token: https://id.test/v2/token",
        "secret: /run/secrets/db_1",
        "token: ./conf.d/token-1",
        "token: 1,234,567",
        "token = 0x00000001",
        "token: 10000000ms",
        "token: 100_000_000",
        "secret: src/auth/v2/token.ts",
        "api_key: op://vault/item1/field",
        "token: 2026-11-30",
        "if token == other1token:",
        "Token::value1234",
        "password: changeme123",
        "postgres://user:password@localhost/db",
        "postgres://app:${PASSWORD}@localhost/db",
        "postgres://app:<password>@localhost/db",
        "[a](http://localhost:8080)(mailto:x@y.test)",
        "http://localhost:8080/a@b",
        "Authorization: Basic authentication",
        "Authorization: Bearer $TOKEN_1",
        "bearer tokens expire after 3600",
        "Authorization: Bearer YOUR_KEY",
        "risk-internationalization1 task-a1b2c3d4e5f6g7h8i9j0k",
        "sk-learn-contrib-and-many-other-words",
        "MyVeryLongClassNameNumberOne.method.anotherVeryLongMethodNameHere",
        "a begins `-----BEGIN RSA PRIVATE " + "KEY-----` and ends `-----END RSA PRIVATE " + "KEY-----`",
        "gh" + "p_" + "x" * 36,
        "sk-" + "ant-" + "api03-" + "x" * 40,
    ],
)
def test_placeholders_and_code(text: str) -> None:
    assert mark(text) == text


def test_values_that_look_random() -> None:
    chance = random.Random(2026)
    letters = string.ascii_letters + string.digits
    lines = []
    for _ in range(1000):
        lines.append(f"commit {chance.randbytes(20).hex()}")
        lines.append(f"sha256:{chance.randbytes(32).hex()}")
        lines.append(f"session {uuid.UUID(bytes=chance.randbytes(16), version=4)}")
        lines.append(f"toolu_01{''.join(chance.choices(letters, k=22))}")
        lines.append(f"call_{''.join(chance.choices(letters, k=24))} msg_{chance.randbytes(12).hex()}")
    for _ in range(100):
        lines.append(f"data:image/png;base64,{base64.b64encode(chance.randbytes(3000)).decode()}")
        lines.append(f"integrity sha512-{base64.b64encode(chance.randbytes(64)).decode()}")
        lines.append(base64.urlsafe_b64encode(chance.randbytes(600)).decode())
    text = "\n".join(lines)
    assert [text[each.span.start - 20 : each.span.end] for each in secrets(text)] == []


def test_chinese_prose() -> None:
    chance = random.Random(7)
    words = [
        *("密码", "令牌", "密钥", "每次提交前", "先运行测试", "大约", "个字符", "：", "，", "。", "年"),
        *("月", "值", "见"),
        *(" token ", " password ", " secret ", " API key ", " 4 ", " 2026 ", " 11 ", " README.md "),
        *("token", " = "),
    ]  # fmt: skip
    text = "".join("".join(chance.choices(words, k=12)) + "\n" for _ in range(3000))
    assert secrets(text) == ()


def test_this_repository() -> None:
    paths = [path for path in REPOSITORY.iterdir() if path.is_file() and not path.name.startswith(".")]
    for folder in FOLDERS:
        paths.extend(
            path
            for path in (REPOSITORY / folder).rglob("*")
            if path.is_file() and not KEPT_OUT & set(path.parts) and path.stat().st_size < 1_000_000
        )
    found = {}
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if hits := secrets(text):
            found[str(path.relative_to(REPOSITORY))] = [
                (each.kind, text.count("\n", 0, each.span.start) + 1) for each in hits
            ]
    assert found == {}
