"""Folder trees, the same each time. About ten empty files a folder; a third of all in ignored folders."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
from pathlib import Path

SHARES = {"src": 0.40, "tests": 0.12, "assets": 0.06, "docs": 0.06, "node_modules": 0.28, "build": 0.06}
SUFFIXES = {
    ".py": 45, ".ts": 8, ".md": 8, ".json": 10, ".png": 8, ".svg": 4, ".txt": 4, ".log": 3, ".yaml": 5,
    ".css": 5,
}  # fmt: skip
DEEPEST = 8

SHORT_RULES = "node_modules/\nbuild/\n*.log\n.venv/\n__pycache__/\n!keep.log\n/dist\n"
NESTED_RULES = "*.txt\n!m1.txt\n"
LONG_RULES = """\
# what Python leaves behind
__pycache__/
*.py[cod]
*$py.class
*.so
.Python
develop-eggs/
downloads/
eggs/
.eggs/
lib64/
parts/
sdist/
wheels/
share/python-wheels/
*.egg-info/
.installed.cfg
*.egg
MANIFEST
*.manifest
*.spec
pip-log.txt
htmlcov/
.tox/
.nox/
.coverage
.coverage.*
.cache
nosetests.xml
coverage.xml
*.cover
*.py,cover
.hypothesis/
.pytest_cache/
*.mo
*.pot
local_settings.py
db.sqlite3
db.sqlite3-journal
instance/
.webassets-cache
.scrapy
docs/_build/
.ipynb_checkpoints
profile_default/
ipython_config.py
.venv
env/
venv/
ENV/
.spyderproject
.ropeproject
/site
.mypy_cache/
.dmypy.json
.pyre/
.pytype/
cython_debug/

# what JavaScript leaves behind
node_modules/
npm-debug.log*
yarn-error.log*
*.log
!keep.log
*.tsbuildinfo
.npm
.eslintcache
*.tgz
.env
.env.*
!.env.example
.next
out/
.nuxt
.docusaurus

# editors and systems
.DS_Store
Thumbs.db
[Dd]esktop.ini
*.sw?
*~
.idea/
*.iml
.vscode/*
!.vscode/settings.json

# this project
/build/
/dist
/tmp/**/*.bin
**/generated/*.snap
packages/*/coverage
tools/**/out
*.bak
*.orig
*.rej
*.tmp
secret?.txt
report-[0-9]*.json
"""


class _Tree:
    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.folders = 0

    def fill(self, folder: str, count: int, tests: bool) -> None:
        suffixes = self.random.choices(list(SUFFIXES), list(SUFFIXES.values()), k=count)
        for number, suffix in enumerate(suffixes):
            prefix = "test_" if tests and suffix == ".py" else ""
            os.close(os.open(f"{folder}/{prefix}m{number}{suffix}", os.O_CREAT | os.O_WRONLY, 0o644))

    def grow(self, folder: str, budget: int, tests: bool = False, depth: int = 0) -> None:
        os.makedirs(folder)
        self.folders += 1
        here = budget if depth == DEEPEST else min(budget, self.random.randrange(4, 17))
        self.fill(folder, here, tests)
        budget -= here
        while budget > 0:
            part = min(budget, max(5, int(budget * self.random.uniform(0.15, 0.6))))
            self.grow(f"{folder}/d{self.folders}", part, tests, depth + 1)
            budget -= part


def make_tree(root: Path, files: int, rules: str, *, with_git: bool, seed: int = 3) -> None:
    """A project of about that many files at ``root``, committed to git if asked and there is one."""
    root.mkdir(parents=True)
    (root / ".gitignore").write_text(rules, "utf-8")
    tree = _Tree(seed)
    for name, share in SHARES.items():
        tree.grow(f"{root}/{name}", int(files * share), tests=name == "tests")
    (root / "docs" / ".gitignore").write_text(NESTED_RULES, "utf-8")
    if with_git and shutil.which("git"):
        for words in (["init", "-q"], ["add", "-A"], ["commit", "-qm", "tree"]):
            git(root, *words)


def git(root: Path, *words: str) -> None:
    """Run git in ``root`` with nothing of the user's settings that could matter."""
    identity = [
        "-c",
        "user.name=bench",
        "-c",
        "user.email=bench@example.invalid",
        "-c",
        "commit.gpgsign=false",
    ]
    subprocess.run(["git", "-C", str(root), *identity, *words], check=True, stdout=subprocess.DEVNULL)
