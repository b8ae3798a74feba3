"""With which arguments is a command called?

With those of the request, one a parameter. A parameter typed as an attrs class gets an object of it, any
other the plain value, to be checked by hand. Too few, too many or malformed ones are the caller's mistake.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from functools import lru_cache, partial
from typing import Any, get_type_hints

import attrs
from cattrs import Converter


def command_arguments(
    handler: Callable[..., Any], given: Sequence[Any] | None, converter: Converter
) -> tuple[Any, ...]:
    """The arguments for ``handler``, the server left out, which pygls itself passes.

    Raises:
        TypeError: their number does not fit.
        Exception: one of them is malformed; which exception depends on how.
    """
    values = tuple(given or ())
    signature, kinds = _parameters(handler)
    signature.bind(*values)
    return tuple(
        _structured(value, kinds[place] if place < len(kinds) else None, converter)
        for place, value in enumerate(values)
    )


def _structured(value: Any, kind: type[Any] | None, converter: Converter) -> Any:
    if kind is None:
        return value
    if not isinstance(value, dict):
        raise TypeError("no object")
    return converter.structure(value, kind)


@lru_cache(maxsize=256)
def _parameters(handler: Callable[..., Any]) -> tuple[inspect.Signature, tuple[type[Any] | None, ...]]:
    """What ``handler`` takes, and the attrs class each parameter wants, if it does."""
    signature = inspect.signature(handler)
    function = handler
    wrapped = getattr(handler, "func", None)
    if wrapped is not None and not isinstance(handler, partial):
        # pygls wraps a coroutine function in one that takes anything and passes the server first.
        signature = inspect.signature(wrapped)
        signature = signature.replace(parameters=list(signature.parameters.values())[1:])
    while (inner := getattr(function, "func", None)) is not None:
        function = inner
    try:
        hints = get_type_hints(function)
    except NameError:
        hints = {}
    wanted = (hints.get(name) for name in signature.parameters)
    return signature, tuple(kind if isinstance(kind, type) and attrs.has(kind) else None for kind in wanted)
