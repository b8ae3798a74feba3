"""Which character of the prompt comes from where?"""

from __future__ import annotations

from dataclasses import dataclass

from agentbrief.text.span import Span


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the text that was copied from a file:

    ``span`` in the text, ``source`` in the file, of equal length.
    """

    span: Span
    path: str
    source: Span


@dataclass(frozen=True, slots=True)
class PromptSection:
    """One section of the prompt; ``id`` is stable, ``text`` has no white space around it.

    ``parts`` count from its start.
    """

    id: str
    text: str
    parts: tuple[Part, ...] = ()

    @property
    def first_line(self) -> str:
        """The first line of the section."""
        return self.text.split("\n", 1)[0]


@dataclass(frozen=True, slots=True)
class Prompt:
    """An assembled text: its sections joined by one blank line.

    ``missing`` names parts that are not collected here.
    """

    sections: tuple[PromptSection, ...]
    missing: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The whole text."""
        return "\n\n".join(section.text for section in self.sections)

    @property
    def parts(self) -> tuple[Part, ...]:
        """The source map of the whole text, in order."""
        found: list[Part] = []
        start = 0
        for section in self.sections:
            found.extend(Part(part.span.shifted(start), part.path, part.source) for part in section.parts)
            start += len(section.text) + 2
        return tuple(found)

    def source_of(self, offset: int) -> tuple[str, int] | None:
        """The file and the offset in it that the character at ``offset`` was copied from;

        None for text of our own.
        """
        for part in self.parts:
            if part.span.contains(offset):
                return part.path, part.source.start + offset - part.span.start
        return None
