"""The floor under any transcript reader: iterate the lines of a file, and decode each.

usage: decode_lines.py TRANSCRIPT.jsonl [--json orjson|stdlib|none]      none: the lines alone
"""

from __future__ import annotations

import importlib
import sys


def lines_only(path: str) -> int:
    """The number of lines of the file."""
    count = 0
    with open(path, "rb", buffering=1 << 20) as lines:
        for _ in lines:
            count += 1
    return count


def decode(path: str, library: str = "orjson") -> int:
    """The number of lines that ``library`` decodes; nothing is kept of them."""
    loads = importlib.import_module(library if library == "orjson" else "json").loads
    count = 0
    with open(path, "rb", buffering=1 << 20) as lines:
        for line in lines:
            try:
                loads(line)
            except ValueError:
                continue
            count += 1
    return count


def main() -> int:
    library = sys.argv[sys.argv.index("--json") + 1] if "--json" in sys.argv else "orjson"
    count = lines_only(sys.argv[1]) if library == "none" else decode(sys.argv[1], library)
    print(count)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
