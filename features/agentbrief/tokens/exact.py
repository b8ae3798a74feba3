"""Exactly how many tokens has a text? Only if a tokenizer is installed; none is downloaded.

A package offers one by an entry point in the group ``agentbrief.tokenizers``. Its name is the vocabulary that
it counts (``o200k``), and it loads as a callable: text in, number of tokens out. Without any, rs-bpe is
asked, which carries its vocabularies with it (the extra ``exact``). All of this happens on first use.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from functools import lru_cache
from typing import Protocol, cast

from agentbrief.tokens.estimate import Estimate
from agentbrief.tokens.weights import REFERENCES

GROUP = "agentbrief.tokenizers"
"""The group of entry points that is looked through."""

Counter = Callable[[str], int]


class _Tokenizer(Protocol):
    def count(self, text: str, /) -> int: ...


_RS_BPE = {"o200k": "o200k_base", "cl100k": "cl100k_base"}


def exact(text: str, reference: str = REFERENCES[0]) -> Estimate | None:
    """How many tokens of the vocabulary ``reference`` the text has; None where nobody here can count them."""
    counter = _counter(reference)
    if counter is None:
        return None
    # a tokenizer takes UTF-8, which has no lone surrogates
    whole = text.encode("utf-8", "replace").decode("utf-8")
    try:
        return Estimate("exact", reference, counter(whole))
    except Exception:
        # another party's code: that it fails is no reason to show nothing at all
        return None


@lru_cache(maxsize=8)
def _counter(reference: str) -> Counter | None:
    from importlib.metadata import entry_points

    for entry in entry_points(group=GROUP, name=reference):
        try:
            return cast("Counter", entry.load())
        except Exception:
            # the next may work
            continue
    if (name := _RS_BPE.get(reference)) is None:
        return None
    try:
        vocabularies = importlib.import_module("rs_bpe.bpe").openai
        make = cast("Callable[[], _Tokenizer]", getattr(vocabularies, name))
        return make().count
    except (ImportError, AttributeError):
        return None
