"""The byte-class estimator is the one that token-weights.json defines, and its properties hold."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from agentbrief.tokens import REFERENCES, Estimate, LineCache, estimate
from agentbrief.tokens.estimator import features
from agentbrief.tokens.weights import FEATURES, UNITS, weights

DEFINITION: dict[str, Any] = json.loads(
    (Path(__file__).parents[1] / "data/token-weights.json").read_text(encoding="utf-8")
)
TEXTS = st.text(st.characters(codec=None, categories=None), max_size=60) | st.text(
    st.sampled_from("aZ09 _\t\n\r.é中🚀Яﺀก\ud83c“あ한"), max_size=60
)


def byte_class(classes: dict[str, str], byte: int) -> str:
    for name, ranges in classes.items():
        for span in ranges.split():
            if re.fullmatch(r"[0-9A-F]{2}(-[0-9A-F]{2})?", span):
                first, _, last = span.partition("-")
                if int(first, 16) <= byte <= int(last or first, 16):
                    return name
    return next(name for name, ranges in classes.items() if ranges.startswith("other"))


def slow_features(text: str) -> list[int]:
    """The definition, read from its file and followed to the letter."""
    data = text.encode("utf-8", "surrogatepass")
    views = {
        "a": "".join(byte_class(DEFINITION["classes_a"], byte) for byte in data),
        "b": "".join(byte_class(DEFINITION["classes_b"], byte) for byte in data),
    }

    def one(term: str) -> int:
        if term == "bytes below 80":
            return sum(byte < 0x80 for byte in data)
        view, _, wanted = term.partition(":")
        return len(re.findall(f"(?={wanted})", views[view]))

    return [sum(map(one, terms.split(" + "))) for terms in DEFINITION["features"].values()]


def test_weights_are_those_of_the_definition() -> None:
    assert tuple(DEFINITION["weights"]) == REFERENCES
    assert tuple(DEFINITION["features"]) == FEATURES
    for reference, expected in DEFINITION["weights"].items():
        assert tuple(expected) == FEATURES
        assert [round(weight * UNITS) for weight in expected.values()] == list(weights(reference))


@pytest.mark.parametrize("vector", DEFINITION["vectors"], ids=lambda vector: ascii(vector["text"])[:40])
def test_vectors(vector: dict[str, Any]) -> None:
    assert list(features(vector["text"].encode())) == vector["features"]
    for reference, tokens in vector["estimate"].items():
        assert estimate(vector["text"], reference) == Estimate("estimate", reference, tokens)


def test_the_default_reference() -> None:
    assert estimate("abc") == estimate("abc", "o200k")


def test_an_unknown_reference() -> None:
    with pytest.raises(ValueError, match="claude4"):
        estimate("abc", "claude4")


@given(TEXTS)
@example("a\u0000B\x7f")
def test_features_follow_the_definition(text: str) -> None:
    assert list(features(text.encode("utf-8", "surrogatepass"))) == slow_features(text)


@given(TEXTS, st.sampled_from(REFERENCES))
def test_estimate_is_the_rounded_sum(text: str, reference: str) -> None:
    exact_sum = sum(
        weight * count for weight, count in zip(weights(reference), slow_features(text), strict=True)
    )
    assert estimate(text, reference).tokens == math.floor(exact_sum / UNITS + 0.5)


@given(st.lists(TEXTS, min_size=1))
def test_features_add_up_over_lines(pieces: list[str]) -> None:
    first, *others = "\n".join(pieces).split("\n")
    parts = [
        features(piece.encode("utf-8", "surrogatepass"))
        for piece in (first, *("\n" + line for line in others))
    ]
    whole = features("\n".join(pieces).encode("utf-8", "surrogatepass"))
    assert tuple(map(sum, zip(*parts, strict=True))) == whole


@given(st.lists(TEXTS, max_size=8), st.sampled_from(REFERENCES))
def test_the_line_cache_is_exact(texts: list[str], reference: str) -> None:
    cache = LineCache(reference)
    for text in (*texts, *texts):
        assert cache.estimate(text) == estimate(text, reference)


def test_the_line_cache_counts_new_lines_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    from agentbrief.tokens import estimator

    counted: list[bytes] = []
    real = estimator.features

    def noting(data: bytes, wanted: Any) -> tuple[int, ...]:
        counted.append(data)
        return real(data, wanted)

    monkeypatch.setattr(estimator, "features", noting)
    cache = LineCache()
    cache.estimate("a\nb\nb\nc")
    assert sorted(counted) == [b"\nb", b"\nc", b"a"]
    counted.clear()
    cache.estimate("a\nb\nnew\nc")
    assert counted == [b"\nnew", b"a"]
    counted.clear()
    cache.estimate("x\nb")
    cache.estimate("x\nc")
    assert counted == [b"x", b"\nc", b"x"], "lines that are gone are forgotten"


PROSE = (
    "The cut counts code points, not bytes. Don't run `make deploy` before 10:00.\n上限は4,000文字です。🚀\n"
)


def test_a_text_of_256_kb_is_counted_whole() -> None:
    text = (PROSE * 4000).encode()[: 256 * 1024].decode("utf-8", "ignore")
    text += "x" * (256 * 1024 - len(text.encode()))
    units = sum(w * c for w, c in zip(weights("o200k"), features(text.encode()), strict=True))
    assert estimate(text).tokens == (units + UNITS // 2) // UNITS


@pytest.mark.parametrize("times", [3000, 12000])
def test_longer_texts_are_sampled(times: int) -> None:
    text = PROSE * times
    full = LineCache().estimate(text).tokens
    assert len(text.encode()) > 256 * 1024
    assert abs(estimate(text).tokens - full) <= full * 0.02


def test_the_sample_is_each_eighth_block(monkeypatch: pytest.MonkeyPatch) -> None:
    from agentbrief.tokens import estimator

    blocks = [b"%08d" % number * 512 for number in range(70)]
    seen: list[bytes] = []
    real = estimator.features

    def noting(data: bytes, wanted: Any) -> tuple[int, ...]:
        seen.append(data)
        return real(data, wanted)

    monkeypatch.setattr(estimator, "features", noting)
    estimate(b"".join(blocks).decode())
    assert seen == [b"\x80".join(blocks[::8])]
