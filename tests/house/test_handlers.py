"""How a handler runs is seen in its signature: ``def`` with State may change it, ``async def`` with Snapshot
never does.
"""

from __future__ import annotations

import ast

import pytest

from tests.house.sources import SERVER, Source, sources

HANDLERS = [source for source in sources(SERVER) if ".handlers." in source.name]
COMMANDS = [
    source
    for source in sources(SERVER)
    if ".commands." in source.name and source.path.stem not in ("arguments", "showing")
]
# They ask the client for its settings, and change the state with the answer on the loop.
ASK_THE_CLIENT = {"initialized", "workspace_did_change_configuration"}


def function(source: Source, name: str) -> ast.FunctionDef | ast.AsyncFunctionDef:
    found = [node for node in source.tree.body if getattr(node, "name", "") == name]
    assert len(found) == 1
    assert isinstance(found[0], ast.FunctionDef | ast.AsyncFunctionDef)
    return found[0]


def first_annotation(node: ast.FunctionDef | ast.AsyncFunctionDef) -> str:
    annotation = node.args.args[0].annotation
    return ast.unparse(annotation) if annotation else ""


@pytest.mark.parametrize("source", HANDLERS, ids=lambda source: source.path.stem)
def test_a_handler_says_how_it_runs(source: Source) -> None:
    handle = function(source, "handle")
    if first_annotation(handle) == "State":
        assert isinstance(handle, ast.FunctionDef) or source.path.stem in ASK_THE_CLIENT
    else:
        assert first_annotation(handle) == "Snapshot"
        assert isinstance(handle, ast.AsyncFunctionDef)


@pytest.mark.parametrize("source", HANDLERS, ids=lambda source: source.path.stem)
def test_a_handler_is_short(source: Source) -> None:
    handle = function(source, "handle")
    assert handle.end_lineno is not None
    assert handle.end_lineno - handle.lineno < 60


@pytest.mark.parametrize("source", COMMANDS, ids=lambda source: source.path.stem)
def test_a_command_gets_a_snapshot(source: Source) -> None:
    run = function(source, "run")
    assert isinstance(run, ast.AsyncFunctionDef)
    assert first_annotation(run) == "Snapshot"
