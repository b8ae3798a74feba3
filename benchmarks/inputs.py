"""What is measured: seeded inputs, made once in a scratch folder and kept there."""

from __future__ import annotations

import random
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from benchmarks.make_transcripts import make_transcripts
from benchmarks.make_tree import LONG_RULES, SHORT_RULES, make_tree


@dataclass(frozen=True, slots=True)
class Bench:
    """What an area gets: how many rounds to measure, and the folder of the inputs."""

    rounds: int
    folder: Path

    def made(self, name: str, make: Callable[[Path], None]) -> Path:
        """The input of that name. ``make`` fills the path, once; a half-made one is made again."""
        path, done = self.folder / name, self.folder / f"{name}.done"
        if not done.exists():
            print(f"  making {name}", file=sys.stderr, flush=True)
            if path.is_dir():
                shutil.rmtree(path)
            path.unlink(missing_ok=True)
            make(path)
            done.touch()
        return path

    def tree(self, files: int, *, long_rules: bool = True, with_git: bool = True) -> Path:
        """A project of about that many files with an ignore file of 100 lines, or of 7."""
        name = f"tree-{files}{'-long' if long_rules else ''}{'-git' if with_git else ''}"
        rules = LONG_RULES if long_rules else SHORT_RULES
        return self.made(name, lambda path: make_tree(path, files, rules, with_git=with_git))

    def small_files(self, count: int, size: int) -> list[Path]:
        """``count`` text files of ``size`` bytes each."""

        def make(folder: Path) -> None:
            chance = random.Random(11)
            folder.mkdir()
            for number in range(count):
                words = (f"{chance.getrandbits(24):06x}" for _ in range(size // 7 + 1))
                text = "".join(
                    f"{word}{chr(10) if index % 9 == 8 else ' '}" for index, word in enumerate(words)
                )
                (folder / f"{number:05}.md").write_text(text[:size], "ascii")

        return sorted(self.made(f"files-{count}-{size}", make).iterdir())

    def transcript(
        self, kind: str, size: int, *, sessions: int = 1, damage: float = 0.0, torn: bool = False
    ) -> Path:
        """A transcript of ``size`` bytes, or a store of ``sessions`` of them; see :mod:`make_transcripts`."""
        marks = "".join(["-torn" if torn else "", f"-damage{damage}" if damage else ""])
        name = f"{kind}-{size}-{sessions}{marks}"
        return self.made(
            name,
            lambda path: make_transcripts(path, kind, size, sessions=sessions, damage=damage, torn=torn),
        )
