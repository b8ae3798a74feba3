"""How is the language server served over standard input and output?

Nothing that parses or prints is imported before: an editor's user waits for this.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NoReturn


def is_plain(words: Sequence[str]) -> bool:
    """Whether the command line asks for this and for nothing else that would have to be parsed."""
    return words[:1] == ["serve"] and all(
        word == "--stdio" or word.startswith("--clientProcessId=") for word in words[1:]
    )


def serve() -> NoReturn:
    """Serve the client; ends the process."""
    # Before the first import that could print: the descriptors are the protocol's.
    from agentbrief_server.transport.start import claim_descriptors, importing

    claim_descriptors()
    with importing():
        from agentbrief_server.app import create
        from agentbrief_server.transport.stdio import serve_stdio
    serve_stdio(create())
