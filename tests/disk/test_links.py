"""S2, S3 Random trees of links, and links that appear between two calls: nothing outside is touched."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.disk.append import append
from agentbrief.disk.copy import copy_verified
from agentbrief.disk.create import create
from agentbrief.disk.files import DiskFiles
from agentbrief.disk.folder import entries, make_folder, stamp_of
from agentbrief.disk.lock import Held, hold
from agentbrief.disk.move import move, remove
from agentbrief.disk.read import read_text, real_roots
from agentbrief.disk.refusal import Refused
from agentbrief.disk.replace import replace
from agentbrief.disk.seam import FS
from agentbrief.disk.stream import Stream, streamed
from agentbrief.disk.values import FileText
from tests.disk.checks import Hooked
from tests.disk.faults import caller, scratch, tree
from tests.disk.watching import opened_files

NAMES = st.sampled_from(["a", "b", "c", "CLAUDE.md"])
TARGETS = st.sampled_from(
    [".", "..", "a", "b", "../a", "../../outside", "/", "../outside/b", "{root}", "{outside}", "c/../b"]
)
PARTS = st.lists(st.sampled_from(["a", "b", "c", "CLAUDE.md", "..", ".", "outside"]), min_size=1, max_size=5)


@st.composite
def layouts(draw: st.DrawFn) -> list[tuple[str, list[str], str]]:
    kinds = st.sampled_from(["folder", "file", "link"])
    return draw(
        st.lists(st.tuples(kinds, st.lists(NAMES, min_size=1, max_size=3), TARGETS), min_size=1, max_size=8)
    )


def lay_out(root: Path, outside: Path, layout: list[tuple[str, list[str], str]]) -> None:
    for kind, parts, target in layout:
        path = root.joinpath(*parts)
        try:
            if not os.path.realpath(path.parent).startswith(str(root)):
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            if kind == "folder":
                path.mkdir()
            elif kind == "file":
                with path.open("x") as file:
                    file.write("inside")
            else:
                path.symlink_to(target.format(root=root, outside=outside))
        except OSError:
            continue


@settings(max_examples=300)
@given(layouts(), st.lists(PARTS, min_size=1, max_size=5))
def test_what_is_opened_lies_in_the_roots(
    layout: list[tuple[str, list[str], str]], asked: list[list[str]]
) -> None:
    with scratch() as folder:
        root, outside = folder / "root", folder / "outside"
        root.mkdir()
        outside.mkdir()
        for name in ("a", "b", "CLAUDE.md"):
            (outside / name).write_text("outside")
        lay_out(root, outside, layout)
        fs, roots = FS(), real_roots(FS(), (str(root),))
        files = DiskFiles(fs, lambda: 0)
        before = tree(outside)
        with hold(fs, str(root), caller()) as held:
            for parts in asked:
                path = str(root) + "/" + "/".join(parts)
                with opened_files() as seen:
                    found = files.read(path, roots)
                    with streamed(fs, path, roots) as stream:
                        data = b"".join(stream.chunks()) if isinstance(stream, Stream) else b""
                assert all(os.path.realpath(name).startswith(f"{root}") for name in seen)
                assert b"outside" not in data
                assert not isinstance(found, FileText) or "outside" not in found.text
                try:
                    append(held, path, b"{}")
                except (Refused, ValueError):
                    continue
                assert os.path.realpath(path).startswith(str(root))
        assert tree(outside) == before


def swaps(root: Path, outside: Path) -> dict[str, Callable[[], None]]:
    """What may become of a path while it is used: a folder or the file itself turns into a link outside."""

    def folder_to_link() -> None:
        (root / "sub").rename(root / "away")
        (root / "sub").symlink_to(outside)

    def last_folder_to_link() -> None:
        (root / "sub" / "deep").rename(root / "away")
        (root / "sub" / "deep").symlink_to(outside / "deep")

    def folder_to_two_links() -> None:
        (root / "sub").rename(root / "away")
        (root / "sub").symlink_to("other")
        (root / "other").symlink_to(outside)

    def file_to_link() -> None:
        (root / "sub" / "deep" / "CLAUDE.md").unlink(missing_ok=True)
        (root / "sub" / "deep" / "CLAUDE.md").symlink_to(outside / "deep" / "CLAUDE.md")

    return {
        "folder": folder_to_link,
        "last folder": last_folder_to_link,
        "folder by two links": folder_to_two_links,
        "file": file_to_link,
    }


KINDS = ["folder", "last folder", "folder by two links", "file"]


def lay_out_for_swaps(folder: Path) -> tuple[Path, Path]:
    root, outside = folder / "root", folder / "outside"
    (root / "sub" / "deep").mkdir(parents=True)
    (outside / "deep").mkdir(parents=True)
    (root / "sub" / "deep" / "CLAUDE.md").write_text("inside")
    (outside / "deep" / "CLAUDE.md").write_text("OUTSIDE")
    return root, outside


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("back", [False, True], ids=["stays", "and back at the next call"])
@pytest.mark.parametrize("first_a_link", [False, True])
def test_a_link_that_appears_while_a_file_is_read(kind: str, back: bool, first_a_link: bool) -> None:
    at = 0
    while True:
        at += 1
        with scratch() as folder:
            root, outside = lay_out_for_swaps(folder)
            path = root / "sub" / "deep" / "CLAUDE.md"
            if first_a_link:
                path = root / "link.md"
                path.symlink_to("sub/deep/CLAUDE.md")
            fs = Hooked(at, swaps(root, outside)[kind])
            if back:
                fs = Toggled(at, swaps(root, outside)[kind], partial(swap_back, root))
            roots = real_roots(FS(), (str(root),))
            found = read_text(fs, str(path), roots)
            assert not isinstance(found, FileText) or found.text == "inside"
            if len(fs.calls) < at:
                assert at > 5
                return


class Toggled(Hooked):
    """Does and undoes a change around one call."""

    def __init__(self, at: int, hook: Callable[[], None], undo: Callable[[], None]) -> None:
        super().__init__(at, hook)
        self._undo = undo

    def __getattribute__(self, name: str) -> object:
        value = super().__getattribute__(name)
        if name.startswith("_") or name in ("at", "calls", "pause", "replace_pauses"):
            return value

        def call(*arguments: object) -> object:
            result = value(*arguments)  # type: ignore[operator]
            if len(self.calls) == self.at:
                self._undo()
            return result

        return call


def swap_back(root: Path) -> None:
    for place in (root / "sub", root / "sub" / "deep", root / "sub" / "deep" / "CLAUDE.md"):
        if place.is_symlink():
            place.unlink()
            if (root / "away").exists():
                (root / "away").rename(place)
            else:
                place.write_text("inside")
            return


def acts(held: Held, path: str, folder: str) -> dict[str, Callable[[], object]]:
    stamp = stamp_of(FS(), path)
    assert stamp is not None
    return {
        "append": lambda: append(held, path, b"{}"),
        "replace": lambda: replace(held, path, b"new", expect=stamp),
        "create": lambda: create(held.fs, folder + "/new.md", b"new", held.roots),
        "move": lambda: move(held, path, folder + "/moved.md", expect=stamp),
        "remove": lambda: remove(held, path, expect=stamp),
        "copy": lambda: copy_verified(
            held.fs, path, folder + "/copy.md", read_roots=held.roots, roots=held.roots
        ),
        "make a folder": lambda: make_folder(held.fs, folder + "/x/y", held.roots),
        "list": lambda: entries(held.fs, folder, held.roots),
    }


ACTS = ["append", "replace", "create", "move", "remove", "copy", "make a folder", "list"]


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize("kind", KINDS)
def test_a_link_that_appears_while_a_file_is_changed(act: str, kind: str) -> None:
    at = 0
    while True:
        at += 1
        with scratch() as folder:
            root, outside = lay_out_for_swaps(folder)
            before = tree(outside)
            fs = Hooked(at, swaps(root, outside)[kind])
            with hold(FS(), str(root), caller()) as held:
                own = Held(fs, held.store, held.roots, held.caller)
                act_now = acts(own, str(root / "sub" / "deep" / "CLAUDE.md"), str(root / "sub" / "deep"))[act]
                found = None
                with suppress(Refused):
                    found = act_now()
            assert tree(outside) == before
            copies = [path for path in root.rglob("copy.md") if not path.is_symlink()]
            assert all(path.read_text() != "OUTSIDE" for path in copies)
            if act == "list" and isinstance(found, tuple):
                assert all(entry.kind != "file" or entry.stamp.size == 6 for entry in found)
            if len(fs.calls) < at:
                assert at > 3
                return
            shutil.rmtree(root)
