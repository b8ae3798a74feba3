"""A fault planted into our own code, to see that a test notices it.

The module's source is changed and compiled again; its functions get the new code for a while. A piece that is
not found exactly once is a fault of the plant.
"""

from __future__ import annotations

import importlib
import inspect
import types
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def planted(module: str, old: str, new: str) -> Iterator[None]:
    loaded = importlib.import_module(module)
    source = inspect.getsource(loaded)
    assert source.count(old) == 1, f"{module} holds this {source.count(old)} times: {old}"
    changed = types.ModuleType(module)
    changed.__file__ = loaded.__file__
    code = compile(source.replace(old, new), str(loaded.__file__), "exec")
    exec(code, changed.__dict__)
    functions = {name: function for name, function in _functions(loaded) if function.__module__ == module}
    before = {name: function.__code__ for name, function in functions.items()}
    try:
        for name, other in _functions(changed):
            if name in functions:
                functions[name].__code__ = other.__code__
        yield
    finally:
        for name, function in functions.items():
            function.__code__ = before[name]


def _functions(module: types.ModuleType) -> Iterator[tuple[str, types.FunctionType]]:
    for name, value in vars(module).items():
        function = inspect.unwrap(value) if callable(value) else value
        if isinstance(function, types.FunctionType):
            yield name, function
