"""L8 Each refusal says what, where, what was not touched and what to do, in three languages and briefly."""

from __future__ import annotations

import errno
from typing import get_args

import pytest

from agentbrief.disk.refusal import Conflict, Next, Refused, Untouched, What, refused
from agentbrief.messages import LOCALES
from agentbrief.messages.catalogue import sentences
from agentbrief.report.refusal import refusal_text

LONGEST = 120


@pytest.mark.parametrize("locale", LOCALES)
@pytest.mark.parametrize("what", get_args(What))
def test_a_refusal_is_one_short_sentence_and_what_to_do(what: What, locale: str) -> None:
    for untouched in get_args(Untouched):
        refusal = Refused(what, "/w/app/s.jsonl", untouched, arguments=(("pid", "4711"), ("seconds", 12)))
        text = refusal_text(locale, refusal, "…")
        assert len(text) <= LONGEST
        assert text.count("…") == 1
        assert not text.startswith((" ", "；"))


@pytest.mark.parametrize("locale", LOCALES)
def test_no_sentence_is_missing_and_none_is_left_over(locale: str) -> None:
    wanted = {"disk.refused"}
    for kind, words in (("what", What), ("untouched", Untouched), ("next", Next)):
        wanted |= {f"disk.{kind}.{word}" for word in get_args(words)}
    assert {key for key in sentences(locale) if key.startswith("disk.")} == wanted


def test_each_next_step_is_given_by_some_refusal() -> None:
    assert {Refused(what, "x").next for what in get_args(What)} == set(get_args(Next))


@pytest.mark.parametrize(
    ("error", "what"),
    [
        (errno.ENOSPC, "no-space"),
        (errno.EDQUOT, "no-space"),
        (errno.EFBIG, "no-space"),
        (errno.EACCES, "no-access"),
        (errno.EROFS, "read-only"),
        (errno.ENOENT, "vanished"),
        (errno.ELOOP, "not-a-file"),
        (errno.EIO, "failed"),
        (errno.ENAMETOOLONG, "failed"),
    ],
)
def test_an_error_of_the_system_has_its_word(error: int, what: str) -> None:
    found = refused(OSError(error, "text"), "/w/x")
    assert (found.what, found.where, found.untouched) == (what, "/w/x", "nothing-changed")
    assert found.detail == errno.errorcode[error]


def test_a_conflict_is_a_refusal() -> None:
    conflict = Conflict("/w/x")
    assert isinstance(conflict, Refused)
    assert (conflict.what, conflict.next) == ("changed", "plan-again")
    assert str(conflict) == "changed, nothing-changed: /w/x"
