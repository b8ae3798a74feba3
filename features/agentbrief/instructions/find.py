"""Which instruction files does the agent find from a start folder?"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from agentbrief.disk.files import Files
from agentbrief.disk.read import Roots
from agentbrief.disk.values import ReadProblem
from agentbrief.instructions.instruction_file import InstructionFile
from agentbrief.instructions.place import Chain, Place, chain_of
from agentbrief.profiles.profile import AgentProfile, LayerFile

RULE_EXTENSIONS = (".md", ".txt", ".mdc")
"""Extensions of rule files, compared without case. Source: claw.md 3.1."""


@dataclass(frozen=True, slots=True)
class NearMiss:
    """A file whose name differs from a listed one in case only, on a disk that tells them apart."""

    path: str
    name: str


@dataclass(frozen=True, slots=True)
class Discovered:
    """What lies on the chain, in the profile's order of discovery.

    ``above`` are paths of listed names beyond the bound, nearest first, looked at and never opened.
    ``aborted`` is the file whose fault makes the agent load nothing at all.
    """

    profile_id: str
    start: str
    folders: tuple[str, ...]
    files: tuple[InstructionFile, ...]
    above: tuple[str, ...] = ()
    near_misses: tuple[NearMiss, ...] = ()
    aborted: ReadProblem | None = None
    unread: tuple[str, ...] = ()

    @property
    def bound(self) -> str:
        """The outermost folder of the chain."""
        return self.folders[-1]


def find(profile: AgentProfile, place: Place, files: Files) -> Discovered:
    """The instruction files from ``place`` up to the profile's bound. One bad file never hides another.

    Source: claw.md 2.1 to 2.3 and 3.1.
    """
    chain = chain_of(profile, place, files)
    roots = files.roots((chain.bound, *place.workspace_folders, *place.allowed_roots))
    return _Walk(profile, place, chain, files, roots).run()


class _Walk:
    """One look at the folders of a chain."""

    def __init__(self, profile: AgentProfile, place: Place, chain: Chain, files: Files, roots: Roots) -> None:
        self.profile = profile
        self.place = place
        self.chain = chain
        self.files = files
        self.roots = roots
        self.aborts = profile.bad_file == "aborts-all"
        self.found: dict[str, InstructionFile] = {}
        self.near: list[NearMiss] = []
        self.layer_files = [file for layer in profile.layers for file in layer.files if self._wanted(file)]

    def _wanted(self, file: LayerFile) -> bool:
        return file.tool is None or self.place.tools is None or file.tool in self.place.tools

    def run(self) -> Discovered:
        assert self.profile.walk is not None
        order = list(enumerate(self.chain.folders))
        if self.profile.walk.order == "outermost-first":
            order.reverse()
        aborted = None
        for distance, folder in order:
            for file in self._in_folder(folder, distance):
                if aborted := self._fatal(file):
                    break
                self.found.setdefault(file.path, file)
            if aborted:
                break
        above = () if self.aborts else tuple(self._above())
        kept = tuple(self.found.values()) if aborted is None else ()
        return Discovered(
            self.profile.id,
            self.chain.start,
            self.chain.folders,
            kept,
            above,
            tuple(self.near),
            aborted,
            tuple(self._unread()),
        )

    def _unread(self) -> Iterator[str]:
        for folder in self.chain.folders:
            names = self.files.names(folder) or frozenset()
            for name in self.profile.unread:
                path = os.path.join(folder, name)
                if name.split("/", 1)[0] in names and path not in self.found and self.files.exists(path):
                    yield path

    def _fatal(self, file: InstructionFile) -> ReadProblem | None:
        """The problem of ``file`` if it makes the agent give up.

        What only we refuse to read is not among them.
        """
        problem = file.problem
        if not self.aborts or problem is None:
            return None
        if (
            problem.kind == "not-a-file"
            and problem.detail != "not-a-folder"
            and self.files.is_folder(problem.path)
        ):
            return None
        return problem if problem.kind in ("not-utf8", "unreadable", "not-a-file") else None

    def _above(self) -> Iterator[str]:
        names = self.profile.names
        for folder in self.chain.above:
            for name in names:
                if self.files.exists(path := os.path.join(folder, name)):
                    yield path

    def _in_folder(self, folder: str, distance: int) -> Iterator[InstructionFile]:
        if self.aborts and self.files.is_folder(folder) is False:
            problem = ReadProblem(folder, "not-a-file", detail="not-a-folder")
            yield self._record(self.layer_files[0], folder, distance, 0, folder, problem)
            return
        for rank, file in enumerate(self.layer_files):
            if file.glob:
                yield from self._rule_files(file, folder, distance, rank)
            else:
                yield from self._plain(file, folder, distance, rank)

    def _plain(self, file: LayerFile, folder: str, distance: int, rank: int) -> Iterator[InstructionFile]:
        holder, name = os.path.split(os.path.join(folder, file.name))
        path = os.path.join(holder, name)
        if holder != folder and not self._enters(os.path.dirname(file.name), folder):
            if self.files.is_folder(holder) is False:
                problem = ReadProblem(path, "not-a-file", detail="not-a-folder")
                yield self._record(file, folder, distance, rank, path, problem)
            return
        spelled = self._spelled(holder, name)
        if spelled is None:
            return
        if file.file_or_folder and self.files.is_folder(path):
            yield from self._rule_files(file, folder, distance, rank)
            return
        yield from self._read(file, folder, distance, rank, path, None if spelled == name else spelled)

    def _enters(self, part: str, folder: str) -> bool:
        """Whether the folder ``part`` of a two-part name is there to be looked into."""
        names = self.files.names(folder)
        if names is not None and part.split("/", 1)[0] not in names and not self._folds(folder, part, names):
            return False
        return bool(self.files.is_folder(os.path.join(folder, part)))

    def _folds(self, folder: str, part: str, names: frozenset[str]) -> bool:
        folded = part.casefold()
        return any(other.casefold() == folded for other in names) and self.files.exists(
            os.path.join(folder, part)
        )

    def _spelled(self, holder: str, name: str) -> str | None:
        """The name under which ``holder`` lists ``name``; None when it is not there.

        Notes near misses on the way.
        """
        names = self.files.names(holder)
        if names is None:
            return name if self.files.exists(os.path.join(holder, name)) else None
        if name in names:
            return name
        if self.aborts:
            return None
        folded = name.casefold()
        others = sorted(other for other in names if len(other) == len(name) and other.casefold() == folded)
        if others and self.files.exists(os.path.join(holder, name)):
            return others[0]
        self.near.extend(NearMiss(os.path.join(holder, other), name) for other in others)
        return None

    def _rule_files(
        self, file: LayerFile, folder: str, distance: int, rank: int
    ) -> Iterator[InstructionFile]:
        """The rule files of a folder: direct children with a known extension, sorted by path."""
        parent = os.path.dirname(file.name)
        if parent and not self._enters(parent, folder):
            if self.files.is_folder(os.path.join(folder, parent)) is False:
                path = os.path.join(folder, file.name)
                problem = ReadProblem(path, "not-a-file", detail="not-a-folder")
                yield self._record(file, folder, distance, rank, path, problem)
            return
        rules = os.path.join(folder, file.name)
        if not self.files.is_folder(rules):
            return
        for name in sorted(self.files.names(rules) or ()):
            path = os.path.join(rules, name)
            if name.lower().endswith(RULE_EXTENSIONS) and self.files.is_folder(path) is False:
                yield from self._read(file, folder, distance, rank, path, None)

    def _read(
        self, file: LayerFile, folder: str, distance: int, rank: int, path: str, spelled: str | None
    ) -> Iterator[InstructionFile]:
        if path in self.found:
            return
        found = self.files.read(path, self.roots)
        if found is None:
            return
        if isinstance(found, ReadProblem):
            if not (self.aborts and found.kind == "dangling-link"):
                yield self._record(file, folder, distance, rank, path, found, spelled)
            return
        name = file.name if not file.glob else os.path.join(file.name, os.path.basename(path))
        yield InstructionFile(
            path, found.real_path, name, folder, file.scope, distance, rank,
            text=found.text, stamp=found.stamp, spelled=spelled, hidden=found.hidden, is_open=found.is_open,
        )  # fmt: skip

    def _record(
        self,
        file: LayerFile,
        folder: str,
        distance: int,
        rank: int,
        path: str,
        problem: ReadProblem,
        spelled: str | None = None,
    ) -> InstructionFile:
        return InstructionFile(
            path, path, file.name, folder, file.scope, distance, rank, problem=problem, spelled=spelled
        )
