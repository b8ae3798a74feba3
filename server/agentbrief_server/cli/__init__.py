"""What did the shell ask? Arguments → tasks. Nothing here imports LSP, asyncio or the server."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence

from agentbrief_server.cli import over_stdio

_YOUNG = 250_000
"""How many new objects make the garbage collector look."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command.

    Its exit code: 0 done, 1 findings, 2 usage, 3 refused or unreadable, 130 interrupted.
    """
    words = sys.argv[1:] if arguments is None else list(arguments)
    if over_stdio.is_plain(words):
        over_stdio.serve()
    quiet_collector()
    from agentbrief_server.cli.parser import run

    try:
        return run(words)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output has gone (`agentbrief … | head`): nothing more can be said to it.
        import os

        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


def quiet_collector() -> None:
    """Let the garbage collector look rarely.

    A command ends before much can lie about, and looking through a long transcript that is held anyway costs
    as much as reading it.
    """
    gc.set_threshold(_YOUNG, 20, 20)
