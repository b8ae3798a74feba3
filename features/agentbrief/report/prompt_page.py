"""How is the assembled prompt shown and written as JSON?"""

from __future__ import annotations

from agentbrief.jsonio import JsonValue
from agentbrief.prompt import Prompt
from agentbrief.tokens.parity import FORMULAS


def prompt_record(prompt: Prompt, token_formula: str) -> dict[str, JsonValue]:
    """The contract of ``brief --prompt --json`` (cli.md): sections with their sizes, and the whole text."""
    formula = FORMULAS[token_formula]
    sections: list[JsonValue] = [
        {
            "id": section.id,
            "first_line": section.first_line,
            "characters": len(section.text),
            "tokens": formula(section.text),
        }
        for section in prompt.sections
    ]
    found: dict[str, JsonValue] = {"sections": sections, "text": prompt.text}
    if prompt.missing:
        found["missing"] = list(prompt.missing)
    return found
