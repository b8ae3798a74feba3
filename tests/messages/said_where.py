"""Which messages come into a certain place? Read out of the sources, back through the functions they pass."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from agentbrief.messages.catalogue import sentences
from tests.house.sources import FEATURES, SERVER, sources

Function = ast.FunctionDef | ast.AsyncFunctionDef
Place = tuple[str, str]
Values = Mapping[str, list[ast.expr]]


def messages_said(module_prefix: str, given_there: Callable[[ast.AST], Iterable[ast.expr]]) -> dict[str, str]:
    """The messages that expressions are made of, and for each a function that names it.

    ``given_there`` picks the expressions out of the nodes of the modules that begin with ``module_prefix``.
    Followed are the values of a function's own names, and functions that are called by a name.
    """
    found: dict[str, str] = {}
    reached = set[Place]()
    waiting: list[Place] = []

    def take(place: Place, nodes: Iterable[ast.AST]) -> None:
        nodes, known = list(nodes), _names(place[0])
        for key in _keys(nodes, _values(place)):
            found.setdefault(key, ".".join(place))
        waiting.extend(known[node.id] for node in nodes if isinstance(node, ast.Name) and node.id in known)

    for place, function in _functions().items():
        if place[0].startswith(module_prefix):
            given = [each for node in ast.walk(function) for each in given_there(node)]
            take(place, _made_of(given, _values(place)))
    while waiting:
        place = waiting.pop()
        if place in _functions() and place not in reached:
            reached.add(place)
            take(place, ast.walk(_functions()[place]))
    return found


@cache
def _modules() -> dict[str, ast.Module]:
    return {source.name: source.tree for source in (*sources(FEATURES), *sources(SERVER))}


@cache
def _functions() -> dict[Place, Function]:
    return {
        (module, node.name): node
        for module, tree in _modules().items()
        for top in tree.body
        for node in (top.body if isinstance(top, ast.ClassDef) else [top])
        if isinstance(node, Function)
    }


@cache
def _names(module: str) -> dict[str, Place]:
    """What a name of the module stands for: a function of its own, or one that it imports."""
    found = {name: (where, name) for where, name in _functions() if where == module}
    for node in ast.walk(_modules()[module]):
        if isinstance(node, ast.ImportFrom) and node.module:
            for each in node.names:
                found[each.asname or each.name] = (node.module, each.name)
    return found


@cache
def _values(place: Place) -> Values:
    """What each name of a function may hold."""
    found: dict[str, list[ast.expr]] = {}
    for node in ast.walk(_functions()[place]):
        match node:
            case ast.Assign(targets=targets, value=value):
                pass
            case (
                ast.AnnAssign(target=target, value=ast.expr() as value)
                | ast.NamedExpr(target=target, value=value)
            ):
                targets = [target]
            case ast.For(target=target, iter=value) | ast.comprehension(target=target, iter=value):
                targets = [target]
            case ast.Call(func=ast.Attribute(value=ast.Name() as target, attr="append"), args=[value]):
                targets = [target]
            case _:
                continue
        for target in targets:
            for name in ast.walk(target):
                if isinstance(name, ast.Name):
                    found.setdefault(name.id, []).append(value)
    return found


def _made_of(expressions: list[ast.expr], values: Values) -> Iterator[ast.AST]:
    """Every node of the expressions, and of what the names in them may hold."""
    waiting, seen = list(expressions), set[str]()
    while waiting:
        for node in ast.walk(waiting.pop()):
            yield node
            if isinstance(node, ast.Name) and node.id not in seen:
                seen.add(node.id)
                waiting += values.get(node.id, [])


def _keys(nodes: Iterable[ast.AST], values: Values) -> Iterator[str]:
    """The messages that are named; of a name that is put together, all that it can be."""
    known = sentences("en")
    for node in nodes:
        if isinstance(node, ast.Constant) and node.value in known:
            yield str(node.value)
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            pattern = re.compile("".join(_pattern(part, values) for part in node.values))
            yield from (key for key in known if pattern.fullmatch(key))


def _pattern(part: ast.expr, values: Values) -> str:
    match part:
        case ast.Constant(value=str(text)):
            return re.escape(text)
        case ast.FormattedValue(value=ast.Name(id=name)) if name in values:
            words = [word for value in values[name] for word in _words(value)]
            return ".+" if None in words else f"(?:{'|'.join(re.escape(word) for word in words if word)})"
        case _:
            return ".+"


def _words(value: ast.expr) -> Iterator[str | None]:
    """The texts that are written out; None where it may be any other."""
    match value:
        case ast.Constant(value=str(text)):
            yield text
        case ast.Tuple(elts=parts) | ast.List(elts=parts):
            for part in parts:
                yield from _words(part)
        case ast.IfExp(body=one, orelse=other):
            yield from _words(one)
            yield from _words(other)
        case _:
            yield None
