"""S15 of reliability.md 13: no pattern hangs on 64 KB made for it.

A pattern that backtracks over such a text needs minutes; the time limit only protects against that.
"""

from __future__ import annotations

import pytest

from agentbrief.redact import clean, escape_markdown, fence, secrets, shorten_home
from agentbrief.redact.named import _NAMES
from agentbrief.redact.shapes import SHAPES

SIZE = 65_536
ANCHORS = [
    *(anchor for shape in SHAPES for anchor in shape.anchors),
    *_NAMES,
    *("token=", 'token\\"', "password: ", "secret_access_key=", "accountkey=", "bearer ", "bearer%20"),
    *("authorization: basic ", "AKIA", "AKIA" + "FAKE" * 4 + " ", ":AA", "1:AA", "%3AAA", ".", ".aaaaaa."),
    *("-----BEGIN ", "-----BEGIN A ", "-----BEGIN PRIVATE " + "KEY-----", "-----END"),
    *("://", "://a:", "%3a%2f%2fa%3a"),
    *("\x1b", "\x1b]", "\x1b[", "\x1b[1", "\x1b(", "\x9d", "\x1bP\x1b", "\u202e", "\u200b", "\\u001b[", "\\"),
    *("`", "%", "/", "a", "\r"),
]  # fmt: skip
JOINTS = ("", "-", "a1", " ", "%3D", "\\n", ".", "@")
RUNS = ("aA1", "a-", "/", "=", "%20", " ", "\\", "\n", "a1.", "A ", "a" * 16 + "\n")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("anchor", ANCHORS, ids=ascii)
def test_long_texts_end(anchor: str) -> None:
    texts = [(anchor + joint) * (SIZE // len(anchor + joint)) for joint in JOINTS]
    texts.extend(anchor + run * (SIZE // len(run)) for run in RUNS)
    for text in texts:
        position = 0
        for secret in secrets(text):
            assert position <= secret.span.start < secret.span.end <= len(text)
            position = secret.span.end
        assert "\x1b" not in clean(text)


@pytest.mark.timeout(60)
@pytest.mark.parametrize(
    "unit", ["`", "` ", "\\", "/home/a", "\\home\\", "//", "\\\\/", "ann", "%2F", "[]()"]
)
def test_markdown_and_home_end(unit: str) -> None:
    text = unit * (SIZE // len(unit))
    assert set(fence(text)) == {"`"}
    assert len(escape_markdown(text)) >= len(text)
    assert "/home/ann" not in shorten_home(text, "/home/ann", "ann")
