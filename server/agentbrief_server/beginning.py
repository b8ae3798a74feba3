"""What may wait until the first diagnostics are out?

Whoever opens a file waits for its findings. Watches, walks of whole folders and the modules of answers that
nobody has asked for yet come after them; soon, too, if no file is opened.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module

LATEST_S = 0.25


class Beginning:
    """Actions that wait for the first diagnostics; later ones are done at once.

    ``modules`` are imported when the actions are done, one at a time, messages in between.
    """

    def __init__(self, modules: Sequence[str]) -> None:
        self._modules = modules
        self._waiting: dict[Callable[[], None], None] = {}
        self._is_over = self._is_timed = False

    def after(self, action: Callable[[], None]) -> None:
        """Do ``action`` after the first diagnostics; once, however often it was asked for until then."""
        if self._is_over:
            action()
            return
        self._waiting[action] = None
        if not self._is_timed:
            self._is_timed = True
            asyncio.get_running_loop().call_later(LATEST_S, self._end)

    def judged(self) -> None:
        """The first diagnostics, or later ones, were told."""
        if not self._is_over:
            asyncio.get_running_loop().call_soon(self._end)

    def _end(self) -> None:
        if self._is_over:
            return
        self._is_over = True
        for action in self._waiting:
            action()
        self._waiting.clear()
        asyncio.get_running_loop().call_soon(self._load, iter(self._modules))

    def _load(self, modules: Iterator[str]) -> None:
        for module in modules:
            import_module(module)
            asyncio.get_running_loop().call_soon(self._load, modules)
            return
