"""Writes what of the extension follows from the server's data: parts of package.json, its texts in each
language, src/facts.ts.

usage: python vscode-extension/generate.py [--check]     --check: write nothing, exit 1 if a file is not as it
would be written
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parent / "server"), str(HERE.parent / "features")]

from manifest.document import LOCALES, Manifest  # noqa: E402


def files() -> Iterator[tuple[Path, str]]:
    """Each generated file with its text."""
    manifest = Manifest()
    package = HERE / "package.json"
    yield package, as_json(manifest.package(json.loads(package.read_text(encoding="utf-8"))))
    for locale, name in LOCALES.items():
        yield HERE / name, as_json(manifest.texts(locale))
    yield HERE / "src" / "facts.ts", manifest.facts()


def as_json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2) + "\n"


def main(arguments: list[str]) -> int:
    stale = [(path, text) for path, text in files() if not path.exists() or path.read_text("utf-8") != text]
    for path, text in stale:
        print(f"{path.name} is not what the data say" if "--check" in arguments else f"{path.name} written")
        if "--check" not in arguments:
            path.write_text(text, encoding="utf-8", newline="\n")
    return 1 if stale and "--check" in arguments else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
