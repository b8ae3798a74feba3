"""claw-code's JSON grammar once more, character by character: slow and plain."""

from __future__ import annotations

from typing import Any

ESCAPES = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class ReferenceReader:
    """Raises ValueError for a text outside the grammar. ``pairs``: surrogate pairs are read too."""

    def __init__(self, text: str, *, pairs: bool) -> None:
        self.text = text
        self.at = 0
        self.pairs = pairs

    def read(self) -> Any:
        value = self.value()
        self.blanks()
        if self.at < len(self.text):
            raise ValueError("trailing content")
        return value

    def value(self) -> Any:
        self.blanks()
        char = self.peek()
        if char == "[":
            return self.items("]")
        if char == "{":
            return dict(self.items("}"))
        if char == '"':
            return self.string()
        for word, value in (("null", None), ("true", True), ("false", False)):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        return self.number()

    def items(self, end: str) -> list[Any]:
        self.at += 1
        found = []
        while True:
            self.blanks()
            if self.peek() == end:
                break
            found.append(self.member() if end == "}" else self.value())
            self.blanks()
            if self.peek() == end:
                break
            self.take(",")
        self.at += 1
        return found

    def member(self) -> tuple[str, Any]:
        key = self.string()
        self.blanks()
        self.take(":")
        return key, self.value()

    def number(self) -> int:
        start = self.at
        if self.peek() == "-":
            self.at += 1
        while self.peek() and self.peek() in "0123456789":
            self.at += 1
        number = int(self.text[start : self.at])
        if not -(2**63) <= number < 2**63:
            raise ValueError("out of range")
        return number

    def string(self) -> str:
        self.take('"')
        found = ""
        while (char := self.next()) != '"':
            found += self.escape() if char == "\\" else char
        return found

    def escape(self) -> str:
        char = self.next()
        if char != "u":
            if char not in ESCAPES:
                raise ValueError("escape")
            return ESCAPES[char]
        unit = self.unit()
        if self.pairs and 0xD800 <= unit < 0xDC00 and self.text.startswith("\\u", self.at):
            self.at += 2
            low = self.unit()
            if 0xDC00 <= low < 0xE000:
                return chr(0x10000 + (unit - 0xD800) * 0x400 + low - 0xDC00)
        if 0xD800 <= unit < 0xE000:
            raise ValueError("no scalar value")
        return chr(unit)

    def unit(self) -> int:
        digits = self.text[self.at : self.at + 4]
        if len(digits) < 4 or any(char not in "0123456789abcdefABCDEF" for char in digits):
            raise ValueError("unicode escape")
        self.at += 4
        return int(digits, 16)

    def blanks(self) -> None:
        while self.peek() and self.peek() in " \n\r\t":
            self.at += 1

    def take(self, char: str) -> None:
        if self.next() != char:
            raise ValueError(f"expected {char}")

    def next(self) -> str:
        char = self.peek()
        if not char:
            raise ValueError("end of input")
        self.at += 1
        return char

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]
