"""What does an editor say about hidden text, and about the code of a rule, where they stand in a file?"""

from __future__ import annotations

import re

from agentbrief.messages import say
from agentbrief.redact import clean, fenced
from agentbrief.report.rule_pages import rule_markdown
from agentbrief.rules.registry import rules
from agentbrief.text.invisible import reported
from agentbrief.text.invisible_payload import code_points, payload
from agentbrief.text.span import Span
from agentbrief.text.visible import wider

_CODE = re.compile(r"`([a-z]+(?:-[a-z0-9]+)+)`")
_MOST_SHOWN = 12


def hidden_hover(text: str, offset: int, locale: str) -> tuple[str, Span] | None:
    """The decoded text of what is hidden at ``offset``, and which characters carry it; None elsewhere."""
    for found in reported(text).values():
        for hidden in found:
            span = wider(text, hidden.span)
            if not span.start <= offset <= span.end:
                continue
            carriers = code_points(text[hidden.span.start : hidden.span.end][:_MOST_SHOWN])
            shown = fenced(clean(payload(text, hidden)) or "–")
            heading = say(locale, "hover.hidden")
            return f"{heading}\n\n{shown}\n{say(locale, 'hover.hidden.carriers', characters=carriers)}", span
    return None


def rule_hover(text: str, offset: int) -> tuple[str, Span] | None:
    """The page of the rule whose code stands in a code span at ``offset``; None elsewhere."""
    start = text.rfind("\n", 0, offset) + 1
    end = text.find("\n", offset)
    for match in _CODE.finditer(text, start, len(text) if end < 0 else end):
        if match.start() <= offset <= match.end():
            named = next((rule for rule in rules() if rule.code == match[1]), None)
            if named is not None:
                return rule_markdown(named), Span(match.start(1), match.end(1))
    return None
