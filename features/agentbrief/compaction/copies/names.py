"""What is a compacted copy called?"""

from __future__ import annotations

import re

_ENDING = re.compile(r"\.jsonl?\Z", re.IGNORECASE)


def copy_name(path: str) -> str:
    """The name of the copy of the file ``path``: ``<name>.compacted.jsonl``, or ``.json`` for such a file."""
    name = re.split(r"[/\\]", path)[-1]
    ending = _ENDING.search(name)
    return f"{_ENDING.sub('', name)}.compacted{ending[0].lower() if ending else '.jsonl'}"
