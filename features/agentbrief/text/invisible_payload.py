"""What do hidden characters say?

Source: corpora/README.md, "Decoding".
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from agentbrief.text.invisible import CONTROLS, Hidden
from agentbrief.text.out_of_sight import inner_text

NAMED_AT_MOST = 8
"""How many code points a payload names when nothing else can be read from them."""

_SHORTEST_BITS = 16
_CONTROL = re.compile(f"[{CONTROLS}]+")
_TAG_LETTERS = {
    code: code - 0xE0000 if 0xE0020 <= code <= 0xE007E else None for code in range(0xE0000, 0xE0080)
}
_LINE_CHARACTERS = str.maketrans("", "", "\n\r\t")


def payload(text: str, hidden: Hidden) -> str:
    """What a program that reads ``text`` can make of ``hidden``; may be empty for tag characters."""
    characters = text[hidden.span.start : hidden.span.end]
    match hidden.kind:
        case "hidden-text":
            return characters.translate(_TAG_LETTERS)
        case "variation-selector-data":
            return _selected(characters)
        case "invisible-character":
            return written_in_bits(characters) or code_points(characters[:NAMED_AT_MOST])
        case "direction-control":
            return _CONTROL.sub("", characters)
        case "easy-to-miss-text":
            return inner_text(text, hidden.span)


def code_points(characters: str) -> str:
    """The code points of ``characters`` as ``U+200B U+200C``."""
    return " ".join(f"U+{ord(char):04X}" for char in characters)


def written_in_bits(characters: str) -> str | None:
    """The text that zero-width characters write in binary; None when they write none.

    Two different characters stand for the bits of letters of 8 or 7 bits, three for bits and a separator of
    letters. The lower code point is 0 before it is 1. The first reading that can be printed counts.
    """
    different = sorted(set(characters))
    if len(different) == 2 and len(characters) >= _SHORTEST_BITS:
        readings = _in_letters_of_one_length(characters, *different)
    elif len(different) == 3:
        readings = _in_separated_letters(characters, different)
    else:
        return None
    return next((reading for reading in readings if reading and _is_printable(reading)), None)


def _in_letters_of_one_length(characters: str, low: str, high: str) -> Iterator[str]:
    # 8 bits both ways come before 7: a wrong reading of whole bytes is hardly ever printable.
    for size in (8, 7):
        if len(characters) % size:
            continue
        for zero, one in ((low, high), (high, low)):
            bits = _bits(characters, zero, one)
            codes = bytes(int(bits[at : at + size], 2) for at in range(0, len(bits), size))
            if (reading := _utf8(codes)) is not None:
                yield reading


def _in_separated_letters(characters: str, different: list[str]) -> Iterator[str]:
    for separator in reversed(different):
        low, high = (char for char in different if char != separator)
        for zero, one in ((low, high), (high, low)):
            bits = _bits(characters, zero, one)
            letters = [letter for letter in bits.split(separator) if letter]
            # The largest code point has 21 bits.
            if (
                max(map(len, letters)) <= 21
                and max(codes := [int(letter, 2) for letter in letters]) <= 0x10FFFF
            ):
                yield "".join(map(chr, codes))


def _bits(characters: str, zero: str, one: str) -> str:
    return characters.translate({ord(zero): "0", ord(one): "1"})


def _selected(characters: str) -> str:
    codes = bytes(_selector_byte(char) for char in characters)
    reading = _utf8(codes)
    if reading is not None and _is_printable(reading):
        return reading
    if max(codes) < 16 and len(codes) % 2 == 0:
        reading = _utf8(bytes(high * 16 + low for high, low in zip(codes[::2], codes[1::2], strict=True)))
        if reading is not None and _is_printable(reading):
            return reading
    return f"0x{codes.hex()}"


def _selector_byte(char: str) -> int:
    code = ord(char)
    return code - 0xFE00 if code <= 0xFE0F else code - 0xE0100 + 16


def _utf8(codes: bytes) -> str | None:
    try:
        return codes.decode("utf-8")
    except UnicodeDecodeError:
        return None


def _is_printable(reading: str) -> bool:
    letters = reading.translate(_LINE_CHARACTERS)
    return letters != "" and letters.isprintable()
