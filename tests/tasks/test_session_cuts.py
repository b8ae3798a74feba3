"""A text cut short holds no half of a secret."""

from __future__ import annotations

import pytest

from agentbrief.redact import mask
from agentbrief.report.session_list_text import list_lines
from agentbrief.report.session_record import item_record, masked_json
from agentbrief.sessions.titles import MAX_TITLE_CHARS, one_line
from agentbrief.tasks.sessions.cuts import MOST_TOLD_CHARS, start_of, whole_words
from agentbrief.tasks.sessions.list import sessions_of
from tests.redact.secret_cases import SecretCase, cases, leaks
from tests.sessions.claude_code.written import file_of, user
from tests.tasks.homes import NOW_MS, Home, built, put

CASES = [case for case in cases() if case.mask is not None]
WORDS = "Move the settings of the shop into one file and then say what is left to do there. "


def before(size: int) -> str:
    return (WORDS * 10)[: size - 1] + " "


def starts(case: SecretCase, most: int) -> list[int]:
    """Where the text begins so that its secret lies over the cut: at its start, in its middle, at its end."""
    at = case.text.index(case.secret) if case.secret in case.text else 0
    size = len(case.secret)
    return [most - at - part for part in (1, 8, 13, size // 2, size - 1) if most - at - part > 1]


@pytest.mark.parametrize("most", [MAX_TITLE_CHARS, MOST_TOLD_CHARS])
def test_the_start_of_a_text_holds_no_half_of_a_secret(most: int) -> None:
    leaking = []
    for case in CASES:
        for start in starts(case, most):
            found = mask(start_of(before(start) + case.text, most))
            assert len(start_of(before(start) + case.text, most)) <= most
            if leaks(case.secret, found):
                leaking.append((case.name, start))
    assert leaking == []


@pytest.mark.parametrize("is_known", [True, False])
def test_a_title_holds_no_half_of_a_secret(is_known: bool) -> None:
    leaking = []
    for case in CASES:
        if not is_known and "private-key" in case.name:
            continue  # What is left of one is its first line, which says nothing.
        for start in starts(case, MAX_TITLE_CHARS):
            text = before(start) + case.text
            found = mask(whole_words(one_line(text), (None, text) if is_known else ()))
            if leaks(case.secret, found):
                leaking.append((case.name, start))
    assert leaking == []


def test_titles_without_a_secret_are_as_they_were() -> None:
    for size in (3, 60, 78, 79, 80, 81, 200):
        title = one_line(before(size) + "x")
        assert whole_words(title, (before(size) + "x",)) == title
    path = before(40) + "look at /home/dev/shop/src/a/very/long/path/to/a/file.py please"
    assert whole_words(one_line(path), (path,)) == one_line(path)
    assert whole_words(one_line(path), ()).endswith("look at…")
    assert whole_words("ends in an ellipsis…", ()) == "ends in an ellipsis…"


def test_the_list_has_no_half_of_a_secret(tmp_path_factory: pytest.TempPathFactory) -> None:
    home: Home = built(tmp_path_factory.mktemp("list"))
    folder = home.claude.parent
    home.claude.unlink()
    texts: dict[str, SecretCase] = {}
    for number, case in enumerate(CASES[::7]):
        name = f"{number:08d}-1111-4111-8111-111111111111"
        start = (starts(case, (MAX_TITLE_CHARS, MOST_TOLD_CHARS)[number % 2]) or [2])[number % 3 - 1]
        texts[name] = case
        put(
            folder / f"{name}.jsonl",
            file_of(user("u1", None, before(start) + case.text, cwd=str(home.workspace))),
        )
    found = sessions_of(home.setup({"readHomeSessions": True}), str(home.workspace)).items
    items = [item for item in found if item.agent == "claude-code"]
    assert {item.session_id for item in items} == set(texts)
    leaking = []
    for item in items:
        secret = texts[item.session_id].secret
        text = str(masked_json(item_record(item))) + "\n".join(list_lines((item,), NOW_MS, "en", 200, 0))
        if leaks(secret, text):
            leaking.append(texts[item.session_id].name)
    assert leaking == []
