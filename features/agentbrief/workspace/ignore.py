"""Which names of a folder does git ignore?

The rules of one file that hold in a folder are merged: neighbours of the same sign become one group of sets,
endings and one expression. The nearest file speaks first, and in it the last group; but one group of them all
is asked before, as most names are in none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from agentbrief.workspace.ignore_lines import Rule, rules_of

_NOTHING: frozenset[str] = frozenset()
_NO_RULES: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Group:
    """Rules of one sign, or of both where only "any of them" is asked.

    ``extensions`` are the endings from the last dot on.
    """

    ignores: bool
    everything: bool
    names: frozenset[str]
    extensions: frozenset[str]
    endings: tuple[str, ...]
    beginnings: tuple[str, ...]
    expression: re.Pattern[str] | None

    def among(self, names: Iterable[str]) -> set[str]:
        """Those of ``names`` that the rules are about."""
        if self.everything:
            return set(names)
        found = set(self.names.intersection(names))
        if extensions := self.extensions:
            found.update([name for name in names if name[name.rfind(".") :] in extensions])
        if self.endings or self.beginnings:
            endings, beginnings = self.endings, self.beginnings
            found.update([name for name in names if name.endswith(endings) or name.startswith(beginnings)])
        if self.expression is not None:
            full = self.expression.fullmatch
            found.update([name for name in names if full(name)])
        return found


class Verdict:
    """The groups that hold for the files, or for the folders, of a folder; the first is asked first."""

    __slots__ = ("_all", "groups")

    def __init__(self, groups: Sequence[Group]) -> None:
        self.groups = tuple(groups)
        self._all = _together(self.groups) if any(group.ignores for group in self.groups) else None

    def ignored(self, names: Sequence[str]) -> set[str] | frozenset[str]:
        """Those of ``names`` that git ignores."""
        if self._all is None or not names:
            return _NOTHING
        if not "".join(names).isascii():
            spelled = {as_latin(name): name for name in names}
            return {spelled[name] for name in self._ignored(spelled)}
        return self._ignored(names)

    def _ignored(self, names: Iterable[str]) -> set[str] | frozenset[str]:
        assert self._all is not None
        undecided = self._all.among(names)
        if not undecided or len(self.groups) == 1:
            return undecided
        found: set[str] = set()
        for group in self.groups:
            about = group.among(undecided)
            if group.ignores:
                found |= about
            undecided -= about
            if not undecided:
                break
        return found


class Verdicts:
    """What holds in one folder, for the names of files and of folders. Compared by identity."""

    __slots__ = ("files", "folders")

    def __init__(self, files: Sequence[Group], folders: Sequence[Group]) -> None:
        self.files = Verdict(files)
        self.folders = Verdict(folders)


class IgnoreFile:
    """The rules of one ignore file, merged for each folder they are asked about."""

    __slots__ = ("_any_pattern", "_merged", "_patterns", "_texts", "always", "rules")

    def __init__(self, rules: Sequence[Rule]) -> None:
        self.rules = tuple(rules)
        self._texts: dict[str, list[int]] = {}
        self._patterns: list[tuple[int, re.Pattern[str]]] = []
        for index, rule in enumerate(rules):
            if isinstance(rule.folder, str):
                self._texts.setdefault(rule.folder, []).append(index)
            elif rule.folder is not None:
                self._patterns.append((index, rule.folder))
        self._any_pattern = _alternatives([pattern.pattern for _, pattern in self._patterns])
        self._merged: dict[frozenset[int], Verdicts] = {}
        self.always = None if self._texts or self._patterns else self._merge(_NO_RULES)

    def verdicts(self, folder: str) -> Verdicts:
        """What holds in ``folder``, a path relative to the file's own folder (bytes as latin-1)."""
        active = frozenset(self._texts.get(folder, ()))
        if self._any_pattern is not None:
            asked = f"{folder}/x" if folder else "x"
            if self._any_pattern.fullmatch(asked):
                active |= {index for index, pattern in self._patterns if pattern.fullmatch(asked)}
        return self._merge(active)

    def _merge(self, active: frozenset[int]) -> Verdicts:
        if (known := self._merged.get(active)) is None:
            rules = [rule for index, rule in enumerate(self.rules) if rule.folder is None or index in active]
            files = _groups([rule for rule in rules if not rule.folders_only])
            known = self._merged[active] = Verdicts(files, _groups(rules))
        return known


@lru_cache(maxsize=256)
def ignore_file(data: bytes) -> IgnoreFile:
    """The rules of that content. The same content is parsed and merged once."""
    return IgnoreFile(rules_of(data))


@dataclass(frozen=True, slots=True)
class Source:
    """An ignore file that holds in a folder and below it.

    A folder relative to the file's own is ``lead`` and what follows the first ``skip`` characters of its path
    relative to the project.
    """

    file: IgnoreFile
    skip: int = 0
    lead: str = ""


class Scope:
    """The ignore files that hold in a folder and below, the outermost first. Compared by identity.

    ``in_repository`` is set inside a git repository, one that lies above the project included.
    """

    __slots__ = ("_fixed", "_known", "in_repository", "sources")

    def __init__(self, sources: tuple[Source, ...], in_repository: bool) -> None:
        self.sources = sources
        self.in_repository = in_repository
        self._known: dict[tuple[Verdicts, ...], Verdicts] = {}
        fixed = [source.file.always for source in reversed(self.sources)]
        self._fixed = None if None in fixed else self._together([each for each in fixed if each is not None])

    def verdicts(self, folder: str) -> Verdicts:
        """What holds in ``folder``, a path relative to the project."""
        if self._fixed is not None:
            return self._fixed
        asked = folder if folder.isascii() else as_latin(folder)
        found = [
            source.file.always or source.file.verdicts(_joined(source.lead, asked[source.skip :]))
            for source in reversed(self.sources)
        ]
        return found[0] if len(found) == 1 else self._together(found)

    def _together(self, found: Sequence[Verdicts]) -> Verdicts:
        key = tuple(found)
        if (known := self._known.get(key)) is None:
            files = [group for each in found for group in each.files.groups]
            folders = [group for each in found for group in each.folders.groups]
            known = self._known[key] = Verdicts(files, folders)
        return known


@lru_cache(maxsize=1024)
def scope_of(sources: tuple[Source, ...], in_repository: bool) -> Scope:
    """The scope of those files: the same object as long as nothing changed, which is how a rescan sees it."""
    return Scope(sources, in_repository)


def as_latin(name: str) -> str:
    """The bytes of ``name`` on disk, each as one character."""
    return name.encode("utf-8", "surrogateescape").decode("latin-1")


def _joined(lead: str, folder: str) -> str:
    return f"{lead}/{folder}" if lead and folder else lead or folder


def _groups(rules: Sequence[Rule]) -> list[Group]:
    """``rules`` merged, the last first."""
    found: list[Group] = []
    start = 0
    for end in range(1, len(rules) + 1):
        if end == len(rules) or rules[end].ignores != rules[start].ignores:
            found.append(_group(rules[start:end]))
            start = end
    found.reverse()
    return found


def _group(rules: Sequence[Rule]) -> Group:
    endings = {ending for rule in rules for ending in rule.endings}
    extensions = {ending for ending in endings if len(ending) > 1 and ending.rfind(".") == 0}
    return Group(
        rules[0].ignores,
        any(rule.everything for rule in rules),
        frozenset(name for rule in rules for name in rule.names),
        frozenset(extensions),
        tuple(sorted(endings - extensions)),
        tuple(sorted({beginning for rule in rules for beginning in rule.beginnings})),
        _alternatives([rule.pattern for rule in rules if rule.pattern is not None]),
    )


def _together(groups: Sequence[Group]) -> Group:
    return Group(
        True,
        any(group.everything for group in groups),
        frozenset[str]().union(*(group.names for group in groups)),
        frozenset[str]().union(*(group.extensions for group in groups)),
        tuple(sorted({ending for group in groups for ending in group.endings})),
        tuple(sorted({beginning for group in groups for beginning in group.beginnings})),
        _alternatives([group.expression.pattern for group in groups if group.expression is not None]),
    )


def _alternatives(expressions: Sequence[str]) -> re.Pattern[str] | None:
    return re.compile("|".join(dict.fromkeys(expressions)), re.DOTALL) if expressions else None
