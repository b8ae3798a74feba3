"""What lies in a trash and what came back of it is told by the numbers that are there, in the right form."""

from __future__ import annotations

import pytest

from agentbrief.maintenance.cleaned import Restored, StoreTrash, TrashedCleanup
from agentbrief.maintenance.cleanup_record import CleanupRecord
from agentbrief.messages import LOCALES
from agentbrief.report.store_trash_text import (
    choices_of,
    restored_lines,
    restored_text,
    trash_lines,
    trash_page,
    trash_record,
    would_restore_text,
)

NOW = 1_772_712_000_000

CLEANUPS: list[tuple[tuple[int, int, int, int], str, str, str]] = [
    (
        (1, 2, 0, 0),
        "Cleanup: 1 session · 2 files put away",
        "清理：1 个会话 · 2 个归档文件",
        "清理：1 個會話 · 2 個封存檔案",
    ),
    (
        (2, 1, 1, 0),
        "Cleanup: 2 sessions · 1 file put away · 1 file in the trash",
        "清理：2 个会话 · 1 个归档文件 · 回收站中 1 个文件",
        "清理：2 個會話 · 1 個封存檔案 · 資源回收筒中 1 個檔案",
    ),
    ((0, 0, 3, 0), "Cleanup: 3 files in the trash", "清理：回收站中 3 个文件", "清理：資源回收筒中 3 個檔案"),
    ((0, 0, 0, 1), "Cleanup: 1 copy of the store", "清理：1 份存储备份", "清理：1 份儲存檔備份"),
    ((0, 0, 0, 2), "Cleanup: 2 copies of the store", "清理：2 份存储备份", "清理：2 份儲存檔備份"),
]

BACK: list[tuple[tuple[int, int, int], str, str, str]] = [
    (
        (1, 1, 0),
        "Back again: 1 file in its old place · 1 session in the store.",
        "已恢复：1 个文件回到原处 · 1 个会话回到存储中。",
        "已還原：1 個檔案回到原處 · 1 個會話回到儲存檔中。",
    ),
    (
        (2, 3, 0),
        "Back again: 2 files in their old places · 3 sessions in the store.",
        "已恢复：2 个文件回到原处 · 3 个会话回到存储中。",
        "已還原：2 個檔案回到原處 · 3 個會話回到儲存檔中。",
    ),
    (
        (1, 0, 0),
        "Back again: 1 file in its old place.",
        "已恢复：1 个文件回到原处。",
        "已還原：1 個檔案回到原處。",
    ),
    (
        (0, 1, 0),
        "Back again: 1 session in the store.",
        "已恢复：1 个会话回到存储中。",
        "已還原：1 個會話回到儲存檔中。",
    ),
    ((0, 0, 0), "There is nothing to bring back.", "没有可恢复的内容。", "沒有可還原的內容。"),
]


def trash_with(sessions: int, renamed: int, files: int, copies: int) -> StoreTrash:
    record = CleanupRecord("ab12", "/s/x/cleanup-ab12.json", NOW, "sessions.json")
    return StoreTrash("main", "/s", (), (TrashedCleanup(record, sessions, renamed, files, copies),))


@pytest.mark.parametrize(("numbers", "english", "simplified", "traditional"), CLEANUPS)
def test_a_cleanup_says_what_it_holds_and_no_nothing(
    numbers: tuple[int, int, int, int], english: str, simplified: str, traditional: str
) -> None:
    for locale, words in zip(LOCALES, (english, simplified, traditional), strict=True):
        trash = trash_with(*numbers)
        record = trash_record(trash, 14, locale)
        [cleanup] = record["cleanups"] if isinstance(record["cleanups"], list) else []
        assert isinstance(cleanup, dict)
        assert cleanup["title"] == words
        assert tuple(cleanup[name] for name in ("sessions", "renamed", "files", "copies")) == numbers
        told = f"ab12  2026-03-05 12:00:00 UTC  {words}"
        assert f"  {told}" in list(trash_lines(trash, locale))
        assert f"- {told}" in trash_page([trash], locale)
        assert list(choices_of(trash, locale)) == [("ab12", told)]


@pytest.mark.parametrize(("numbers", "english", "simplified", "traditional"), BACK)
def test_what_came_back_is_said_by_its_numbers(
    numbers: tuple[int, int, int], english: str, simplified: str, traditional: str
) -> None:
    files, keys, _ = numbers
    back = Restored(("f",) * files, ("k",) * keys)
    for locale, words in zip(LOCALES, (english, simplified, traditional), strict=True):
        assert list(restored_lines(back, locale)) == [words]
        assert restored_text([back], locale) == words


@pytest.mark.parametrize(
    ("left_out", "words"),
    [
        (1, "1 file does not come back: its old name is taken by now, or it is gone."),
        (2, "2 files do not come back: their old names are taken by now, or they are gone."),
    ],
)
def test_what_stays_is_counted_too(left_out: int, words: str) -> None:
    names = ("x",) * left_out
    assert restored_text([Restored(left_out=names)], "en") == words
    assert restored_text([Restored(("f",)), Restored((), (), names)], "en") == (
        f"Back again: 1 file in its old place. {words}"
    )


@pytest.mark.parametrize("locale", LOCALES)
def test_copies_of_a_store_that_go_again_are_not_nothing(locale: str) -> None:
    back = Restored(copies=("sessions.json.bak.1",))
    nothing = restored_text([], locale)
    assert restored_text([back], locale) != nothing
    assert list(restored_lines(back, locale)) == [restored_text([back], locale)]


def test_what_would_come_back_has_the_right_forms() -> None:
    assert would_restore_text(1, 1, 0, "en") == (
        "Would come back: 1 file in its old place · 1 session in the store. Nothing was changed."
    )
    assert (
        would_restore_text(0, 2, 0, "en") == "Would come back: 2 sessions in the store. Nothing was changed."
    )
    assert would_restore_text(0, 0, 0, "en") == "There is nothing to bring back."
