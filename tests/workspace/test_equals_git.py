"""The list of a project's files is git's own."""

from __future__ import annotations

import os
import random
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agentbrief.disk.seam import FS
from agentbrief.profiles.load import profile
from agentbrief.workspace import survey
from tests.workspace.git import build, listed, needs_git, run

pytestmark = needs_git
RULES = profile("claw").port_context
assert RULES is not None

LONG = """
# caches
__pycache__/
*.py[cod]
*$py.class
.coverage.*
*.egg-info/
docs/_build/
/site
node_modules/
npm-debug.log*
*.log
!keep.log
.env.*
!.env.example
*.sw?
*~
.vscode/*
!.vscode/settings.json
/tmp/**/*.bin
**/generated/*.snap
packages/*/coverage
tools/**/out
secret?.txt
report-[0-9]*.json
[Dd]esktop.ini
"""

CASES: dict[str, tuple[str | bytes, list[str]]] = {
    "a name, anywhere": ("out\n", ["out", "a/out", "a/out2", "b/out/x"]),
    "a name at the top": ("/out\n", ["out", "a/out"]),
    "a path": ("a/out\n", ["a/out", "b/a/out", "a/out.txt"]),
    "folders only": ("out/\n", ["out", "a/out/x", "a/outer/x"]),
    "files named like an ignored folder": ("build/\n", ["a/build", "build/x", "c/build/y"]),
    "negation": ("*.log\n!keep.log\n", ["a.log", "keep.log", "d/keep.log", "d/b.log"]),
    "negation first": ("!keep.log\n*.log\n", ["keep.log", "a.log"]),
    "nothing comes back below an ignored folder": ("out/\n!out/keep\n", ["out/keep", "out/x"]),
    "it comes back where only the content is ignored": ("out/*\n!out/keep\n", ["out/keep", "out/x",
        "out/d/keep"]),
    "all but": ("*\n!*/\n!*.py\n", ["a.py", "a.txt", "d/b.py", "d/b.txt"]),
    "all but, by folder": ("/*\n!/src\n/src/*\n!/src/a\n", ["src/a", "src/b", "x", "src/d/e"]),
    "a folder is ignored, then not": ("d\n!d/\n", ["d/x", "e/d"]),
    "two stars before": ("**/out\n", ["out", "a/out", "a/b/out/x"]),
    "two stars behind": ("out/**\n", ["out/a", "out/b/c", "x/out/a"]),
    "two stars behind, with a negation": ("out/**\n!out/a\n", ["out/a", "out/b", "out/c/a"]),
    "two stars behind, folders only": ("out/**/\n", ["out/a", "out/b/c"]),
    "two stars between": ("a/**/z\n", ["a/z", "a/b/z", "a/b/c/z", "az", "b/a/z"]),
    "two stars alone": ("**\n!x\n", ["x", "y", "d/x"]),
    "two stars and a slash": ("**/\n", ["x", "d/x"]),
    "slash, two stars": ("/**\n!/x\n", ["x", "y", "d/x"]),
    "three stars": ("a/***/z\n", ["a/z", "a/b/z", "a/b/c/z"]),
    "stars inside a name": ("a**z\n", ["abz", "az", "d/a1z"]),
    "stars inside a path": ("a/x**/z\n", ["a/x/z", "a/x1/z", "a/x1/y/z", "a/xz"]),
    "stars at the end of a path": ("a/x**\n!a/x1\n", ["a/x", "a/x1", "a/x2/y", "b/x"]),
    "star in a folder": ("a/*/z\n", ["a/z", "a/b/z", "a/b/c/z"]),
    "star crosses no folder": ("a*z\n/b*/z\n", ["a1z", "a/z", "b1/z", "b1/c/z"]),
    "star takes a leading dot": ("*x\n", [".x", "x", "ax", "x.y"]),
    "question mark": ("a?c\n", ["abc", "ac", "abbc"]),
    "question mark is one byte": ("?.txt\n??.u\n", ["é.txt", "e.txt", "é.u", "ab.u"]),
    "a beginning": ("tmp*\n", ["tmp", "tmp1", "atmp", "d/tmp.x"]),
    "class": ("[ab].c\n", ["a.c", "b.c", "c.c", "[.c"]),
    "range": ("x[0-9-]\n", ["x1", "x-", "xa"]),
    "many ranges": ("[a-zA-Z0-9]x[!0-9]\n", ["axb", "ax1", "_xb"]),
    "negated class": ("x[!a]\ny[^a]\n", ["xa", "xb", "ya", "yb"]),
    "class with a bracket": ("x[]]\ny[]-a]\n", ["x]", "y]", "y_", "y^", "ya", "yb"]),
    "class with an escape": (r"x[\]]" + "\n" + r"y[a\-z]" + "\n", ["x]", "ya", "y-", "yb"]),
    "class by name": ("[[:digit:]]x\n[[:alpha:][:digit:]]y\n", ["1x", "ax", "ay", "1y", "_y"]),
    "class by a wrong name": ("[[:nope:]]x\n", ["nx", ":x", "]x"]),
    "class that is not closed": ("[ab\nx[\n", ["a", "[ab", "x["]),
    "class upside down": ("[z-a]x\n", ["ax", "zx", "-x"]),
    "class never takes a slash": ("a[/b]c\na[!x]d\n", ["abc", "a/c", "a/d", "axd", "ayd"]),
    "class beyond ASCII": ("[é]\n", ["é", "e"]),
    "escaped first characters": ("\\#a\n\\!b\n", ["#a", "!b", "a", "b"]),
    "escaped star": (r"a\*" + "\n", ["a*", "ab"]),
    "escaped letter": (r"\a\b" + "\n", ["ab", "b"]),
    "backslash at the end": ("a\\\n", ["a", "a\\"]),
    "backslash before a slash": ("a\\/b\n", ["a/b", "b"]),
    "comment": ("#a\n #b\n", ["#a", "a", " #b", "#b"]),
    "comment sign after a negation": ("*\n!#a\n", ["#a", "b"]),
    "blank at the end": ("a \nb\\ \nc\\  \n", ["a", "a ", "b", "b ", "c ", "c  "]),
    "blank at the start": (" a\n", [" a", "a"]),
    "tab at the end": ("a\t\n", ["a", "a\t"]),
    "no-break space at the end": ("a\u00a0\n", ["a", "a\u00a0"]),
    "carriage returns": ("a\r\nb\r\nc\r", ["a", "b", "c", "a\r", "c\r"]),
    "no line end": ("a\nb", ["a", "b", "c"]),
    "form feed and separators are no line ends": ("a\fb\u2028c\n", ["a", "b", "c", "a\fb\u2028c"]),
    "byte-order mark": (b"\xef\xbb\xbfa\n", ["a", "b"]),
    "not UTF-8": (b"caf\xe9\n*.\xff\n", ["cafe", "caf\udce9", "x.\udcff"]),
    "NUL": (b"a\0b\n", ["a", "b"]),
    "slashes alone": ("/\n//\n!/\n", ["a", "b/c"]),
    "double slash": ("a//b\n//c\nd//\n", ["a/b", "c", "d/e"]),
    "dot": ("./a\na/../b\n", ["a", "b"]),
    "dots and dollars": ("a.b\nc$\n(x)\nd+\n", ["a.b", "axb", "c$", "c", "(x)", "x", "d+", "dd"]),
    "line feed in a name": ("a?b\n*.x\n", ["a\nb", "c.x\n", "c.x"]),
    "capital letters": ("README\n*.TXT\n", ["readme", "README", "a.txt", "a.TXT"]),
    "empty": ("", ["a", "d/b"]),
    "double extension": ("*.tar.gz\n*.gz\n!b.tar.gz\n", ["a.tar.gz", "b.tar.gz", "c.gz", "gz", ".gz"]),
    "an ending without a dot": ("*_test\n", ["a_test", "_test", "test"]),
    "an ending that is a dot": ("*.\n", ["a.", "a", "b.."]),
    "paths with classes": ("d/[ab]*/z?\n", ["d/ax/z1", "d/bx/z", "d/cx/z1", "e/d/ax/z1"]),
    "a long real one": (LONG, [
        "a.pyc", "b.pyo", "x/__pycache__/c", "d$py.class", ".coverage.1", "e.egg-info/f", "docs/_build/g",
        "docs/h",
        "site", "i/site", "node_modules/j", "npm-debug.log.1", "k.log", "keep.log", ".env.local",
        ".env.example",
        "l.swp", "m~", ".vscode/settings.json", ".vscode/n", "tmp/a/b/o.bin", "tmp/o.bin",
        "q/generated/r.snap",
        "packages/s/coverage/t", "packages/coverage/t", "tools/a/out/u", "tools/out", "secret1.txt",
        "secret.txt",
        "report-1x.json", "report-x.json", "Desktop.ini", "x/desktop.ini",
    ]),
}  # fmt: skip


def ours(folder: Path, **more: object) -> list[str]:
    assert RULES is not None
    return list(survey(FS(), str(folder), RULES, **more).project.files)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", CASES)
def test_one_file(name: str, tmp_path: Path) -> None:
    rules, files = CASES[name]
    run(tmp_path, "init", "-q")
    build(tmp_path, {".gitignore": rules} | {file: "" for file in files if not (tmp_path / file).exists()})
    expected = listed(tmp_path)
    assert ours(tmp_path) == expected
    assert len(expected) <= len(files) + 1


NESTED: dict[str, dict[str, bytes | str | None]] = {
    "the nearer file wins": {".gitignore": "*.log\n", "d/.gitignore": "!a.log\n", "d/a.log": "", "b.log": ""},
    "the nearer file adds": {".gitignore": "a\n", "d/.gitignore": "b\n", "d/a": "", "d/b": "", "b": "",
        "d/e/b": ""},
    "anchored in its own folder": {"d/.gitignore": "/a\ne/f\n", "a": "", "d/a": "", "d/e/f": "",
        "d/g/e/f": ""},
    "patterns in its own folder": {"d/.gitignore": "**/x/*.y\n", "x/a.y": "", "d/x/a.y": "", "d/e/x/a.y": ""},
    "an ignore file in an ignored folder": {".gitignore": "d/\n", "d/.gitignore": "!*\n", "d/a": "", "e": ""},
    "an ignore file that ignores itself": {".gitignore": ".gitignore\na\n", "a": "", "b": "",
        "d/.gitignore": ""},
    "an ignore file that is a folder": {".gitignore/x": "", "a": ""},
    "an ignore file that is a link": {"rules": "a\n", "d/.gitignore": "->../rules", "d/a": "", "a": ""},
    "three levels": {
        ".gitignore": "*.x\n", "a/.gitignore": "!*.x\n", "a/b/.gitignore": "k*.x\n", "q.x": "", "a/q.x": "",
        "a/b/q.x": "", "a/b/k.x": "", "a/c/k.x": "",
    },
    "a folder not in ASCII": {"ü/.gitignore": "é/ß\n/x\n*.ö\n", "ü/é/ß": "", "ü/x": "", "ü/y/x": "",
        "ü/q.ö": ""},
    "links": {
        ".gitignore": "to-ignored\nfolder-link/\nnamed/\n", "d/x": "", "file-link": "->d/x",
        "folder-link": "->d",
        "dangling": "->nowhere", "named": "->d", "to-ignored": "->d/x", "loop": "->loop", "up": "->..",
    },
    "a .git that is no repository": {"d/.git": None, "d/.gitignore": "x\n", "d/x": "", "d/y": "",
        ".gitignore": "y\n"},
    "a .git file that is none": {"d/.git": "nonsense", "d/y": "", ".gitignore": "y\n", "d/z": ""},
    "the same rules in two folders": {"a/.gitignore": "/x\n", "b/.gitignore": "/x\n", "a/x": "", "b/x": "",
        "a/c/x": ""},
}  # fmt: skip


@pytest.mark.parametrize("name", NESTED)
def test_many_files(name: str, tmp_path: Path) -> None:
    run(tmp_path, "init", "-q")
    build(tmp_path, NESTED[name])
    assert ours(tmp_path) == listed(tmp_path)


def test_special_files_are_not_listed(tmp_path: Path) -> None:
    run(tmp_path, "init", "-q")
    os.mkfifo(tmp_path / "pipe")
    build(tmp_path, {"a": ""})
    assert ours(tmp_path) == listed(tmp_path) == ["a"]


def test_tracked_files_and_the_exclude_file(tmp_path: Path) -> None:
    run(tmp_path, "init", "-q")
    build(tmp_path, {"a": "", "d/b": "", "d/c.log": ""})
    run(tmp_path, "add", "-A")
    run(tmp_path, "commit", "-qm", "x")
    build(tmp_path, {".git/info/exclude": "*.tmp\nnew\n/d/x\n", ".gitignore": "!back.tmp\n*.bak\n"})
    build(tmp_path, {"a.tmp": "", "back.tmp": "", "new": "", "d/x": "", "e/x": "", "y.bak": "", "z": ""})
    assert ours(tmp_path) == listed(tmp_path)


@pytest.mark.parametrize("inner", ["w", "a/w", "a/b/w"])
def test_a_project_inside_a_repository(inner: str, tmp_path: Path) -> None:
    run(tmp_path, "init", "-q")
    build(tmp_path, {
        ".gitignore": f"*.log\n/{inner}/x\nw/y\n**/z/q\n", "a/.gitignore": "b/w/k\n!keep.log\n",
        f"{inner}/.gitignore": "own\n", ".git/info/exclude": "excluded\n",
    })  # fmt: skip
    names = ("x", "y", "z/q", "k", "own", "excluded", "a.log", "keep.log", "d/x", "d/keep.log", "stays")
    build(tmp_path / inner, dict.fromkeys(names, ""))
    project = tmp_path / inner
    assert ours(project, repository=str(tmp_path)) == listed(project)
    assert set(ours(project)) > set(listed(project))


TEXT = st.text(st.sampled_from("ab.é"), min_size=1, max_size=3)
SEGMENT = st.one_of(
    TEXT,
    st.text(st.sampled_from("ab.*?é\\[]!-^"), min_size=1, max_size=4),
    st.sampled_from(["*", "**", "[ab]", "*.a"]),
)
LINE = st.builds(
    lambda sign, lead, parts, end: sign + lead + "/".join(parts) + end,
    st.sampled_from(["", "", "!"]),
    st.sampled_from(["", "", "/", "**/"]),
    st.lists(SEGMENT, min_size=1, max_size=3),
    st.sampled_from(["", "", "/", " ", "\\ ", "/**"]),
)
NAME = st.text(st.sampled_from("ab.é-!"), min_size=1, max_size=3).filter(lambda name: name.strip("."))
PATH = st.lists(NAME, min_size=1, max_size=4).map("/".join)


@pytest.fixture(scope="module")
def git_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("oracle")
    run(folder, "init", "-q")
    return folder / ".git"


@settings(max_examples=120)
@given(st.lists(LINE, max_size=5), st.lists(LINE, max_size=2), st.sets(PATH, max_size=12))
def test_any_rules_and_any_tree(git_folder: Path, top: list[str], nested: list[str], files: set[str]) -> None:
    # in git before 2.41 two stars that are no whole part of a path mean what lies before them in memory
    rules = [line for line in top + nested if not _stars_beside_text(line)]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for path in sorted(files):
            try:
                build(folder, {path: ""})
            except OSError:
                continue
        build(folder, {".gitignore": "\n".join(rules[: len(top)])})
        if (folder / "a").is_dir():
            build(folder, {"a/.gitignore": "\n".join(rules[len(top) :])})
        expected = listed(folder, GIT_DIR=str(git_folder), GIT_WORK_TREE=name)
        assert ours(folder) == expected


def _stars_beside_text(line: str) -> bool:
    return any("**" in part and part.strip("*!") for part in line.split("/"))


@pytest.mark.parametrize("seed", range(4))
def test_a_seeded_tree(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    run(tmp_path, "init", "-q")
    parts = [
        "src",
        "docs",
        "node_modules",
        "build",
        "generated",
        "tools",
        "out",
        "packages",
        "coverage",
        ".vscode",
    ]
    names = [
        "a.py",
        "a.pyc",
        "k.log",
        "keep.log",
        "x.snap",
        "settings.json",
        "o.bin",
        "secret1.txt",
        "m~",
        "tmp",
    ]
    for _ in range(300):
        folder = tmp_path.joinpath(*chance.choices(parts, k=chance.randrange(5)))
        folder.mkdir(parents=True, exist_ok=True)
        if not (path := folder / chance.choice(names)).exists():
            path.write_text("")
    (tmp_path / ".gitignore").write_text(LONG)
    for folder in chance.sample(
        sorted(path for path in tmp_path.rglob("src") if ".git" not in path.parts), 3
    ):
        lines = chance.choices(LONG.split("\n"), k=3)
        (folder / ".gitignore").write_text(
            "\n".join(f"!{line}" if chance.random() < 0.5 else line for line in lines)
        )
    expected = listed(tmp_path)
    assert ours(tmp_path) == expected
    assert len(expected) > 20


def test_repositories_inside(tmp_path: Path) -> None:
    """They are entered, and each is as its own git lists it. A second work tree is no part of the project."""
    build(tmp_path, {".gitignore": "*.log\nhidden/\n", "a": "", "a.log": ""})
    for name in ("clone", "hidden", "d/module"):
        build(
            tmp_path,
            {f"{name}/.gitignore": "*.tmp\n", f"{name}/b.log": "", f"{name}/b.tmp": "", f"{name}/c": ""},
        )
        run(tmp_path / name, "init", "-q")
        run(tmp_path / name, "add", "c")
        run(tmp_path / name, "commit", "-qm", "x")
    run(tmp_path, "init", "-q")
    run(tmp_path, "add", "a")
    run(tmp_path, "submodule", "--quiet", "add", "./d/module", "sub")
    run(tmp_path, "commit", "-qm", "x")
    run(tmp_path, "worktree", "add", "-q", "trees/other")
    build(tmp_path, {"sub/e.log": "", "trees/near": ""})
    assert (tmp_path / "sub/.git").is_file()
    assert (tmp_path / "trees/other/a").exists()
    inside = ("clone", "d/module", "sub")
    stopped = {"clone/", "d/module/", "sub", "trees/other/"}
    expected = set(listed(tmp_path))
    assert stopped <= expected
    expected -= stopped
    for name in inside:
        expected |= {f"{name}/{file}" for file in listed(tmp_path / name)}
    assert "clone/b.log" in expected
    assert ours(tmp_path) == sorted(expected)
    shutil.rmtree(tmp_path / ".git")
    assert "trees/other/a" in ours(tmp_path), "outside a repository a work tree is all there is"
