"""What does one line of an ignore file say?

Git compares bytes. Here each byte is one character (latin-1), so that a name costs nothing as long as it is
ASCII. pathspec translates what has wildcards; the points in which its reading of a line is not git's (white
space at the end, escapes, character classes, ``**``) are settled before it sees the line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

_LITERAL = 0xE000
"""Private characters from here on stand for one byte each that must be taken literally."""

_CLASS = 0xF000
"""Private characters from here on stand for the character classes of one line."""

_WILD = re.compile("[*?\uf000-\uf8ff]")
_SPECIAL = re.compile(r"[*?\[\\]")
_STARS = re.compile(r"\*{2,}")
_PRIVATE = re.compile("[\ue000-\uf8ff]")
_GUARDED = frozenset("#!\\[]*? \t\n\v\f\r\x1c\x1d\x1e\x1f\x85\xa0")
_MOST_SPELLINGS = 16

_POSIX = {
    "alnum": "09AZaz", "alpha": "AZaz", "blank": "  \t\t", "cntrl": "\0\x1f\x7f\x7f", "digit": "09",
    "graph": "!~", "lower": "az", "print": " ~", "punct": "!/:@[`{~", "space": "\t\r  ", "upper": "AZ",
    "xdigit": "09AFaf",
}  # fmt: skip
"""The named classes, each as pairs of a first and a last character."""

# the pieces of pathspec's expressions
_FIRST_GAP = "^(?:.+/)?"
_GAP = "(?:/.+)?"
_STAR_AND_TEXT = re.compile(r"\[\^/\]\*((?:\[\^/\](?!\*)|\\.|[^/\\\[])+)(?=\[\^/\]\*)", re.DOTALL)
_NAMED_GROUP = re.compile(r"\(\?P<\w+>")


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule. ``ignores`` is False after ``!``; ``folders_only`` is set by a ``/`` at the end.

    ``folder`` says in which folder, relative to that of the file, the rule looks at names: None in each, a
    text in that one, a pattern in each that matches with ``/x`` appended. Of ``names`` (whole names),
    ``endings``, ``beginnings`` and ``pattern`` one is enough; ``everything`` needs none.
    """

    ignores: bool
    folders_only: bool
    folder: str | re.Pattern[str] | None
    names: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()
    beginnings: tuple[str, ...] = ()
    pattern: str | None = None
    everything: bool = False


def rules_of(data: bytes) -> tuple[Rule, ...]:
    """The rules of an ignore file's content, in their order. A line that can match nothing gives none.

    Source: git documentation gitignore; git/git dir.c and wildmatch.c.
    """
    text = data.removeprefix(b"\xef\xbb\xbf").decode("latin-1")
    lines = (line.removesuffix("\r") for line in text.split("\n") if not line.startswith("#"))
    return tuple(rule for line in lines for rule in _line_rules(line))


def _line_rules(line: str) -> Iterator[Rule]:
    line = _without_end(line.split("\0", 1)[0])
    ignores = not line.startswith("!")
    line = line if ignores else line[1:]
    folders_only = line.endswith("/")
    line = line[:-1] if folders_only else line
    read = _spelled(line)
    if not read or not read[0]:
        return
    spelled, classes = read
    if "/" not in line:
        yield _rule(ignores, folders_only, None, spelled, classes)
        return
    spelled = spelled[line.startswith("/") :]
    if "" in spelled.split("/"):
        return
    special = _SPECIAL.search(line)
    for anchored in _anchored(spelled) if special and special[0] == "*" else (_stars(spelled),):
        parent, _, name = anchored.rpartition("/")
        yield _rule(ignores, folders_only, _folder(parent, name, classes), name, classes)


def _without_end(line: str) -> str:
    """``line`` without the blanks at its end, an escaped one kept."""
    kept = line.rstrip(" ")
    if len(kept) < len(line) and (len(kept) - len(kept.rstrip("\\"))) % 2:
        kept += " "
    return kept


def _spelled(line: str) -> tuple[str, list[frozenset[int]]] | None:
    """``line`` with private characters for escapes and classes, and the classes; None: it matches nothing."""
    pieces: list[str] = []
    classes: list[frozenset[int]] = []
    position = 0
    while position < len(line):
        char = line[position]
        position += 1
        if char == "\\":
            if position == len(line):
                return None
            pieces.append(_literal(line[position]))
            position += 1
        elif char == "[":
            found = _class(line, position)
            if found is None or not found[0]:
                return None
            members, position = found
            if len(members) == 1:
                pieces.append(_literal(chr(next(iter(members)))))
            else:
                pieces.append(chr(_CLASS + len(classes)))
                classes.append(members)
        else:
            pieces.append(char if char in "*?" else _literal(char))
    return "".join(pieces), classes


def _literal(char: str) -> str:
    return chr(_LITERAL + ord(char)) if char in _GUARDED else char


def _class(line: str, position: int) -> tuple[frozenset[int], int] | None:
    """The bytes that the class from ``position`` on matches, and where it ends; None if it is not closed."""
    negated = line[position : position + 1] in ("!", "^")
    position += negated
    members: set[int] = set()
    previous = -1
    first = True
    while first or line[position : position + 1] != "]":
        first = False
        char = line[position : position + 1]
        if not char:
            return None
        current = ord(char)
        if char == "\\":
            position += 1
            if position >= len(line):
                return None
            current = ord(line[position])
            members.add(current)
        elif char == "-" and previous >= 0 and line[position + 1 : position + 2] not in ("", "]"):
            position += 1
            if line[position] == "\\":
                position += 1
                if position >= len(line):
                    return None
            members.update(range(previous, ord(line[position]) + 1))
            current = -1
        elif line.startswith("[:", position):
            end = line.find("]", position + 2)
            if end < 0:
                return None
            if end > position + 2 and line[end - 1] == ":":
                spans = _POSIX.get(line[position + 2 : end - 1])
                if spans is None:
                    return None
                for low, high in zip(spans[::2], spans[1::2], strict=True):
                    members.update(range(ord(low), ord(high) + 1))
                position, current = end, -1
            else:
                members.add(current)
        else:
            members.add(current)
        previous = current
        position += 1
    found = frozenset(range(1, 256)) - members if negated else frozenset(members)
    return found - {ord("/")}, position + 1


def _anchored(spelled: str) -> Iterator[str]:
    """The patterns that together say what ``spelled`` says, with each run of stars as ``**`` or ``*``.

    Git compares the text before the first wildcard or escape by itself, so that ``**`` right behind it stands
    at the start of what is left and crosses folders as it does behind a ``/``.
    """
    wild = _WILD.search(spelled)
    start = wild.start() if wild else 0
    stars = _STARS.match(spelled, start) if start and spelled[start - 1] != "/" else None
    if stars and spelled[stars.end() : stars.end() + 1] in ("", "/"):
        before, after = spelled[:start], spelled[stars.end() + 1 :]
        yield _stars(f"{before}*/**/{after}" if after else f"{before}*/**")
        if after:
            yield from _anchored(before + after)
        else:
            yield _stars(before + "*")
    else:
        yield _stars(spelled)


def _stars(spelled: str) -> str:
    parts = spelled.split("/")
    return "/".join(
        "**" if len(part) > 1 and not part.strip("*") else _STARS.sub("*", part) for part in parts
    )


def _folder(parent: str, name: str, classes: list[frozenset[int]]) -> str | re.Pattern[str] | None:
    """In which folders the rule ``parent/name`` looks at names; see :class:`Rule`."""
    if parent == "**" or (not parent and name == "**"):
        return None
    if name == "**":
        return re.compile(_translated(f"/{parent}/**/x", classes), re.DOTALL)
    if _WILD.search(parent):
        return re.compile(_translated(f"/{parent}/x", classes), re.DOTALL)
    return _plain(parent)


def _rule(
    ignores: bool,
    folders_only: bool,
    folder: str | re.Pattern[str] | None,
    name: str,
    classes: list[frozenset[int]],
) -> Rule:
    name = _STARS.sub("*", name)
    spellings = _spellings(name, classes)
    if name == "*":
        return Rule(ignores, folders_only, folder, everything=True)
    if all(not _WILD.search(each) for each in spellings):
        return Rule(ignores, folders_only, folder, names=tuple(map(_plain, spellings)))
    if all(each[0] == "*" and not _WILD.search(each, 1) for each in spellings):
        return Rule(ignores, folders_only, folder, endings=tuple(_plain(each[1:]) for each in spellings))
    if all(each[-1] == "*" and not _WILD.search(each[:-1]) for each in spellings):
        return Rule(ignores, folders_only, folder, beginnings=tuple(_plain(each[:-1]) for each in spellings))
    return Rule(ignores, folders_only, folder, pattern=_translated(f"/{name}", classes))


def _spellings(name: str, classes: list[frozenset[int]]) -> tuple[str, ...]:
    """``name`` with each class written out, where that gives few names; else ``name`` alone."""
    used = [classes[ord(char) - _CLASS] for char in name if ord(char) >= _CLASS]
    count = 1
    for members in used:
        count *= len(members)
    if not used or count > _MOST_SPELLINGS:
        return (name,)
    choices = (
        [_literal(chr(member)) for member in sorted(classes[ord(char) - _CLASS])]
        if ord(char) >= _CLASS
        else [char]
        for char in name
    )
    return tuple(map("".join, product(*choices)))


def _plain(spelled: str) -> str:
    return _PRIVATE.sub(lambda found: chr(ord(found[0]) - _LITERAL), spelled)


def _translated(spelled: str, classes: list[frozenset[int]]) -> str:
    """The regular expression of a pattern that begins with ``/``, for a full match."""
    # pathspec is asked here alone: a project whose rules are plain names and endings never loads it
    from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

    expression, _ = GitIgnoreSpecPattern.pattern_to_regex(spelled)
    assert expression is not None

    def written(found: re.Match[str]) -> str:
        code = ord(found[0])
        if code < _CLASS:
            return re.escape(chr(code - _LITERAL))
        return "[" + "".join(f"\\x{member:02x}" for member in sorted(classes[code - _CLASS])) + "]"

    return _PRIVATE.sub(written, _steady(_NAMED_GROUP.sub("(?:", expression)))


def _steady(expression: str) -> str:
    """``expression`` without the choices that make a match take for ever on names that a stranger made up.

    Of several ``*`` in a name, and of several ``**`` in a path, all but the last may take the first place
    that fits.
    """
    expression = _STAR_AND_TEXT.sub(r"(?>[^/]*?\1)", expression)
    first, *rest = expression.split(_GAP)
    if rest and first.startswith(_FIRST_GAP):
        first = f"^(?>(?:.+?/)??{first.removeprefix(_FIRST_GAP)}(?=/))"
    inner = [f"(?>(?:/.+?)??{part}(?=/))" for part in rest[:-1]]
    return "".join([first, *inner, *(_GAP + part for part in rest[-1:])])
