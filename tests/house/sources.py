"""The modules of both source roots, parsed once."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
FEATURES = ROOT / "features" / "agentbrief"
SERVER = ROOT / "server" / "agentbrief_server"


@dataclass(frozen=True)
class Source:
    """One module: its dotted name, its room (the first name below the package), and its syntax tree."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def room(self) -> str:
        parts = self.name.split(".")
        return parts[1] if len(parts) > 1 else ""


@cache
def sources(package: Path) -> tuple[Source, ...]:
    found = []
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package.parent).with_suffix("").parts
        name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        text = path.read_text(encoding="utf-8")
        found.append(Source(name, path, text, ast.parse(text)))
    return tuple(found)


def imported(source: Source) -> list[str]:
    """The dotted names that a module imports, wherever in it the import stands."""
    found = []
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            found.extend(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            assert node.level == 0, f"{source.name}: relative import"
            found.append(node.module)
    return found


def calls(source: Source) -> list[tuple[str, int]]:
    """Each called name with its line, dotted as it is written: ``os.path.isdir``."""
    return [
        (ast.unparse(node.func), node.lineno) for node in ast.walk(source.tree) if isinstance(node, ast.Call)
    ]
