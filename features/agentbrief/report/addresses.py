"""Where on the web is something of ours explained?"""

from __future__ import annotations

RULE_PAGES = "https://github.com/agentbrief/agentbrief/blob/main/docs/rules/"


def rule_page(code: str) -> str:
    """The address of a rule's page."""
    return f"{RULE_PAGES}{code}.md"
