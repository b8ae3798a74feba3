"""How is one value of a record changed while every other byte of its line stays?"""

from __future__ import annotations

from agentbrief import jsonio
from agentbrief.jsonio import JsonValue
from agentbrief.sessions.store.text import Member, members


def with_value(line: str, key: str, value: JsonValue) -> str:
    """The JSON object ``line`` with ``value`` under ``key`` at its top level.

    Of a repeated key the last one, which counts, is changed. A key that is not there is put behind ``type``,
    ``id`` and ``parentId``, as far as the object begins with those, else in front.

    Raises:
        ValueError: ``line`` is no JSON object.
    """
    found = members(line)
    written = jsonio.dumps(value).decode("utf-8")
    for member in reversed(found):
        if member.key == key:
            return line[: member.value_start] + written + line[member.end :]
    return _with_member(line, found, f"{jsonio.dumps(key).decode('utf-8')}:{written}")


def without_key(line: str, key: str) -> str:
    """The JSON object ``line`` without ``key`` at its top level, however often it stands there.

    Raises:
        ValueError: ``line`` is no JSON object.
    """
    found = members(line)
    for index in reversed(range(len(found))):
        if found[index].key == key:
            start, end = found[index].start, found[index].end
            if index + 1 < len(found):
                end = found[index + 1].start
            elif index > 0:
                start = found[index - 1].end
            line = line[:start] + line[end:]
            found = members(line)
    return line


def value_text(line: str, key: str) -> str | None:
    """The text of the value under ``key`` at the top level of ``line``; None if there is none.

    Raises:
        ValueError: ``line`` is no JSON object.
    """
    return next(
        (line[part.value_start : part.end] for part in reversed(members(line)) if part.key == key), None
    )


def with_value_text(line: str, key: str, written: str) -> str:
    """The JSON object ``line`` with the JSON text ``written`` under a ``key`` that it has already.

    Raises:
        ValueError: ``line`` is no JSON object.
    """
    for member in reversed(members(line)):
        if member.key == key:
            return line[: member.value_start] + written + line[member.end :]
    return line


def _with_member(line: str, found: tuple[Member, ...], written: str) -> str:
    behind = None
    for member, key in zip(found, ("type", "id", "parentId"), strict=False):
        if member.key != key:
            break
        behind = member
    if behind is not None:
        return f"{line[: behind.end]},{written}{line[behind.end :]}"
    start = line.index("{") + 1
    return line[:start] + written + ("," if found else "") + line[start:]
