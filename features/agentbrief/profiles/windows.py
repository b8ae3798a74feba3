"""How large is a model's context, and at how many tokens does the agent compact it?

Every number comes from the profile's data; the settings and variables that change it are arguments.

Source: agents.md 5.11 and 9.4.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from agentbrief.jsonio import JsonValue
from agentbrief.profiles.sessions_data import ModelWindow, WindowsData

_PLAIN_NUMBER = re.compile(r"\s*(\d+)\s*")
_LEADING_NUMBER = re.compile(r"\s*(\d+)")
_SHORT_NUMBER = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kKmM]?)\s*")
_DECIMAL = re.compile(r"\s*(\d+(?:\.\d+)?)\s*%?\s*")
_THOUSANDS = {"": 1, "k": 1_000, "m": 1_000_000}
_OFF_WORDS = frozenset(("", "0", "false", "no", "off"))


@dataclass(frozen=True, slots=True)
class Window:
    """The context of a model in tokens, None where nothing says it.

    ``compacts_at`` is where the agent compacts without any setting. ``is_known`` is false for an id that is
    in no row of the table, whose window is then assumed. ``may_be`` are smaller windows that the model has
    with some providers or switches, where neither is known; with the points at which those are compacted.
    """

    tokens: int | None
    compacts_at: int | None
    is_known: bool
    may_be: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class CompactionPoint:
    """Where the agent compacts with the settings that count, in tokens; None: it does not by itself.

    ``by`` names those settings. ``mistaken`` names settings whose value means something else than it says,
    such as ``500k`` where a plain number is wanted.
    """

    tokens: int | None
    by: tuple[str, ...] = ()
    mistaken: tuple[str, ...] = ()


def window_of(
    data: WindowsData | None,
    model: str | None,
    *,
    stated: int | None = None,
    provider: str | None = None,
    env: Mapping[str, str] | None = None,
) -> Window:
    """The window of ``model``. ``stated`` is what the session itself says of it and wins.

    ``provider``: ``bedrock``, ``vertex``, ``foundry``, or empty for the vendor's own; None: not known.
    """
    env = env or {}
    if data is None or stated is not None:
        return Window(stated, None, stated is not None)
    row = row_of(data, model)
    named = _named_window(data, model, row, env)
    if named is not None:
        return Window(named, _point(data, named), True)
    if row is None:
        tokens = data.unknown if model else None
        return Window(tokens, _point(data, tokens), False)
    tokens = row.on.get(provider or "", row.window)
    names = data.env
    if names and data.without_1m and is_on(env.get(names.no_1m)):
        tokens = min(tokens, data.without_1m)
    point = row.compact_at if row.compact_at and tokens == row.window else _point(data, tokens)
    return Window(tokens, point, not row.assumed, _smaller(data, model, row, tokens, provider))


def row_of(data: WindowsData, model: str | None) -> ModelWindow | None:
    """The first row whose pattern is found in ``model``."""
    return next((row for row in data.models if model and re.search(row.match, model)), None)


def compaction_point(
    data: WindowsData | None, window: Window, settings: Mapping[str, JsonValue], env: Mapping[str, str]
) -> CompactionPoint:
    """Where the agent compacts, ``settings`` being those of its own files and ``env`` its environment."""
    if data is None or window.tokens is None or window.compacts_at is None:
        return CompactionPoint(None)
    names = data.env
    if names and (off := [name for name in names.off if is_on(env.get(name))]):
        return CompactionPoint(None, tuple(off))
    by: list[str] = []
    mistaken: list[str] = []
    tokens, point = window.tokens, window.compacts_at
    named = _named_compaction_window(data, settings, env, by, mistaken)
    if named is not None and named < tokens:
        tokens, point = named, _point(data, named) or point
    if names and (percent := env.get(names.percent)):
        found = _DECIMAL.fullmatch(percent)
        share = float(found[1]) if found else 0.0
        if 1 <= share <= 100:
            point = min(point, int(tokens * share / 100))
            by.append(names.percent)
        else:
            mistaken.append(names.percent)
    return CompactionPoint(point, tuple(by), tuple(mistaken))


def is_on(value: str | None) -> bool:
    """Whether a switch of the environment is on."""
    return value is not None and value.strip().lower() not in _OFF_WORDS


def tokens_of_setting(data: WindowsData, value: JsonValue) -> int | None:
    """The tokens that the window setting means: a number, ``500k``, ``1M``, or 100 to 1000 for thousands.

    None if it means nothing, or less than the agent's least or more than its largest window.
    """
    found = None if isinstance(value, bool) else _SHORT_NUMBER.fullmatch(str(value))
    if found is None or data.min is None or data.max is None:
        return None
    number = float(found[1]) * _THOUSANDS[found[2].lower()]
    if not found[2] and number * 1_000 <= data.max and number * 1_000 >= data.min:
        number *= 1_000
    return int(number) if data.min <= number <= data.max else None


def _named_compaction_window(
    data: WindowsData,
    settings: Mapping[str, JsonValue],
    env: Mapping[str, str],
    by: list[str],
    mistaken: list[str],
) -> int | None:
    """The window for compaction that a setting names; the variable wins over the setting."""
    names = data.env
    if names and data.min and (value := env.get(names.window)):
        plain = _PLAIN_NUMBER.fullmatch(value)
        if plain and int(plain[1]) >= data.min:
            by.append(names.window)
            return int(plain[1])
        if _LEADING_NUMBER.match(value):
            mistaken.append(names.window)
            return None
    if data.setting and data.setting in settings:
        tokens = tokens_of_setting(data, settings[data.setting])
        (by if tokens is not None else mistaken).append(data.setting)
        return tokens
    return None


def _named_window(
    data: WindowsData, model: str | None, row: ModelWindow | None, env: Mapping[str, str]
) -> int | None:
    """The window that a variable gives an id; for one of the vendor's own only where nothing is compacted."""
    names = data.env
    found = _PLAIN_NUMBER.fullmatch(env.get(names.max, "")) if names else None
    if names is None or found is None or not model:
        return None
    compacts = not any(is_on(env.get(name)) for name in names.off[1:])
    if compacts and (model.startswith("claude-") or (row is not None and not row.assumed)):
        return None
    return int(found[1]) or None


def _smaller(
    data: WindowsData, model: str | None, row: ModelWindow, tokens: int, provider: str | None
) -> tuple[tuple[int, int], ...]:
    if provider is not None or (data.large_in_id and re.search(data.large_in_id, model or "")):
        return ()
    windows = {window for window in (*row.on.values(), data.without_1m) if window and window < tokens}
    return tuple((window, point) for window in sorted(windows) if (point := _point(data, window)))


def _point(data: WindowsData, window: int | None) -> int | None:
    if window is None or not data.reserve:
        return None
    return max(window - data.reserve_output_max - data.reserve, 0)
