"""What lies in a project, seen in one pass?

The pass counts for PortContext, which does not look at ignore files, and lists what git would list (``git
ls-files -co --exclude-standard``), which does. A folder is entered if either wants it. Links to folders are
listed and not followed, unless one is a root of PortContext.

Nested repositories, submodules among them, are entered, and only their own ignore files hold in them; git
itself stops there. A linked work tree inside a repository is a second checkout and is not listed. Neither the
user's own ignore file nor the exclude file behind a ``.git`` that is a file is read.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from agentbrief.disk import seam
from agentbrief.workspace.folder import Folder, Look
from agentbrief.workspace.ignore import Scope
from agentbrief.workspace.ignore_files import outermost
from agentbrief.workspace.memory import Memory
from agentbrief.workspace.port_context import ContextRules, PortContext, root_path

_SOURCE, _TESTS, _ASSETS, _ARCHIVE = 1, 2, 4, 8

Listed = Callable[[str, Sequence[str]], None]
"""Told of each folder with listed files: its path relative to the project, with ``/``, and their names."""


@dataclass(frozen=True, slots=True)
class Walked:
    """What a pass saw. Folders and files are relative to the project, with ``/``; the project itself is "".

    ``entries`` is the number of all that was looked at. ``skipped`` are folders that were not looked into,
    because the pass was ended (``cancelled``), or not counted, because the bound was reached; ``unlisted``
    those that the system refused to list. ``ignored_named`` are ignored files with one of the names that were
    asked for.
    """

    context: PortContext
    entries: int
    cancelled: bool
    skipped: tuple[str, ...]
    unlisted: tuple[str, ...]
    ignored_named: tuple[str, ...]

    @property
    def partial(self) -> bool:
        """Whether the counts may be too small."""
        return bool(self.skipped or self.unlisted)


def never() -> bool:
    """False: a pass that nobody ends."""
    return False


def nothing(*_: object) -> None:
    """Takes no notice."""


class Walk:
    """One pass over the project at ``project``, an absolute path.

    ``names`` are file names that are told of even where they are ignored. ``repository`` is the folder of the
    git repository that the project lies in, if that is further up: the ignore files from there down hold too.
    With a ``memory`` folders that did not change since the last pass are not listed again.
    """

    def __init__(
        self,
        fs: seam.FS,
        project: str,
        rules: ContextRules,
        *,
        names: frozenset[str] = frozenset(),
        repository: str | None = None,
        memory: Memory | None = None,
    ) -> None:
        self._fs = fs
        self._project = project = os.path.normpath(project)
        self._rules = rules
        self._exclude = frozenset(rules.exclude)
        self._names = names
        self._repository = repository
        self._memory = memory
        self._live = _SOURCE | _TESTS | _ASSETS | (0 if rules.archive_is_any_path else _ARCHIVE)
        self._entries = self._counted = self._python = self._tests = self._assets = 0
        self._archive = False
        self._stack: list[tuple[str, str, Scope | None, int]] = []
        self._skipped: list[str] = []
        self._unlisted: list[str] = []
        self._ignored_named: list[str] = []
        roots = (
            (rules.source, _SOURCE),
            (rules.tests, _TESTS),
            (rules.assets, _ASSETS),
            (rules.archive, _ARCHIVE),
        )
        self._roots: dict[str, int] = {}
        for root, bit in roots:
            if bit & self._live:
                path = root_path(project, root)
                self._roots[path] = self._roots.get(path, 0) | bit
        self._parents = {os.path.dirname(path) for path in self._roots}

    def run(
        self,
        *,
        listed: Listed = nothing,
        cancelled: Callable[[], bool] = never,
        progress: Callable[[int], None] = nothing,
        pause: Callable[[], None] = nothing,
    ) -> Walked:
        """What the pass saw. A pass is run once.

        Before each folder, and after each thousand entries of one, ``cancelled`` is asked whether to end,
        ``pause`` may let others work, and ``progress`` hears the number of entries so far.
        """

        def between(entries: int) -> bool:
            progress(self._entries + entries)
            pause()
            return cancelled()

        look = Look(self._fs, self._names, between)
        if self._memory is not None:
            self._memory.begin(self._project, self._names)
        top = outermost(self._fs, self._project, self._repository)
        self._stack.append((self._project, "", top, self._roots.pop(self._project, 0)))
        ended = self._through(look, listed, between)
        for path in list(self._roots):
            # a link, or a folder that lies in an ignored one or outside the project: it is only counted
            if not ended and (bits := self._roots.pop(path, 0)) and _is_folder(self._fs, path):
                self._stack.append((path, _relative(path, self._project), None, bits))
                ended = self._through(look, listed, between)
        if self._memory is not None:
            self._memory.end(complete=not ended)
        return self._walked(ended)

    def _walked(self, ended: bool) -> Walked:
        rules, project = self._rules, self._project
        archive = root_path(project, rules.archive)
        if rules.archive_is_any_path:
            self._archive = _exists(self._fs, archive)
        context = PortContext(
            root_path(project, rules.source),
            root_path(project, rules.tests),
            root_path(project, rules.assets),
            archive,
            self._python,
            self._tests,
            self._assets,
            self._archive,
        )
        skipped, unlisted, named = map(sorted, (self._skipped, self._unlisted, self._ignored_named))
        return Walked(context, self._entries, ended, tuple(skipped), tuple(unlisted), tuple(named))

    def _through(self, look: Look, listed: Listed, between: Callable[[int], bool]) -> bool:
        """Work off the stack; whether the pass was ended."""
        stack = self._stack
        while stack:
            path, relative, given, bits = stack.pop()
            bits &= self._live
            if bits and self._counted >= self._rules.max_entries:
                self._skipped.append(relative)
                bits = 0
            if given is None and not bits:
                continue
            folder = None
            if not between(0):
                try:
                    folder = self._folder(look, path, relative, given, bits != 0)
                except OSError as error:
                    if not seam.is_missing(error):
                        self._unlisted.append(relative)
                    continue
            if folder is None:
                self._skipped += [relative, *(pending for _, pending, _, _ in stack)]
                return True
            self._entries += folder.entries
            if bits:
                self._count(folder, bits)
            if folder.files:
                listed(relative, folder.files)
            for name in folder.ignored_named:
                self._ignored_named.append(f"{relative}/{name}" if relative else name)
            if folder.folders or folder.unlisted_folders:
                self._push(path, relative, folder, bits)
        return False

    def _folder(
        self, look: Look, path: str, relative: str, given: Scope | None, count: bool
    ) -> Folder | None:
        if self._memory is None:
            return look.folder(path, relative, given, count=count)
        status = self._fs.stat(path)
        folder = self._memory.known(self._fs, path, relative, status, given, count)
        if folder is None and (folder := look.folder(path, relative, given, count=count)) is not None:
            self._memory.keep(self._fs, path, relative, status, given, count, folder)
        return folder

    def _count(self, folder: Folder, bits: int) -> None:
        self._counted += folder.entries
        if bits & _SOURCE:
            self._python += folder.python
        if bits & _TESTS:
            self._tests += folder.python
        if bits & _ASSETS:
            self._assets += folder.counted
        if bits & _ARCHIVE and folder.counted:
            self._archive = True
            self._live &= ~_ARCHIVE

    def _push(self, path: str, relative: str, folder: Folder, bits: int) -> None:
        """Put the folders in ``folder`` on the stack that somebody wants to see."""
        before = path if path.endswith(os.sep) else path + os.sep
        lead = f"{relative}/" if relative else ""
        if not bits and path not in self._parents:
            self._stack += [(before + name, lead + name, folder.scope, 0) for name in folder.folders]
            return
        for scope, names in (folder.scope, folder.folders), (None, folder.unlisted_folders):
            for name in names:
                child = before + name
                wanted = (0 if name in self._exclude else bits) | self._roots.pop(child, 0)
                if wanted or scope is not None:
                    self._stack.append((child, lead + name, scope, wanted))


def _is_folder(fs: seam.FS, path: str) -> bool:
    try:
        return seam.is_folder(fs.stat(path))
    except (OSError, ValueError):
        return False


def _exists(fs: seam.FS, path: str) -> bool:
    try:
        fs.stat(path)
    except (OSError, ValueError):
        return False
    return True


def _relative(path: str, project: str) -> str:
    try:
        return os.path.relpath(path, project).replace(os.sep, "/")
    except ValueError:
        return path
