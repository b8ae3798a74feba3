"""Cases written as Markdown: one ``##`` a case, a fence a file, marks where a finding must be.

``{fill n}`` n characters of prose · ``$cut`` the exact cut of the file · ``$0`` the cursor · ``{link path}``
a symbolic link · ``{bytes hex}`` raw bytes · ``{folder}`` a folder · ``{mark U+202E}`` any character by its
number · ``^^^ code: part of the message`` under the line it is about. Any other finding in a file with a mark
fails the case; in a file whose fence says ``quiet`` every finding does. Paths begin with ``/``, which stands
for a temporary folder.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

_CASE = re.compile(r"^## (.+)$", re.MULTILINE)
_FENCE = re.compile(r"^(`{3,})([^\n`]*)\n(.*?)^\1[ ]*$", re.MULTILINE | re.DOTALL)
_SETTING = re.compile(r"^- ([\w.]+): (.*)$", re.MULTILINE)
_MARK = re.compile(r"^\s*\^+ ([a-z0-9-]+)(?:: (.*))?$")
_FILL = re.compile(r"\{fill (\d+)\}")
_CHARACTER = re.compile(r"\{mark U\+([0-9A-F]{2,6})\}")
_PROSE = "keep the change small and say what was checked; "


@dataclass(frozen=True)
class Mark:
    """A finding that must be there: on that line (from 1), with that code and ``message`` in its message."""

    line: int
    code: str
    message: str


@dataclass
class FixtureFile:
    path: str
    text: str = ""
    marks: list[Mark] = field(default_factory=list)
    cut: int | None = None
    cursor: int | None = None
    link: str | None = None
    raw: bytes | None = None
    is_folder: bool = False
    quiet: bool = False


@dataclass
class Fixture:
    """One case.

    ``expects`` maps the word behind ``expect`` to the block's text; ``source`` is where it stands.
    """

    title: str
    source: Path
    settings: dict[str, str]
    files: list[FixtureFile]
    expects: dict[str, str]

    def __str__(self) -> str:
        return f"{self.source.stem}: {self.title}"


def fixtures(path: Path) -> list[Fixture]:
    """The cases of one Markdown file."""
    text = path.read_text(encoding="utf-8")
    starts = [match.start() for match in _CASE.finditer(_outside_fences(text))]
    return [
        _fixture(path, text[start:end]) for start, end in zip(starts, [*starts[1:], len(text)], strict=True)
    ]


def build(fixture: Fixture, root: Path) -> None:
    """Write the files of a case below ``root``; links last."""
    for file in sorted(fixture.files, key=lambda file: file.link is not None):
        path = root / file.path.lstrip("/")
        path.parent.mkdir(parents=True, exist_ok=True)
        if file.link is not None:
            path.symlink_to(root / file.link.lstrip("/") if file.link.startswith("/") else file.link)
        elif file.is_folder:
            path.mkdir(exist_ok=True)
        else:
            path.write_bytes(file.raw if file.raw is not None else file.text.encode("utf-8", "surrogatepass"))


def updated(path: Path, fixture: Fixture, word: str, block: str) -> str:
    """The text of ``path`` with the block ``expect <word>`` of ``fixture`` replaced."""
    text = path.read_text(encoding="utf-8")
    start = text.index(f"## {fixture.title}\n")
    head, tail = text[:start], text[start:]
    pattern = re.compile(rf"^(`{{3,}})expect {re.escape(word)}\n.*?^\1$", re.MULTILINE | re.DOTALL)
    return head + pattern.sub(lambda match: f"{match[1]}expect {word}\n{block}\n{match[1]}", tail, count=1)


def _outside_fences(text: str) -> str:
    return _FENCE.sub(lambda match: " " * len(match.group()), text)


def _fixture(path: Path, text: str) -> Fixture:
    match = _CASE.match(text)
    assert match is not None
    files: list[FixtureFile] = []
    expects: dict[str, str] = {}
    for fence in _FENCE.finditer(text):
        words = fence[2].split()
        if words[0] == "expect":
            expects[" ".join(words[1:])] = fence[3].removesuffix("\n")
        else:
            files.append(_file(words, fence[3]))
    return Fixture(match[1], path, dict(_SETTING.findall(_outside_fences(text))), files, expects)


def _file(words: list[str], body: str) -> FixtureFile:
    file = FixtureFile(words[1], quiet="quiet" in words[2:])
    stripped = body.strip()
    if match := re.fullmatch(r"\{link (.+)\}", stripped):
        file.link = match[1]
        return file
    if match := re.fullmatch(r"\{bytes ([0-9a-fA-F ]*)\}", stripped):
        file.raw = bytes.fromhex(match[1])
        return file
    if stripped == "{folder}":
        file.is_folder = True
        return file
    if "no-newline" in words[2:]:
        body = body.removesuffix("\n")
    kept: list[str] = []
    for line in body.split("\n"):
        if match := _MARK.match(line):
            file.marks.append(Mark(len(kept), match[1], match[2] or ""))
        else:
            kept.append(line)
    text = _FILL.sub(lambda match: _prose(int(match[1])), "\n".join(kept))
    text = _CHARACTER.sub(lambda match: chr(int(match[1], 16)), text)
    if "crlf" in words[2:]:
        text = text.replace("\n", "\r\n")
    for name in ("$cut", "$0"):
        if (at := text.find(name)) >= 0:
            text = text.replace(name, "", 1)
            if name == "$cut":
                file.cut = at
            else:
                file.cursor = at
    file.text = text
    return file


def _prose(size: int) -> str:
    return (_PROSE * (size // len(_PROSE) + 1))[:size]
