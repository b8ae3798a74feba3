"""Which instruction files does the agent find from a start folder?"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass

from agentbrief.disk.files import Files
from agentbrief.disk.look import Same
from agentbrief.disk.read import Roots
from agentbrief.disk.values import ReadProblem
from agentbrief.instructions.instruction_file import InstructionFile
from agentbrief.instructions.place import Chain, Place, chain_of
from agentbrief.profiles.profile import AgentProfile, LayerFile

_RULE_EXTENSIONS = frozenset(("md", "txt", "mdc"))


def is_rule_name(name: str) -> bool:
    """Whether a file of that name in a folder of rules is one, in any case; ``.md`` alone has no extension.

    Source: claw.md 3.1.
    """
    stem, _, extension = name.rpartition(".")
    return stem != "" and extension.lower() in _RULE_EXTENSIONS


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


@dataclass(frozen=True, slots=True)
class _Candidate:
    """A listed name that is there, or is kept from being looked at by a ``problem``. It was not read yet."""

    path: str
    file: LayerFile
    folder: str
    distance: int
    rank: int
    spelled: str | None = None
    problem: ReadProblem | None = None


@dataclass(frozen=True, slots=True)
class _Listed:
    """What the names in the folders of a chain tell, before a file is read."""

    chain: Chain
    candidates: tuple[_Candidate, ...]
    above: tuple[str, ...]
    near_misses: tuple[NearMiss, ...]
    unread: tuple[str, ...]


def find(profile: AgentProfile, place: Place, files: Files) -> Discovered:
    """The instruction files from ``place`` up to the profile's bound. One bad file never hides another.

    Source: claw.md 2.1 to 2.3 and 3.1.
    """
    listed = files.remembered(
        ("names of a chain", Same(profile), place), lambda look: _Walk(profile, place, look).run()
    )
    chain = listed.chain
    roots = files.roots((chain.bound, *place.workspace_folders, *place.allowed_roots))
    found: dict[str, InstructionFile] = {}
    aborted = None
    for candidate in listed.candidates:
        if candidate.path in found or (file := _read(profile, candidate, files, roots)) is None:
            continue
        if file.problem is not None and (aborted := _fatal(profile, file.problem, files)):
            break
        found[candidate.path] = file
    return Discovered(
        profile.id,
        chain.start,
        chain.folders,
        tuple(found.values()) if aborted is None else (),
        listed.above,
        listed.near_misses,
        aborted,
        tuple(path for path in listed.unread if path not in found),
    )


def _aborts(profile: AgentProfile) -> bool:
    return profile.bad_file == "aborts-all"


def _read(profile: AgentProfile, candidate: _Candidate, files: Files, roots: Roots) -> InstructionFile | None:
    """The file, read; None when nothing is there, or only what the agent overlooks."""
    read = candidate.problem or files.read(candidate.path, roots)
    if read is None:
        return None
    file, path = candidate.file, candidate.path
    if isinstance(read, ReadProblem):
        if _aborts(profile) and (read.kind == "dangling-link" or _is_odd_rule(candidate, read)):
            return None
        return InstructionFile(
            path, path, file.name, candidate.folder, file.scope, candidate.distance, candidate.rank,
            problem=read, spelled=candidate.spelled,
        )  # fmt: skip
    name = file.name if not file.glob else os.path.join(file.name, os.path.basename(path))
    return InstructionFile(
        path, read.real_path, name, candidate.folder, file.scope, candidate.distance, candidate.rank,
        text=read.text, stamp=read.stamp, spelled=candidate.spelled, hidden=read.hidden, is_open=read.is_open,
    )  # fmt: skip


def _is_odd_rule(candidate: _Candidate, problem: ReadProblem) -> bool:
    """Whether what stands in a folder of rules is no plain file; what has the place of the folder is none."""
    in_folder = candidate.path != os.path.join(candidate.folder, candidate.file.name)
    return in_folder and problem.kind == "not-a-file" and problem.detail != "not-a-folder"


def _fatal(profile: AgentProfile, problem: ReadProblem, files: Files) -> ReadProblem | None:
    """``problem`` if it makes the agent give up.

    What only we refuse to read is not among them.
    """
    if not _aborts(profile):
        return None
    if problem.kind == "not-a-file" and problem.detail != "not-a-folder" and files.is_folder(problem.path):
        return None
    return problem if problem.kind in ("not-utf8", "unreadable", "not-a-file") else None


class _Walk:
    """One look at the names in the folders of a chain."""

    def __init__(self, profile: AgentProfile, place: Place, files: Files) -> None:
        self.profile = profile
        self.place = place
        self.chain = chain_of(profile, place, files)
        self.files = files
        self.aborts = _aborts(profile)
        self.near: list[NearMiss] = []
        self.layer_files = [file for layer in profile.layers for file in layer.files if self._wanted(file)]

    def _wanted(self, file: LayerFile) -> bool:
        return file.tool is None or self.place.tools is None or file.tool in self.place.tools

    def run(self) -> _Listed:
        assert self.profile.walk is not None
        order = list(enumerate(self.chain.folders))
        if self.profile.walk.order == "outermost-first":
            order.reverse()
        candidates = tuple(
            candidate for distance, folder in order for candidate in self._in_folder(folder, distance)
        )
        above = () if self.aborts else tuple(self._above())
        return _Listed(self.chain, candidates, above, tuple(self.near), tuple(self._unread()))

    def _unread(self) -> Iterator[str]:
        for folder in self.chain.folders:
            names = self.files.names(folder) or frozenset()
            for name in self.profile.unread:
                path = os.path.join(folder, name)
                if name.split("/", 1)[0] in names and self.files.exists(path):
                    yield path

    def _above(self) -> Iterator[str]:
        names = self.profile.names
        for folder in self.chain.above:
            for name in names:
                if self.files.exists(path := os.path.join(folder, name)):
                    yield path

    def _in_folder(self, folder: str, distance: int) -> Iterator[_Candidate]:
        if self.aborts and self.files.is_folder(folder) is False:
            problem = ReadProblem(folder, "not-a-file", detail="not-a-folder")
            yield self._candidate(self.layer_files[0], folder, distance, 0, folder, problem=problem)
            return
        for rank, file in enumerate(self.layer_files):
            if file.glob:
                yield from self._rule_files(file, folder, distance, rank)
            else:
                yield from self._plain(file, folder, distance, rank)

    def _plain(self, file: LayerFile, folder: str, distance: int, rank: int) -> Iterator[_Candidate]:
        holder, name = os.path.split(os.path.join(folder, file.name))
        path = os.path.join(holder, name)
        if holder != folder and not (entered := self._entered(os.path.dirname(file.name), folder)):
            if entered is False:
                yield self._below_no_folder(file, folder, distance, rank)
            return
        spelled = self._spelled(holder, name)
        if spelled is None:
            return
        if file.file_or_folder and self.files.is_folder(path):
            yield from self._rule_files(file, folder, distance, rank)
            return
        yield self._candidate(file, folder, distance, rank, path, None if spelled == name else spelled)

    def _entered(self, part: str, folder: str) -> bool | None:
        """Whether the folder ``part`` of a two-part name can be looked into; None when nothing is there."""
        names = self.files.names(folder)
        if names is not None and part.split("/", 1)[0] not in names and not self._folds(folder, part, names):
            return None
        path = os.path.join(folder, part)
        is_folder = self.files.is_folder(path)
        return False if is_folder is None and self.files.exists(path) else is_folder

    def _below_no_folder(self, file: LayerFile, folder: str, distance: int, rank: int) -> _Candidate:
        """A name below a file, or below a link to nothing or to itself: reading tells those two apart."""
        path, problem = os.path.join(folder, file.name), None
        if self.files.is_folder(os.path.dirname(path)) is False:
            problem = ReadProblem(path, "not-a-file", detail="not-a-folder")
        return self._candidate(file, folder, distance, rank, path, problem=problem)

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
        listed = self.profile.names
        self.near.extend(NearMiss(os.path.join(holder, each), name) for each in others if each not in listed)
        return None

    def _rule_files(self, file: LayerFile, folder: str, distance: int, rank: int) -> Iterator[_Candidate]:
        """The rule files of a folder: direct children with a known extension, sorted by path."""
        parent = os.path.dirname(file.name)
        if parent and not (entered := self._entered(parent, folder)):
            if entered is False:
                yield self._below_no_folder(file, folder, distance, rank)
            return
        rules = os.path.join(folder, file.name)
        if not (is_folder := self.files.is_folder(rules)):
            if is_folder is None and self.files.exists(rules):
                yield self._candidate(file, folder, distance, rank, rules)
            return
        if (names := self.files.names(rules)) is None:
            problem = ReadProblem(rules, "unreadable")
            yield self._candidate(file, folder, distance, rank, rules, problem=problem)
            return
        for name in sorted(filter(is_rule_name, names)):
            path = os.path.join(rules, name)
            if self.files.is_folder(path) is False:
                yield self._candidate(file, folder, distance, rank, path)

    def _candidate(
        self,
        file: LayerFile,
        folder: str,
        distance: int,
        rank: int,
        path: str,
        spelled: str | None = None,
        problem: ReadProblem | None = None,
    ) -> _Candidate:
        return _Candidate(path, file, folder, distance, rank, spelled, problem)
