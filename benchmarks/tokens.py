"""K: the estimator against a real tokenizer, in time and in error."""

from __future__ import annotations

import importlib
import importlib.util
import os
import statistics
from collections.abc import Callable, Iterator
from typing import Any

from agentbrief.tokens import LineCache, estimate, exact
from agentbrief.tokens.parity import characters_4, utf8_bytes_4_plus_1
from benchmarks.goals import Goal, against
from benchmarks.inputs import Bench
from benchmarks.make_texts import texts_by_kind
from benchmarks.measure import by_turns, inside

RS_BPE_TO_TIKTOKEN = 0.70
"""What rs-bpe takes of tiktoken's time (measured once, both exact), where tiktoken's vocabulary is not at
hand.
"""


def tiktoken_counter() -> Callable[[str], int] | None:
    """tiktoken, if its vocabulary lies in its cache: it would download it otherwise."""
    cache = os.environ.get("TIKTOKEN_CACHE_DIR")
    if not cache or not os.path.isdir(cache) or importlib.util.find_spec("tiktoken") is None:
        return None
    encoding: Any = importlib.import_module("tiktoken").get_encoding("o200k_base")
    return lambda text: len(encoding.encode_ordinary(text))


def area(bench: Bench) -> Iterator[Goal]:
    """The goals K1 to K3."""
    yield Goal("K1", "the agent's own number", note="the golden cases compare it to the token")
    transcript = bench.transcript("pi", 1_000_000)
    kinds = texts_by_kind(transcript)
    mixed = [kind for kind in ("English prose", "Python", "JSON", "JSONL transcript") if kind in kinds]
    text = "\n".join(chunk for kind in mixed for chunk in kinds[kind])
    pieces = [text[start : start + 200_000] for start in range(0, len(text), 200_000)]
    one_line_changed = pieces[0].replace("e", "a", 1)
    cache = LineCache()
    cache.estimate(pieces[0])
    tiktoken = tiktoken_counter()
    has_exact = exact("a") is not None
    methods = {
        "estimate": inside(lambda: [estimate(piece) for piece in pieces]),
        "characters / 4": inside(lambda: [characters_4(piece) for piece in pieces]),
        "bytes / 4": inside(lambda: [utf8_bytes_4_plus_1(piece) for piece in pieces]),
        "one piece": inside(lambda: estimate(pieces[0])),
        "two changes of a line": inside(
            lambda: (cache.estimate(one_line_changed), cache.estimate(pieces[0]))
        ),
    }
    if has_exact:
        methods["exact"] = inside(lambda: [exact(piece) for piece in pieces])
    if tiktoken is not None:
        methods["tiktoken"] = inside(lambda: [tiktoken(piece) for piece in pieces])
    samples = by_turns(methods, bench.rounds)
    size = f"{len(text.encode()) / 1e6:.1f} MB"
    if tiktoken is not None:
        yield against("K2", f"estimate, {size}", samples, "estimate", "tiktoken", 0.4)
        if has_exact:
            yield against("K3", f"exact, {size}", samples, "exact", "tiktoken", 1.0)
    elif has_exact:
        note = f"tiktoken's vocabulary is not cached; rs-bpe takes {RS_BPE_TO_TIKTOKEN} of its time"
        yield against(
            "K2", f"estimate, {size}", samples, "estimate", "exact", 0.4 / RS_BPE_TO_TIKTOKEN, note=note
        )
        yield Goal("K3", "exact", note="tiktoken's vocabulary is not cached, and it is not downloaded here")
    else:
        yield Goal(
            "K2", f"estimate, {size}", note="neither rs-bpe nor tiktoken with its vocabulary is installed"
        )
    yield against("K2", f"estimate, {size}", samples, "estimate", "bytes / 4", None)
    yield against("K2", "line cache, 200 KB", samples, "two changes of a line", "one piece", None)
    if has_exact:
        yield from errors(kinds)


def errors(kinds: dict[str, list[str]]) -> Iterator[Goal]:
    """How far the estimate is from the exact number, a chunk at a time."""
    means: dict[str, float] = {}
    for kind, texts in kinds.items():
        off = []
        for text in texts:
            right = exact(text)
            if right is not None and right.tokens:
                off.append(abs(estimate(text).tokens - right.tokens) / right.tokens)
        means[kind] = statistics.mean(off)
    listing = ", ".join(f"{kind} {mean:.1%}" for kind, mean in means.items())
    worst = max(means, key=means.__getitem__)
    note = f"{len(means)} of the 14 kinds are at hand: {listing}"
    yield Goal("K2", "mean error over the kinds", "0", "", statistics.mean(means.values()), 0.07, note)
    yield Goal("K2", f"worst kind: {worst}", "0", "", means[worst], 0.12)
