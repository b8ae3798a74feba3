"""Value objects are frozen, slotted and hashable, and do no input or output."""

from __future__ import annotations

import dataclasses
import importlib
import inspect

import pytest

from tests.house.sources import FEATURES, sources


def dataclasses_of_features() -> list[type]:
    found = []
    for source in sources(FEATURES):
        module = importlib.import_module(source.name)
        found.extend(
            value
            for _, value in inspect.getmembers(module, inspect.isclass)
            if dataclasses.is_dataclass(value) and value.__module__ == source.name
        )
    return found


@pytest.mark.parametrize(
    "shape", dataclasses_of_features(), ids=lambda shape: f"{shape.__module__}.{shape.__name__}"
)
def test_a_dataclass_is_a_value(shape: type) -> None:
    parameters = shape.__dataclass_params__  # type: ignore[attr-defined]
    assert parameters.frozen
    assert "__slots__" in vars(shape)
    assert shape.__hash__ is not None
    mutable = [
        field.name
        for field in dataclasses.fields(shape)
        if str(field.type).startswith(("list[", "dict[", "set[", "List[", "Dict["))
        and field.hash is not False
    ]
    assert mutable == []
